/**
 * What a model would have written, by its own template: the template renders the conversation with the answer in it, and
 * the prompt before the answer is cut off.
 *
 *     <|im_start|>user⏎Hello.<|im_end|>⏎<|im_start|>assistant⏎|<tool_call>…</tool_call>|<|im_end|>⏎
 *                                              the prompt ends ^            the turn ends ^
 */

import { messageOf } from '../../base/errors.ts'
import type { RenderPrompt, TemplateMessage } from './chat-template.ts'
import { TemplateLimitError } from './limited-interpreter.ts'
import { needlesOf, ONE_CALL, PLAIN, PROBE_TOOLS, type Probe, SPOKEN } from './probes.ts'

/** How a conversation is given to the template: engines differ, and templates take what their own engine gives. */
export interface Conventions {
  readonly arguments: 'object' | 'string'
  readonly noText: '' | null
  /** The id of a call of this name, at this position. */
  readonly id: (toolName: string, position: number) => string
}

/** Mistral's ids have nine characters, Kimi's hold the name. */
const nineCharacters = (_: string, position: number) => `a1B2c3D4${position}`
const withName = (toolName: string, position: number) => `functions.${toolName}:${position}`

/** All ways to give a conversation, the usual ones first. */
export const CONVENTIONS: readonly Conventions[] = [nineCharacters, withName].flatMap((id) =>
  (['object', 'string'] as const).flatMap((written) =>
    (['', null] as const).map((noText) => ({ arguments: written, noText, id })),
  ),
)

/** The fields of a message in which templates look for reasoning. */
const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'thinking'] as const

/** What a template writes for a probe. */
export interface WrittenTurn {
  readonly probe: Probe
  /**
   * What the model would have written. Where the turn does not begin as the prompt of a request ends (the prompt opens
   * reasoning, and past turns have none), nothing says how much of it is header: then there are several texts, the
   * shortest first. One with too little cut off has some header left, and no dialect reads that as nothing.
   */
  readonly responses: readonly [string, ...string[]]
  readonly isBehindPrompt: boolean
  /** The whole turn, with its header. */
  readonly whole: string
}

/** A probe that the template does not write, and why. */
export interface UnwrittenTurn {
  readonly probe: Probe
  readonly why: string
}

export class TurnWriter {
  private readonly render: RenderPrompt
  private readonly conventions: Conventions
  private readonly thinking: boolean | undefined
  private readonly variables: Readonly<Record<string, unknown>>
  /** The conversation before the answer, and the same as the prompt of a request. */
  private readonly before: string
  private readonly prompt: string
  /** What stands before and behind every answer. */
  readonly header: string
  readonly footer: string

