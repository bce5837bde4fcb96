/**
 * Rules about calls: which may run, which a person has to be asked about, and which must not run.
 *
 * Of all rules that hold, the strictest counts: `deny` before `ask` before `allow`. Their order means nothing. What no
 * rule is about is asked for, unless the policy has another default.
 */

import { SluiceError } from '../../base/errors.ts'
import type { JsonValue, ToolCall } from '../../base/event.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import { Path, pointer } from '../../base/path.ts'
import { createToolTable, type ToolDefinitions, type ToolTable } from '../../engine/calls/tools.ts'
import { walkValue } from '../../engine/calls/values.ts'
import { isExecutable } from '../../engine/calls/verdict.ts'
import { writtenInput } from '../../engine/calls/written-input.ts'
import { lostNumbersIn, withBigInts } from '../../values/schema/lost-numbers.ts'
import { DECISIONS, type Decision, isStricter } from './decision.ts'
import { digestOf } from './digest.ts'
import { type Cause, Evaluation } from './evaluation.ts'
import { reasonOf, type Verdict } from './policy-verdict.ts'
import { type ReadRule, type Rule, readRule } from './rule.ts'
import { ToolRules } from './tool-rules.ts'

/** Options of `createPolicy`. */
export interface PolicyOptions {
  readonly rules: readonly Rule[]
  /** What becomes of a call that no rule is about. `ask` by default. */
  readonly otherwise?: Decision
  /** The tools there are. A call of another one is denied. */
  readonly tools?: ToolDefinitions
}

/** As much of a `tool-call` as is looked at. What is left out is taken for good. */
export type ApprovableCall = Pick<ToolCall, 'toolName' | 'input'> &
  Partial<Pick<ToolCall, 'inputText' | 'id' | 'status' | 'repairs' | 'providerExecuted' | 'error'>>

/**
 *     const policy = createPolicy({
 *       rules: [
 *         { tool: 'write_file', at: '/path', is: within('src', { base: '/home/app' }), decision: 'allow' },
 *         { tool: 'shell', at: '/command', is: pattern(/\brm\b/), decision: 'deny' },
 *       ],
 *     })
 *     policy.approve(call).decision   // 'allow', 'ask' or 'deny'
 */
export function createPolicy(options: PolicyOptions): Policy {
  return new Policy(options)
}

const OPTIONS: KnownOptions<PolicyOptions> = { rules: 'any', otherwise: DECISIONS, tools: 'any' }

/** Rules for calls, which `createPolicy` creates. */
export class Policy {
  private readonly rules: readonly ReadRule[]
  private readonly otherwise: Decision
  private readonly tools: ToolTable | undefined
  /** By the name of a tool. The names come from the model, so only those are kept that some rule names. */
  private readonly known = new Map<string, ToolRules>()
  private readonly others: ToolRules

  constructor(options: PolicyOptions) {
    checkOptions(options, OPTIONS)
    const { rules, otherwise = 'ask', tools } = options
    if (!Array.isArray(rules)) throw new SluiceError('invalid-rule', 'A policy takes a list of rules.')
    this.rules = rules.map((rule: Rule, index) => readRule(rule, index + 1))
    this.otherwise = otherwise
    this.tools = tools === undefined ? undefined : createToolTable(tools)
    for (const name of rules.flatMap(({ tool = [] }: Rule) => tool)) this.known.set(name, this.rulesFor(name))
    this.others = this.rulesFor(undefined)
  }

  private rulesFor(name: string | undefined): ToolRules {
    const rules = this.rules.filter((rule) =>
      name === undefined ? rule.rule.tool === undefined : rule.isAbout(name),
    )
    return new ToolRules(rules, this.otherwise)
  }

  /** Whether there is such a tool. */
  knows(toolName: string): boolean {
    return this.tools?.has(toolName) ?? true
  }

  /** Follows the arguments of a call that has begun. */
  open(toolName: string, onRaise?: (cause: Cause) => void): Evaluation {
    return new Evaluation(this.known.get(toolName) ?? this.others, onRaise)
  }

  /**
   * Decides about a complete call, for any loop that runs tools. It may be passed around as a function.
   *
   * A call that failed is denied whatever its input is; one whose meaning was guessed is at least asked about.
   */
  readonly approve = (call: ApprovableCall): Verdict => {
    if (typeof call?.toolName !== 'string')
      throw new SluiceError(
        'invalid-option',
        'A policy decides about a call, which has a toolName and an input.',
      )
    const digest = digestOf(call)
    const failure = this.failureOf(call)
    if (failure !== undefined) return { decision: 'deny', reason: failure, digest }
    const evaluation = this.open(call.toolName)
    const input = writtenInput(call)
    if (call.inputText !== undefined) withBigInts(input, false)
    walkValue(Path.root, input, {
      start({ depth, key }, kind) {
        if (depth === 0) return
        evaluation.enter(depth, key)
        evaluation.start(kind)
      },
      delta({ depth }, delta) {
        if (depth > 0) evaluation.delta(delta)
      },
      end({ depth }, value: JsonValue) {
        if (depth === 0) return
        evaluation.leaveTo(depth)
        evaluation.end(value)
      },
    })
    evaluation.finish()
    const verdict = verdictOf(evaluation.cause!, call.toolName, digest)
    if (!isStricter('ask', verdict.decision)) return verdict
    if (!isExecutable(judged(call)))
      return { decision: 'ask', reason: 'The meaning of the call was guessed.', digest }
    const [lost] = call.inputText === undefined ? [] : lostNumbersIn(input)
    return lost === undefined ? verdict : { decision: 'ask', reason: `${lost.path} ${lost.message}.`, digest }
  }

  /** Why a call can never run. */
  private failureOf(call: ApprovableCall): string | undefined {
    if (!this.knows(call.toolName)) return `There is no tool ${call.toolName}.`
    if (call.providerExecuted) return 'The provider runs this tool itself.'
    if (isExecutable(judged(call), { allow: ['guess'] })) return undefined
    if (call.input === null) return 'The input of the call was not kept.'
    if (call.error !== undefined) return call.error.message
    return call.repairs?.some(({ code }) => code === 'place-uncertain')
      ? 'The call may be part of other text.'
      : 'The call is incomplete.'
  }
}

function judged(call: ApprovableCall): ToolCall {
  return { type: 'tool-call', id: '', status: 'complete', repairs: [], ...call }
}

function verdictOf(cause: Cause, toolName: string, digest: string): Verdict {
  const { decision, code, rule, path } = cause
  return {
    decision,
    reason: reasonOf(cause, toolName),
    ...(code === 'rule' && rule !== undefined && { rule: rule.rule }),
    ...(path !== undefined && { path: pointer(path) }),
    digest,
  }
}
