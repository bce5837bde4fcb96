/**
 * The closers behind a call. A verdict comes as soon as it can, and closers may still follow it: that of the call, that
 * of its section.
 *
 *     <tool_call>{"name": "ls", "arguments": {}}|\n</tool_call>
 */

import { isSpace } from '../../base/whitespace.ts'
import type { ParserOptions } from '../../engine/parser.ts'
import type { Node } from '../../engine/wire/template.ts'
import { callForms } from './call-forms.ts'

/** What may close a call, in the order in which it is written: one list for each form of a call. */
export type Closers = readonly (readonly string[])[]

/** `between`: also what separates the calls of a section. */
export function callClosers(options: ParserOptions, between = false): Closers {
  const forms = callForms(options, ({ calls, weakCalls, looseCalls, guessedCalls }) => [
    ...calls,
    ...weakCalls,
    ...looseCalls,
    ...guessedCalls,
  ])
  // What opens the next call belongs to that.
  const openers = new Set(forms.flatMap(openersOf))
  return forms.map((nodes) => closersOf(nodes, between).filter((closer) => !openers.has(closer)))
}

/** What is written first: in the section, and in each of its calls. */
function openersOf(nodes: readonly Node[]): string[] {
  const [first] = nodes.filter(({ kind }) => kind !== 'space')
  const inside = nodes.flatMap((node) => (node.kind === 'each' ? openersOf(node.body) : []))
  return first?.kind === 'literal' ? [first.forms[0]!, ...inside] : inside
}

/** What is written behind the last part with content: in a call first, then in the section that it is in. */
function closersOf(nodes: readonly Node[], between: boolean): string[] {
  let closers: string[] = []
  for (const node of nodes)
    if (node.kind === 'each')
      closers = closersOf(between ? [...node.body, ...node.separator] : node.body, between)
    else if (node.kind === 'literal') closers.push(node.forms[0]!)
    else if (node.kind === 'either' && node.choices[0]!.every(isMarkup))
      closers.push(...closersOf(node.choices[0]!, between))
    else if ('body' in node) closers.push(...closersOf(node.body, between))
    else if (node.kind !== 'space') closers = []
  return closers
}

const isMarkup = ({ kind }: Node): boolean => kind === 'literal' || kind === 'space'

/** Where the closers end that stand at `from`; `from` itself if there are none. */
export function endOfClosers(text: string, from: number, closers: Closers): number {
  return Math.max(from, ...closers.flatMap((form) => ends(text, from, form)))
}

/** Where each of these ends, as far as they stand there: every one of them may be missing. */
function ends(text: string, from: number, form: readonly string[]): number[] {
  const found: number[] = []
  let closed = from
  for (const closer of form) {
    const at = skipSpace(text, closed)
    if (!text.startsWith(closer, at)) continue
    closed = at + closer.length
    found.push(closed)
  }
  return found
}

/**
 * Where the text may go on behind a call: behind its closers, and behind white space that is not text. `next`: what is
 * known of that text. The first few characters may leave more than one place.
 *
 *     }}\n</tool_call>\n|Done.      behind: '\n</tool_call>\nDone.'   next: '\n', and then '\nDone.'
 */
export function placesBehindClosers(behind: string, closers: Closers, next: string): readonly number[] {
  const start = next.slice(0, COMPARED)
  const places = new Set<number>()
  const add = (at: number): void => {
    if (behind.startsWith(start, at)) places.add(at)
  }
  for (const closed of [0, ...closers.flatMap((form) => ends(behind, 0, form))]) {
    const end = skipSpace(behind, closed)
    for (let at = closed; at < Math.min(end, closed + COMPARED); at++) add(at)
    add(end)
  }
  // Behind other markup.
  if (places.size === 0) places.add(Math.max(0, behind.slice(0, SEARCHED).indexOf(start)))
  return [...places]
}

/** How much of the text that follows is looked at. More of the same does not say more, and would take more than linear time. */
export const COMPARED = 64
const SEARCHED = 256

/** The same where no text follows. */
export function endBehindClosers(behind: string, closers: Closers): number {
  return skipSpace(behind, endOfClosers(behind, 0, closers))
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text[at]!)) at++
  return at
}
