/**
 * Mistakes that someone could make in what decides whether a tool runs, each as one small change to the source. The test
 * that is named beside each of them must fail because of it.
 */

export interface TurnMutant {
  /** What goes wrong, in words. */
  readonly mistake: string
  /** The file below `src`. */
  readonly file: string
  /** Text that stands in it exactly once, and what stands there instead. */
  readonly from: string
  readonly to: string
  /** The test that notices: its file below `test/turn`, and its name. */
  readonly test: readonly [file: string, name: string]
}

export const TURN_MUTANTS: readonly TurnMutant[] = [
  // ── approval ───────────────────────────────────────────────────────────────────────────────────
  {
    mistake: 'takes any answer but a no for a yes',
    file: 'turn/approvals.ts',
    from: "if (answer === true) return { approved: true, by: 'approval' }",
    to: "if (answer !== false) return { approved: true, by: 'approval' }",
    test: ['safety', 'that says something else is a denial'],
  },
  {
    mistake: 'takes half an answer for a yes',
    file: 'turn/approvals.ts',
    from: 'if (answer.approved === true)',
    to: 'if (answer.approved !== false)',
    test: ['safety', 'with half an answer is a denial'],
  },
  {
    mistake: 'approves where asking failed',
    file: 'turn/approvals.ts',
    from: 'return denial(ASKING_FAILED)',
    to: "return { approved: true, by: 'approval' }",
    test: ['safety', 'that throws is a denial'],
  },
  {
    mistake: 'lets an answer that was given before stand for a guess',
    file: 'turn/approvals.ts',
    from: 'if (early?.answer && !(isGuess && early.answer.approved)) return withInput(early.answer)',
    to: 'if (early?.answer) return withInput(early.answer)',
    test: ['safety', 'is asked about a guess, and nobody else runs one'],
  },
  {
    mistake: 'takes back an answer',
    file: 'turn/approvals.ts',
    from: 'early.answer ??= answer',
    to: 'early.answer = answer',
    test: ['safety', 'that was given once stays, whatever is said later'],
  },
  {
    mistake: 'does not heed a policy that denies',
    file: 'turn/approvals.ts',
    from: "if (verdict?.decision === 'deny')",
    to: "if (verdict?.decision === 'deny' && isGuess)",
    test: ['safety', 'also looks at what a library made of the input, and asks where it cannot'],
  },
  {
    mistake: 'shows a policy only what the model wrote',
    file: 'turn/approvals.ts',
    from: 'return isStricter(run.decision, written.decision) ? run : written',
    to: 'return isStricter(run.decision, run.decision) ? run : written',
    test: ['safety', 'also looks at what a library made of the input, and asks where it cannot'],
  },
  {
    mistake: 'runs what someone changed after it was decided',
    file: 'turn/read-attempt.ts',
    from: "event.type === 'tool-call' ? copyOf(event) : null",
    to: "event.type === 'tool-call' ? event : null",
    test: ['attacks', 'whoever reads the events cannot change what runs'],
  },
  // ── which calls ────────────────────────────────────────────────────────────────────────────────
  {
    mistake: 'runs a call that was cut off',
    file: 'engine/calls/verdict.ts',
    from: "return status === 'complete' || status === 'repaired'",
    to: "return status !== 'invalid'",
    test: ['safety', 'nothing runs that was cut off$'],
  },
  {
    mistake: 'runs a call of a thought that only its end shows',
    file: 'turn/read-attempt.ts',
    from: "event.code === 'stray-closer'",
    to: "event.code === 'not-a-call'",
    test: ['safety', 'of reasoning that only its end shows to be reasoning'],
  },
  {
    mistake: 'runs a call of a thought that the prefill began',
    file: 'turn/prefilled-model.ts',
    from: "isInThought(own, dialect) ? 'reasoning' : 'text'",
    to: "'text'",
    test: ['stops', 'stays one, and no call in it runs: a part$'],
  },
  {
    mistake: 'runs a call for each verdict on it',
    file: 'turn/read-attempt.ts',
    from: 'if (call === null || judged.has(call.id)) return',
    to: 'if (call === null) return',
    test: ['safety', 'twice, although a response says it twice'],
  },
  {
    mistake: 'asks about what the provider runs',
    file: 'turn/read-attempt.ts',
    from: 'if (call.providerExecuted) return',
    to: '',
    test: ['safety', 'that the provider has run, and nobody is asked about it'],
  },
  {
    mistake: 'runs calls of a response that ended in an error',
    file: 'turn/read-attempt.ts',
    from: "isStoppedByPolicy : finish !== 'error'",
    to: 'isStoppedByPolicy : true',
    test: ['safety', 'that says that it failed'],
  },
  {
    mistake: 'runs calls of a response that had an error',
    file: 'turn/read-attempt.ts',
    from: 'failure !== undefined || record !== undefined',
    to: 'failure !== undefined',
    test: ['safety', 'that had an error, and went on as if nothing had happened'],
  },
  {
    mistake: 'runs calls of a response that has no end',
    file: 'turn/read-attempt.ts',
    from: 'finish === undefined ? isStoppedByPolicy :',
    to: 'finish === undefined ? true :',
    test: ['safety', 'that has no end'],
  },
  {
    mistake: 'runs calls of a response that was aborted by others',
    file: 'turn/turn-loop.ts',
    from: "if (outcome === 'aborted') {",
    to: "if (outcome === 'aborted' && signal.aborted) {",
    test: ['safety', 'that says that it was aborted'],
  },
  {
    mistake: 'runs calls of a response that was filtered',
    file: 'turn/turn-loop.ts',
    from: "if (reason === 'content-filter') {",
    to: "if (reason === 'content-filter' && calls.length === 0) {",
    test: ['safety', 'of a response that was filtered'],
  },
  {
    mistake: 'runs tools of a model that was to call none',
    file: 'turn/tool.ts',
    from: "if (choice === 'none') return []",
    to: '',
    test: ['safety', 'of a model that was to call none'],
  },
  {
    mistake: 'runs tools that a hook left out',
    file: 'turn/read-attempt.ts',
    from: 'allowedTools(scope.tools, request.toolChoice, offered as ToolDefinitions | undefined)',
    to: 'allowedTools(scope.tools, request.toolChoice, undefined)',
    test: ['safety', 'that a hook left out of the request: other tools'],
  },
  {
    mistake: 'asks again for a response that was shown',
    file: 'turn/read-response.ts',
    from: 'if (isShown || error === undefined) return response',
    to: 'if (error === undefined) return response',
    test: ['failures', 'not once something of the response was emitted'],
  },
  {
    mistake: 'gives two calls one id',
    file: 'turn/unique-ids.ts',
    from: "const free = id === '' || this.used.has(id) ? this.generate(kind) : id",
    to: "const free = id === '' ? this.generate(kind) : id",
    test: ['run-turn', 'makes ids of its own where a model counts from one'],
  },
  // ── results ────────────────────────────────────────────────────────────────────────────────────
  {
    mistake: 'gives a call that was denied no result',
    file: 'turn/run-calls.ts',
    from: 'by: decision.by, reason })\n        return { ...about, content: reason, isError: true }',
    to: 'by: decision.by, reason })\n        return undefined',
    test: ['safety', 'with a reason is a denial'],
  },
  {
    mistake: 'takes two results for one call',
    file: 'turn/run-calls.ts',
    from: 'if (seen.has(id)) throw',
    to: 'if (seen.has(id) && false) throw',
    test: ['run-turn', 'is told about an id twice'],
  },
  {
    mistake: 'takes results of unknown calls',
    file: 'turn/run-calls.ts',
    from: 'if (!ids.has(id))',
    to: "if (typeof id !== 'string')",
    test: ['run-turn', 'is told about an unknown id'],
  },
  {
    mistake: 'sends back calls that are not closed',
    file: 'turn/message-source.ts',
    from: 'diagnostics.length > 0 || finish.rawReason !== undefined',
    to: 'diagnostics.length > 0 && finish.rawReason !== undefined',
    test: ['stops', 'past calls that the model did not close go back closed'],
  },
  {
    mistake: 'reads a refusal for calls',
    file: 'turn/resumed-response.ts',
    from: 'if (text.isApart(event)) text.pass(event)',
    to: 'if (text.isApart(event) && plan.canResume && !plan.canResume) text.pass(event)',
    test: ['stops', 'is text that is not read for calls'],
  },
  // ── bounds ─────────────────────────────────────────────────────────────────────────────────────
  {
    mistake: 'runs one round too many',
    file: 'turn/turn-loop.ts',
    from: 'if (state.depth >= settings.maxToolDepth) {',
    to: 'if (state.depth > settings.maxToolDepth) {',
    test: ['run-turn', '1: exactly so many rounds of tools'],
  },
  {
    mistake: 'runs as many tools at once as there are calls',
    file: 'turn/run-calls.ts',
    from: 'if (this.running < this.scope.settings.maxParallelTools) {',
    to: 'if (this.running < Number.POSITIVE_INFINITY) {',
    test: ['run-turn', 'run at the same time up to a limit'],
  },
  {
    mistake: 'never ends a turn that only repeats itself',
    file: 'turn/turn-loop.ts',
    from: 'refusals.endRound(started) >= settings.maxRepeatedRefusals',
    to: 'refusals.endRound(started) > settings.maxRepeatedRefusals',
    test: ['safety', 'is told that it repeats itself, and the turn ends'],
  },
  {
    mistake: 'does not tell a tool that its time is up',
    file: 'turn/run-calls.ts',
    from: 'controller.abort(new DOMException(`The tool \\`${toolName}\\` ran out of time.`',
    to: 'new AbortController().abort(new DOMException(`The tool \\`${toolName}\\` ran out of time.`',
    test: ['attacks', 'answers after its time is up is not heard'],
  },
  // ── abort ──────────────────────────────────────────────────────────────────────────────────────
  {
    mistake: 'starts a tool behind an abort',
    file: 'turn/abort.ts',
    from: 'if (signal.aborted) return Promise.reject(signal.reason)',
    to: '',
    test: ['abort', 'at any moment between two steps of the code'],
  },
  {
    mistake: 'waits for an answer that nobody needs any more',
    file: 'turn/run-calls.ts',
    from: 'await untilAborted(one.decision, signal)',
    to: 'await one.decision',
    test: ['abort', 'while someone is asked'],
  },
  {
    mistake: 'forgets calls that an abort left undone',
    file: 'turn/turn-loop.ts',
    from: "yield* leave(response, STOPPED, 'call-cancelled', true)\n      return { reason: 'aborted' }",
    to: "return { reason: 'aborted' }",
    test: ['abort', 'inside a call, which is cut off and has a result'],
  },
]
