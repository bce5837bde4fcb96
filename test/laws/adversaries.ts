/** Texts that someone would write to make a parser slow, or make it hold on to everything. */

import type { JsonValue } from '../../src/base/event.ts'
import { render } from '../../src/engine/render.ts'
import { type LawEntry, TOOLS } from './entries.ts'

export interface Adversary {
  readonly name: string
  /** A text of about `length` characters. */
  make(length: number): string
  /** It has many parts, and each may cost more the more there were before it, which takes a long text to be seen. */
  readonly hasManyParts?: boolean
}

/** All that make sense for the dialect, in its own markup. */
export function adversariesOf(entry: LawEntry): Adversary[] {
  const { markup } = entry
  const [opener] = markup
  const cutMarkers = markup.map(withoutLast).join('')
  return [
    { name: '`<` again and again', make: (length) => fill('<', length) },
    { name: 'openers that are never finished', make: (length) => fill(withoutLast(opener!), length) },
    { name: 'openers without anything in them', make: (length) => fill(opener!, length) },
    // The start of a text is read in another way than the rest.
    { name: 'empty openers behind text', make: (length) => `Look: ${fill(opener!, length)}` },
    { name: 'empty markers behind text', make: (length) => `Look: ${fill(markup.join(''), length)}` },
    { name: 'markers that are never finished', make: (length) => fill(cutMarkers, length) },
    { name: 'markers without anything in them', make: (length) => fill(markup.join(''), length) },
    { name: 'an opener and whitespace', make: (length) => opener + fill(' \n', length) },
    { name: 'a tag that never ends', make: (length) => tagOf(markup) + fill(' a="b"', length) },
    ...inReasoning(entry, cutMarkers),
    ...inText(entry, cutMarkers),
    ...inOtherArguments(entry),
    ...ofManyArguments(entry),
    ...ofManyCalls(entry),
  ]
}

function inReasoning(entry: LawEntry, cutMarkers: string): Adversary[] {
  const around = split(entry, { type: 'reasoning', text: MARK })
  if (around === undefined) return []
  return [{ name: 'reasoning that never ends', make: (length) => around.before + fill(cutMarkers, length) }]
}

/** An argument that is a string, and is never closed. */
function inText(entry: LawEntry, cutMarkers: string): Adversary[] {
  const around = splitCall(entry, 'write_file', { path: 'p', content: MARK })
  if (around === undefined) return []
  const { before, after } = around
  const openTag = before.trimEnd().replace(/(<\|sep\|>|>)$/, '')
  const argument = (what: string, piece: string): Adversary => ({
    name: `an argument of ${what}`,
    make: (length) => before + fill(piece, length),
  })
  return [
    argument('words', 'lorem ipsum '),
    argument('backslashes', '\\'),
    argument('quotes', '"'),
    argument('ampersands', '&'),
    argument('line breaks', '\n'),
    argument('closers that are never finished', withoutLast(after)),
    argument('markers that are never finished', cutMarkers),
    { name: 'a tag that never ends in a call', make: (length) => openTag + fill(' a="b"', length) },
    { name: 'a long argument', make: (length) => before + fill('lorem ipsum ', length) + after },
  ]
}

/** Arguments that are not strings. */
function inOtherArguments(entry: LawEntry): Adversary[] {
  const list = splitCall(entry, 'search', { tags: [MARK] })
  const number = splitCall(entry, 'get_weather', { days: 424242 }, '424242')
  const made: Adversary[] = []
  if (list !== undefined) {
    // Without the quotes, or the element, that the one item of the list stands in.
    const before = list.before.replace(/(<item>|"|<\|"\|>|<escape>|- ?)$/, '')
    const after = list.after.replace(/^(<\/item>|"|<\|"\|>|<escape>)/, '')
    const [open, close] = before.endsWith('[') ? ['[', ']'] : ['<item>', '</item>']
    const nest = (length: number, opener: string, closer: string) =>
      before + fill(opener, length / 2) + fill(closer, length / 2) + after
    made.push(
      { name: 'lists in lists that never end', make: (length) => before + fill(open, length) },
      { name: 'lists in lists', make: (length) => nest(length, open, close) },
      { name: 'brackets in brackets', make: (length) => nest(length, '[', ']') },
      { name: 'objects in objects', make: (length) => before + fill('{"a":', length) + after },
    )
  }
  if (number !== undefined)
    made.push({ name: 'a long number', make: (length) => number.before + fill('9', length) + number.after })
  return made
}

