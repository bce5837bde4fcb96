/**
 * A policy at work on a stream of events: what is denied ends the moment that is certain, and is never passed on to be
 * run.
 *
 *     tool-input-start shell
 *     argument-delta   /command  x; rm -rf        denied here: the call ends as `invalid`, and generation is stopped
 */

import { SluiceError } from '../../base/errors.ts'
import type { ArgumentDelta, Sink, SluiceEvent, ToolCall } from '../../base/event.ts'
import { FIXED_LIMITS } from '../../base/limits.ts'
import { checkOption, checkOptions, type KnownOptions } from '../../base/options.ts'
import { pointer } from '../../base/path.ts'
import { isHighSurrogate } from '../../base/surrogates.ts'
import { withArguments } from '../../engine/calls/with-arguments.ts'
import { type Decision, isStricter } from './decision.ts'
import type { Cause, Evaluation } from './evaluation.ts'
import { type ApprovableCall, Policy } from './policy.ts'
import { reasonOf, type Verdict } from './policy-verdict.ts'

/** What a guard decided about a call, while its arguments arrive. */
export interface GuardDecision {
  readonly id: string
  readonly toolName: string
  /** What becomes of the call at least. A later decision about it can only be stricter. */
  readonly decision: Decision
  /** Nothing can change it any more: the call is complete, or denied. */
  readonly isFinal: boolean
  readonly reason: string
  /** The value that decided, as a JSON pointer. */
  readonly path?: string
  /** For a string: after how many of its characters it was certain. */
  readonly characters?: number
  /** Of a complete call: what the decision is about. */
  readonly digest?: string
}

/** Options of a `Guard`. */
export interface GuardOptions {
  readonly policy: Policy
  /** Takes the events that are left: a call that is denied ends as `invalid`, and the rest of it is dropped. */
  readonly emit: Sink
  readonly onDecision?: (decision: GuardDecision) => void
  /** Stops the generation. Called once, when a call is denied and no other one is open. */
  readonly stop?: () => void
}

const OPTIONS: KnownOptions<GuardOptions> = {
  policy: 'any',
  emit: 'function',
  onDecision: 'function',
  stop: 'function',
}

/**
 * Guards a stream of events.
 *
 *     const controller = new AbortController()
 *     const guard = createGuard({ policy, emit, stop: () => controller.abort() })
 *     for await (const event of sluice(source, { dialect, signal: controller.signal }))
 *       guard.add(event)
 */
export function createGuard(options: GuardOptions): Guard {
  return new Guard(options)
}

interface OpenCall {
  readonly id: string
  readonly toolName: string
  readonly evaluation: Evaluation
  /** What the evaluation found out and was not reported yet. */
  readonly causes: Cause[]
  /** What was reported of it last, and why. */
  reported: Reported | undefined
  isDenied: boolean
}

type Why = Pick<GuardDecision, 'reason' | 'path' | 'characters'>
type Reported = Why & { readonly decision: Decision }

/** Applies a policy to the events of a response, while they arrive. */
export class Guard {
  private readonly policy: Policy
  private readonly emit: Sink
  private readonly onDecision: (decision: GuardDecision) => void
  private readonly stop: () => void
  /** The event that is being added. */
  private given: SluiceEvent | undefined
  private readonly open = new Map<string, OpenCall>()
  /** How many of the open calls are denied. */
  private denied = 0
  /** Of the calls that were not allowed: an allowed one can be decided about again. */
  private readonly verdicts = new Map<string, Verdict>()
  /** What is decided of a call that was forgotten, once there were too many to remember. */
  private forgotten: Verdict | undefined
  private isStopped = false
  private savedCharacters = 0

  constructor(options: GuardOptions) {
    checkOptions(options, OPTIONS)
    const { policy, emit, onDecision, stop } = options
    checkOption('emit', emit, 'function')
    if (!(policy instanceof Policy))
      throw new SluiceError(
        'invalid-option',
        "A guard takes a policy; make one with createPolicy of 'sluice/policy'.",
      )
    this.policy = policy
    this.emit = emit
    this.onDecision = onDecision ?? (() => {})
    this.stop = stop ?? (() => {})
  }

  /** Whether the generation was stopped. */
  get hasStopped(): boolean {
    return this.isStopped
  }

  /**
   * Characters of arguments that still came after their call had been denied, and were not read. What a
   * generation that was stopped would have written is not counted.
   */
  get saved(): number {
    return this.savedCharacters
  }

  add(event: SluiceEvent): void {
    this.given = event
    this.read(event)
  }

  /** Arguments that only the JSON text tells of are looked at, too, but not passed on. */
  private readonly read = withArguments((event) => this.take(event))

  private take(event: SluiceEvent): void {
    switch (event.type) {
      case 'tool-input-start':
        this.emit(event)
        if (event.providerExecuted !== true) this.begin(event.id, event.toolName)
        return
      case 'argument-delta':
        this.grow(event)
        return
      case 'argument-start':
      case 'argument-end':
      case 'tool-input-delta':
      case 'tool-source-delta':
      case 'tool-input-end':
        this.pass(event)
        return
      case 'tool-call':
        this.judge(event)
        return
      default:
        this.emit(event)
    }
  }

