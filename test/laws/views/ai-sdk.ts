import type { JsonValue } from '../../../src/base/event.ts'
import { Ids } from '../../../src/base/ids.ts'
import { createToolTable } from '../../../src/engine/calls/tools.ts'
import { resolveChoices } from '../../../src/views/ai-sdk/failures.ts'
import type { EmittedPart, PartLike, ToolCallPart } from '../../../src/views/ai-sdk/parts.ts'
import { PartsView } from '../../../src/views/ai-sdk/parts-view.ts'
import type { ViewUnderLaw } from '../view.ts'

/**
 * The engine itself says the text of calls that failed here, so that both say the same. Calls of unknown tools are
 * dropped, because the AI SDK would be handed them only to refuse them.
 */
export const aiSdk: ViewUnderLaw = {
  name: 'ai-sdk',
  options: { malformed: 'text', emit: { json: true, raw: true } },
  open() {
    const parts: EmittedPart[] = []
    let texts = 0
    let calls = 0
    let text = ''
    let reasoning = ''
    // Results are shown as text here, and as results by the engine.
    let isResult = false
    const executable: { toolName: string; input: JsonValue }[] = []
    const view = new PartsView({
      choices: resolveChoices({
        malformed: 'drop',
        truncated: 'drop',
        guessed: 'drop',
        'unknown-tool': 'drop',
      }),
      onError: undefined,
      newId: (kind) => `${kind} ${kind === 'text' ? ++texts : ++calls}`,
      ids: new Ids(),
      markers: [],
      tools: createToolTable([]),
      closers: [],
      behind: () => undefined,
      isLive: true,
      emit(part) {
        if (part.type === 'text-delta') text += isResult ? '' : part.delta
        else if (part.type === 'reasoning-delta') reasoning += part.delta
        else if (part.type === 'tool-call')
          executable.push({ toolName: part.toolName, input: JSON.parse(part.input) as JsonValue })
        parts.push(part)
      },
    })
    return {
      add(event) {
        isResult = event.type.startsWith('tool-result')
        view.add(event)
        if (event.type === 'finish') view.closeText()
      },
      said: () => joined(parts),
      told: () => ({ text, reasoning, calls: executable }),
      check: () => problemWith(parts),
    }
  },
}

/** Neighbouring deltas of one thing joined. */
function joined(parts: readonly PartLike[]): PartLike[] {
  const result: (PartLike & { id?: string; delta?: string })[] = []
  for (const part of parts as readonly (PartLike & { id?: string; delta?: string })[]) {
    const last = result.at(-1)
    if (part.delta !== undefined && last?.type === part.type && last.id === part.id) last.delta += part.delta
    else result.push({ ...part })
  }
  return result
}

/** What is wrong with the form of a response, or nothing. `isSame`: whether a call may have this input after these deltas. */
export function problemWith(
  parts: readonly PartLike[],
  isSame = (said: string, { input }: ToolCallPart): boolean => said === input,
): string | undefined {
  /** The thing that is open, with what was said of it: one at a time, because text is closed before anything else. */
  let open: { readonly key: string; said: string } | undefined
  const closed = new Map<string, string>()
  /** Inputs that have ended, and of which nobody has said what became of them. */
  const undecided = new Set<string>()
  for (const part of parts as readonly (EmittedPart & { id: string; delta?: string })[]) {
    if (part.type === 'tool-call') {
      const said = closed.get(`tool-input ${part.toolCallId}`)
      if (said === undefined) return `a call before its input ended: ${JSON.stringify(part)}`
      // One that cannot run has its whole source there.
      if (said !== part.input && part.providerMetadata === undefined && !isSame(said, part))
        return `the input is ${part.input}, and its deltas are ${said}`
      if (open !== undefined) return `a call inside ${open.key}`
      if (!undecided.delete(part.toolCallId)) return `a second end of the call ${part.toolCallId}`
      continue
    }
    if (part.type === 'tool-result' && !undecided.delete(part.toolCallId))
      return `an error of a call that was not open: ${JSON.stringify(part)}`
    const [, kind, phase] = /^(text|reasoning|tool-input)-(start|delta|end)$/.exec(part.type) ?? []
    if (kind === undefined) continue
    const key = `${kind} ${part.id}`
    if (phase === 'start') {
      if (open !== undefined) return `${key} begins inside ${open.key}`
      if (closed.has(key)) return `${key} begins twice`
      open = { key, said: '' }
    } else if (open?.key !== key) return `${part.type} of ${key} outside of it`
    else if (phase === 'end') {
      if (kind === 'text' && open.said === '') return 'an empty block of text'
      if (kind === 'tool-input') undecided.add(part.id)
      closed.set(key, open.said)
      open = undefined
    } else if (part.delta === '') return `an empty ${part.type}`
    else open.said += part.delta
  }
  if (open !== undefined) return `${open.key} is left open`
  return undecided.size === 0 ? undefined : `nothing became of ${[...undecided]}`
}