function ofManyArguments(entry: LawEntry): Adversary[] {
  const one = rendered(entry, [{ type: 'call', toolName: 'ping', input: { k1: 'v' } }])
  const two = rendered(entry, [{ type: 'call', toolName: 'ping', input: { k1: 'v', k2: 'v' } }])
  const repeated = one === undefined || two === undefined ? undefined : whatComesAgain(one, two)
  if (repeated === undefined) return []
  const { before, again, after } = repeated
  const argumentsOf = (length: number) =>
    Array.from({ length: Math.ceil(length / again.length) }, (_, index) =>
      again.replaceAll('k2', `k${index + 2}`),
    ).join('')
  return [
    {
      name: 'many arguments',
      make: (length) => before + argumentsOf(length) + after,
      hasManyParts: true,
    },
    {
      name: 'an argument that is repeated',
      make: (length) => before + fill(again, length) + after,
      hasManyParts: true,
    },
  ]
}

function ofManyCalls(entry: LawEntry): Adversary[] {
  const ping = { type: 'call', toolName: 'ping', input: {} } as const
  const one = rendered(entry, [ping])
  if (one === undefined) return []
  const two = rendered(entry, [ping, ping])
  const group = two === undefined ? undefined : whatComesAgain(one, two)
  return [
    { name: 'many calls', make: (length) => fill(`${one}\n`, length), hasManyParts: true },
    {
      name: 'many calls that are never finished',
      make: (length) => fill(withoutLast(one), length),
      hasManyParts: true,
    },
    { name: 'whitespace after a call', make: (length) => one + fill(' \n', length) },
    ...(group === undefined
      ? []
      : [
          {
            name: 'many calls in one section',
            make: (length: number) => group.before + fill(group.again, length) + group.after,
            hasManyParts: true,
          },
        ]),
  ]
}

// ── rendered texts taken apart ───────────────────────────────────────────────────────────────────

const MARK = 'MARKED'

interface Around {
  readonly before: string
  readonly after: string
}

function rendered(entry: LawEntry, parts: Parameters<typeof render>[0]): string | undefined {
  try {
    return render(parts, { dialect: entry.dialect, tools: TOOLS })
  } catch {
    return undefined
  }
}

/** What the dialect writes before and after the mark; nothing where it cannot write the part. */
function split(entry: LawEntry, part: Parameters<typeof render>[0][number], mark = MARK): Around | undefined {
  const text = rendered(entry, [part])
  const at = text?.indexOf(mark) ?? -1
  return text === undefined || at === -1
    ? undefined
    : { before: text.slice(0, at), after: text.slice(at + mark.length) }
}

function splitCall(entry: LawEntry, toolName: string, input: JsonValue, mark?: string): Around | undefined {
  return split(entry, { type: 'call', toolName, input }, mark)
}

/** The piece that the longer of two texts has in addition, and where it stands. */
function whatComesAgain(one: string, two: string): (Around & { readonly again: string }) | undefined {
  let same = 0
  while (same < one.length && one[same] === two[same]) same++
  const after = one.slice(same)
  if (!two.endsWith(after)) return undefined
  return { before: one.slice(0, same), again: two.slice(same, two.length - after.length), after }
}

function tagOf(markup: readonly string[]): string {
  return markup.find((marker) => /^<[^<>|]*$|^<\|[^<>]*>\w+$/.test(marker)) ?? '<invoke'
}

/** The piece again and again, up to a length. */
function fill(piece: string, length: number): string {
  return piece === '' ? '' : piece.repeat(Math.max(1, Math.ceil(length / piece.length)))
}

function withoutLast(text: string): string {
  return text.slice(0, -1)
}
