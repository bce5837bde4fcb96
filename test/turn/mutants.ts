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
    from: 'if (answer === true) return undefined',
    to: 'if (answer !== false) return undefined',
    test: ['safety', 'that says something else is a denial'],
  },
  {
    mistake: 'takes half an answer for a yes',
    file: 'turn/approvals.ts',
    from: 'if (answer.approved !== true)',
    to: 'if (answer.approved === false)',
    test: ['safety', 'with half an answer is a denial'],
  },
  {
    mistake: 'approves where asking failed',
    file: 'turn/approvals.ts',
    from: '() => denial(ASKING_FAILED),',
    to: '() => undefined,',
    test: ['safety', 'that throws is a denial'],
  },
  {
    mistake: 'lets an answer that was given before stand for a guess',
    file: 'turn/approvals.ts',
    from: '(!isGuess && ballot.approves(toolName) ?',
    to: '(ballot.approves(toolName) ?',
    test: ['safety', 'is asked about a guess, and nobody else runs one'],
  },
  {
    mistake: 'takes back a denial once somebody approves',
    file: 'turn/ballot.ts',
    from: '    this.isApproved = true\n',
    to: '    this.isApproved = true\n    this.denied = undefined\n',
    test: ['safety', 'that was given once is worth nothing once the call is denied, before or after'],
  },
  {
    mistake: 'does not heed a denial behind an approval',
    file: 'turn/ballot.ts',
    from: 'this.denied ??= denial',
    to: 'if (!this.isApproved) this.denied ??= denial',
    test: ['one-input', 'behind an approval by the same, by another, and by a policy'],
  },
  {
    mistake: 'starts a tool whose call was denied while it waited',
    file: 'turn/run-calls.ts',
    from: "if (denial !== undefined) return { type: 'call-denied', denial }",
    to: '',
    test: ['one-input', 'also of a call that waits for its turn'],
  },
  {
    mistake: 'gives a handler a call that was denied since',
    file: 'turn/run-calls.ts',
    from: "if (denial !== undefined) answers.set(id, { type: 'call-denied', denial })\n      else\n",
    to: '',
    test: ['one-input', 'and of one that a handler would answer'],
  },
  {
    mistake: 'forgets the denial of the person who was asked, once another approved',
    file: 'turn/approvals.ts',
    from: 'if (denied !== undefined) ballot.deny(denied)',
    to: '',
    test: ['one-input', 'by the person who was asked, behind an approval by another'],
  },
  {
    mistake: 'takes an approval of one tool for that of another',
    file: 'turn/ballot.ts',
    from: 'return this.isApproved && toolName === this.toolName',
    to: 'return this.isApproved',
    test: ['one-input', 'is for the tool that the call named when it began'],
  },
  {
    mistake: 'takes the approval of another call for that of this one',
    file: 'turn/approvals.ts',
    from: 'return answer.digest === undefined || answer.digest === digest ? undefined',
    to: 'return answer.approved ? undefined',
    test: ['one-input', 'is not what an answer is for that names another digest: {"approved":true,"digest"'],
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
    from: 'isStricter(run.decision, written.decision) ? run : written',
    to: 'written',
    test: ['safety', 'also looks at what a library made of the input, and asks where it cannot'],
  },
  {
    mistake: 'shows a policy only what the tool would get',
    file: 'turn/approvals.ts',
    from: 'isStricter(run.decision, written.decision) ? run : written',
    to: 'run',
    test: ['approvals', 'is denied by what the model wrote, although its schema makes something else of it'],
  },
  {
    mistake: 'takes the milder of two verdicts',
    file: 'turn/approvals.ts',
    from: 'isStricter(run.decision, written.decision)',
    to: '!isStricter(run.decision, written.decision)',
    test: ['one-input', 'what the tool gets, where a schema makes another value of it'],
  },
  {
    mistake: 'allows by a default what a policy cannot see',
    file: 'turn/approvals.ts',
    from: 'return isByDefault && !isJson ? UNREADABLE : stricter',
    to: 'return stricter',
    test: ['one-input', 'that a map is more than it can see, and allows it by no default'],
  },
  {
    mistake: 'takes a rule for every tool for one that knows what a policy cannot see',
    file: 'turn/approvals.ts',
    from: 'run.rule?.tool === undefined',
    to: 'run.rule === undefined',
    test: ['one-input', 'that a map is more than it can see, and allows it by no default'],
  },
  {
    mistake: 'takes a bigint for something that a policy can see',
    file: 'turn/judged-input.ts',
    from: 'this.isPlain && isText(this.output, this.takesBigInts)',
    to: 'this.isPlain',
    test: ['safety', 'also looks at what a library made of the input, and asks where it cannot'],
  },
  // ── one input ──────────────────────────────────────────────────────────────────────────────────
  {
    mistake: 'shows people what they can change',
    file: 'turn/judged-input.ts',
    from: 'this.isPlain ? frozen : (cloneOf(output) ?? jsonOf(output))',
    to: 'this.isPlain ? output : (cloneOf(output) ?? jsonOf(output))',
    test: ['one-input', 'is the input as it was written and as the tool gets it, both frozen'],
  },
  {
    mistake: 'shows people the object that the tool gets',
    file: 'turn/judged-input.ts',
    from: 'this.isPlain ? frozen : (cloneOf(output) ?? jsonOf(output))',
    to: 'this.isPlain ? frozen : output',
    test: ['one-input', 'what runs: an instance of a class'],
  },
  {
    mistake: 'runs what the schema still holds',
    file: 'turn/judged-input.ts',
    from: 'this.output = frozen ?? output',
    to: 'this.output = output',
    test: ['one-input', 'a getter and a proxy are asked once, before the decision'],
  },
  {
    mistake: 'gives the tool what nobody can change',
    file: 'turn/judged-input.ts',
    from: 'this.isPlain ? plainCopy(this.output) : this.output',
    to: 'this.output',
    test: ['one-input', 'a tool that changes its input changes nothing else'],
  },
  {
    mistake: 'gives calls of two tools one digest',
    file: 'turn/policy/digest.ts',
    from: '[call.toolName, writtenInput(call), ...output]',
    to: '[writtenInput(call), ...output]',
    test: ['one-input', 'has a digest of the tool, of what was written and of what the tool gets'],
  },
  {
    mistake: 'gives numbers that are written differently one digest',
    file: 'turn/policy/digest.ts',
    from: '[call.toolName, writtenInput(call), ...output]',
    to: '[call.toolName, call.input, ...output]',
    test: ['one-input', 'has a digest of the tool, of what was written and of what the tool gets'],
  },
  {
    mistake: 'leaves what the tool gets out of the digest',
    file: 'turn/policy/digest.ts',
    from: '[call.toolName, writtenInput(call), ...output]',
    to: '[call.toolName, writtenInput(call)]',
    test: ['one-input', 'has a digest of the tool, of what was written and of what the tool gets'],
  },
  {
    mistake: 'runs what someone changed after it was decided',
    file: 'turn/read-attempt.ts',
    from: "given.type === 'tool-call' ? frozenCall(given) : given",
    to: 'given',
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
    mistake: 'runs a call of a thought that the prefill began',
    file: 'turn/prefilled-model.ts',
    from: "isInThought(own, dialect) ? 'reasoning' : 'text'",
    to: "'text'",
    test: ['stops', 'stays one, and no call in it runs: a part$'],
  },
  {
    mistake: 'runs a call for each verdict on it',
    file: 'turn/read-attempt.ts',
    from: "if (event.type !== 'tool-call' || judged.has(event.id)) return",
    to: "if (event.type !== 'tool-call') return",
    test: ['safety', 'twice, although a response says it twice'],
  },
  {
    mistake: 'runs by its second verdict what the provider has run',
    file: 'turn/read-attempt.ts',
    from: '    judged.add(event.id)\n    if (event.providerExecuted) return\n',
    to: '    if (event.providerExecuted) return\n    judged.add(event.id)\n',
    test: ['safety', 'that the provider has run, whatever a second verdict says'],
  },
  {
    mistake: 'asks about what the provider runs',
    file: 'turn/read-attempt.ts',
    from: 'if (event.providerExecuted) return\n',
    to: '\n',
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
    from: 'by, reason })\n    return { id, toolName, content: reason, isError: true }',
    to: 'by, reason })\n    return undefined',
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