  constructor(render: RenderPrompt, conventions: Conventions, thinking: boolean | undefined) {
    this.render = render
    this.conventions = conventions
    this.thinking = thinking
    this.variables = {
      tools: PROBE_TOOLS.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      })),
      ...(thinking !== undefined && {
        enable_thinking: thinking,
        thinking,
        thinking_mode: thinking ? 'enabled' : 'disabled',
      }),
    }
    this.before = this.rendered([USER])
    this.prompt = this.rendered([USER], true)
    const conversation = this.rendered([USER, this.message(PLAIN)])
    const plain = conversation.slice(this.sharedWith(conversation))
    const at = plain.indexOf(SPOKEN)
    this.header = at === -1 ? '' : this.beginningOfTurns(plain.slice(0, at))
    this.footer = at === -1 ? '' : this.endOfTurns(plain.slice(at + SPOKEN.length))
  }

  /** Of what stands before text, what stands before calls, too: the rest are markers around text. */
  private beginningOfTurns(beforeText: string): string {
    const call = this.writtenCall()
    if (call === undefined) return beforeText
    const turn = call.slice(this.sharedWith(call))
    return beforeText.slice(0, snapped(beforeText, commonPrefix(beforeText, turn)))
  }

  /** Of what stands behind text, the last marker if it stands behind calls, too; otherwise all of it. */
  private endOfTurns(behindText: string): string {
    const [last] = /(?:<[^<>\s]+>|\[\/?[A-Z_]+\])\s*$/.exec(behindText) ?? []
    return last !== undefined && this.writtenCall()?.endsWith(last) ? last : behindText
  }

  /** The marker that ends every turn; undefined where calls and text end differently. */
  get endOfTurn(): string | undefined {
    const marker = this.footer.trim()
    const isMarker = marker !== '' && !/\s/.test(marker)
    return isMarker && this.writtenCall()?.trimEnd().endsWith(marker) ? marker : undefined
  }

  private writtenCall(): string | undefined {
    try {
      return this.rendered([USER, this.message(ONE_CALL)])
    } catch {
      return undefined
    }
  }

  /** The same, but that all calls of a tool have the same id. */
  withSameIds(): TurnWriter {
    const conventions = { ...this.conventions, id: (toolName: string) => this.idOf(toolName) }
    return new TurnWriter(this.render, conventions, this.thinking)
  }

  /** The id of a call in a message. */
  idOf(toolName: string, position = 0): string {
    return this.conventions.id(toolName, position)
  }

  /** What the prompt of a request has behind the conversation: the header, and reasoning that it opens. */
  get opened(): string {
    return this.prompt.slice(snapped(this.prompt, commonPrefix(this.before, this.prompt)))
  }

  write(probe: Probe): WrittenTurn | UnwrittenTurn {
    const fields = probe.reasoning === undefined ? REASONING_FIELDS.slice(0, 1) : REASONING_FIELDS
    const turns = fields.map((field) => this.writeWith(probe, field))
    return turns.find(isWritten) ?? turns[0]!
  }

  private writeWith(probe: Probe, reasoningField: string): WrittenTurn | UnwrittenTurn {
    let full: string
    try {
      full = this.rendered([USER, this.message(probe, reasoningField)])
    } catch (error) {
      if (error instanceof TemplateLimitError) throw error
      return { probe, why: `the template refuses it: ${messageOf(error)}` }
    }
    const whole = this.withoutFooter(full.slice(this.sharedWith(full)))
    const missing = needlesOf(probe).find((needle) => !whole.includes(needle))
    if (missing !== undefined) return { probe, why: `the template leaves out '${missing}'` }
    if (full.startsWith(this.prompt))
      return {
        probe,
        responses: [this.withoutFooter(full.slice(this.prompt.length))],
        isBehindPrompt: true,
        whole,
      }
    const cuts = bordersBefore(whole, commonPrefix(this.header, whole)).map((at) => whole.slice(at))
    return { probe, responses: [cuts[0] ?? whole, ...cuts.slice(1)], isBehindPrompt: false, whole }
  }

  private rendered(messages: readonly TemplateMessage[], add_generation_prompt = false): string {
    return this.render(messages, { ...this.variables, add_generation_prompt })
  }

  /** How much of a rendered conversation stands before the answer. */
  private sharedWith(full: string): number {
    return snapped(full, commonPrefix(this.before, full))
  }

  private withoutFooter(turn: string): string {
    const { footer } = this
    return footer.trim() !== '' && turn.endsWith(footer) ? turn.slice(0, -footer.length) : turn
  }

  private message({ text, reasoning, calls = [] }: Probe, reasoningField = ''): TemplateMessage {
    const { conventions } = this
    const written = calls.map(({ toolName, input }, position) => ({
      id: conventions.id(toolName, position),
      type: 'function',
      function: {
        name: toolName,
        arguments: conventions.arguments === 'object' ? input : JSON.stringify(input),
      },
    }))
    return {
      role: 'assistant',
      content: text ?? conventions.noText,
      ...(reasoning !== undefined && { [reasoningField]: reasoning }),
      ...(written.length > 0 && { tool_calls: written }),
    }
  }
}

const USER: TemplateMessage = { role: 'user', content: 'Hello.' }

export function isWritten(turn: WrittenTurn | UnwrittenTurn): turn is WrittenTurn {
  return 'whole' in turn
}

/** The length of what two texts begin with. */
export function commonPrefix(first: string, second: string): number {
  let at = 0
  while (at < first.length && first[at] === second[at]) at++
  return at
}

/**
 * A place in a text that is not inside a marker or a word: the place itself, or the beginning of what it is in.
 *
 *     <|im_start|>assistant⏎<t|hink>        moves before `<think>`
 */
export function snapped(text: string, at: number): number {
  if (at >= text.length) return at
  for (const { index, 0: marker } of text.matchAll(MARKERS))
    if (index < at && at < index + marker.length) return index
  return at
}

/** All such places up to one, the last first. */
function bordersBefore(text: string, at: number): number[] {
  const last = snapped(text, at)
  const borders = [...text.matchAll(MARKERS)].map(({ index }) => index).filter((index) => index < last)
  return [...new Set([last, ...borders.reverse(), 0])]
}

/** `<think>`, `<|call|>`, `[TOOL_CALLS]`, `</s>`, and words. */
const MARKERS = /<[^<>\s]+>|\[\/?[A-Z_]+\]|\w+/g