  /**
   * Decides about a complete call, as the policy does, and never milder than was decided while it came. For a loop
   * that runs tools.
   */
  readonly approve = (call: ApprovableCall): Verdict => {
    const fresh = this.policy.approve(call)
    const known = call.id === undefined ? undefined : (this.verdicts.get(call.id) ?? this.forgotten)
    return known !== undefined && isStricter(known.decision, fresh.decision)
      ? { ...known, digest: fresh.digest }
      : fresh
  }

  private begin(id: string, toolName: string): void {
    if (this.open.get(id)?.isDenied) this.denied--
    const causes: Cause[] = []
    const evaluation = this.policy.open(toolName, (cause) => causes.push(cause))
    const call: OpenCall = { id, toolName, evaluation, causes, reported: undefined, isDenied: false }
    this.open.set(id, call)
    if (this.policy.knows(toolName)) this.report(call)
    else this.deny(call, { reason: `There is no tool ${toolName}.` })
  }

  private grow(event: ArgumentDelta): void {
    const call = this.open.get(event.id)
    if (call === undefined) this.forward(event)
    else if (call.isDenied) this.savedCharacters += event.delta.length
    else {
      call.evaluation.goTo(event.path)
      const at = call.evaluation.delta(event.delta)
      this.forward(event, at === -1 ? event : this.cut(event, at))
      if (call.causes.length > 0) this.report(call)
    }
  }

  private forward(event: SluiceEvent, kept = event): void {
    if (event === this.given) this.emit(kept)
  }

  /** Only as much of a delta passes as was needed: otherwise it would matter how the text was cut. */
  private cut(event: ArgumentDelta, at: number): ArgumentDelta {
    const isInPair = isHighSurrogate(event.delta.charCodeAt(at - 1))
    const delta = event.delta.slice(0, isInPair ? at + 1 : at)
    this.savedCharacters += event.delta.length - delta.length
    return { ...event, delta }
  }

  private pass(event: SluiceEvent & { readonly id: string }): void {
    const call = this.open.get(event.id)
    if (call?.isDenied) return
    this.forward(event)
    if (call === undefined) return
    if ('path' in event) call.evaluation.goTo(event.path)
    if (event.type === 'argument-start') call.evaluation.start(event.kind)
    else if (event.type === 'argument-end') call.evaluation.end(event.value)
    if (call.causes.length > 0) this.report(call)
  }

  private report(call: OpenCall): void {
    for (const cause of call.causes.splice(0)) {
      const { decision, path, characters } = cause
      const why = {
        reason: reasonOf(cause, call.toolName),
        ...(path !== undefined && { path: pointer(path) }),
        ...(characters !== undefined && { characters }),
      }
      call.reported = { decision, ...why }
      if (decision === 'deny') this.deny(call, why)
      else this.onDecision({ id: call.id, toolName: call.toolName, decision, isFinal: false, ...why })
    }
  }

  /** Ends a call that is still being written. */
  private deny(call: OpenCall, why: Why): void {
    const { id, toolName } = call
    call.isDenied = true
    this.denied++
    this.remember(id, { decision: 'deny', digest: '', ...why })
    this.onDecision({ id, toolName, decision: 'deny', isFinal: true, ...why })
    this.emit({ type: 'tool-input-end', id })
    this.emit(denied({ type: 'tool-call', id, toolName, input: null, status: 'invalid', repairs: [] }, why))
    this.stopIfAlone()
  }

  private judge(event: ToolCall): void {
    const call = this.open.get(event.id)
    this.open.delete(event.id)
    if (call?.isDenied) this.denied--
    else this.conclude(event, call?.reported)
    this.stopIfAlone()
  }

  /** The call is complete: now it is known what would be run. */
  private conclude(event: ToolCall, reported: Reported | undefined): void {
    if (event.providerExecuted) {
      this.emit(event)
      return
    }
    const fresh = this.policy.approve(event)
    const isMilder = reported !== undefined && isStricter(reported.decision, fresh.decision)
    const verdict: Verdict = isMilder ? { ...reported, digest: fresh.digest } : fresh
    this.remember(event.id, verdict)
    const { decision, reason, path, digest } = verdict
    const why = { reason, ...(path !== undefined && { path }) }
    this.onDecision({ id: event.id, toolName: event.toolName, decision, isFinal: true, ...why, digest })
    const hasFailed = event.status === 'truncated' || event.status === 'invalid'
    this.emit(decision === 'deny' && !hasFailed ? denied(event, why) : event)
  }

  private remember(id: string, verdict: Verdict): void {
    if (verdict.decision === 'allow') return
    if (this.verdicts.has(id) || this.verdicts.size < FIXED_LIMITS.verdicts) this.verdicts.set(id, verdict)
    else
      this.forgotten ??= {
        decision: 'deny',
        reason: `More than ${FIXED_LIMITS.verdicts} calls were not allowed.`,
        digest: '',
      }
  }

  /** What is still being written is of no use to anyone. */
  private stopIfAlone(): void {
    if (this.isStopped || this.denied === 0 || this.denied < this.open.size) return
    this.isStopped = true
    this.stop()
  }
}

/** The call as one that may not run. */
function denied(
  call: ToolCall,
  { reason, path }: { readonly reason: string; readonly path?: string },
): ToolCall {
  const error = { code: 'denied', message: reason, offset: 0, ...(path !== undefined && { path }) }
  return { ...call, status: 'invalid', error }
}
