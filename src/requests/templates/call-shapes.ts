/**
 * How a call is built, found by the words of a sample in it:
 *
 *     {"name": "find_quince", "arguments": {…}}              a JSON object
 *     find_quince<|args|>{"orchard": "Hesperia", …}          a name, then JSON
 *     find_quince(orchard="Hesperia", baskets=73)            a literal
 *     find_quince<key>orchard</key><value>Hesperia</value>   a key, then its value
 *     <find_quince><orchard>Hesperia</orchard>…              elements
 *
 * Each shape is only a guess: it counts if the dialect that is made with it reads what the template writes.
 */

import type { JsonValue } from '../../base/event.ts'
import { isFields } from '../../base/fields.ts'
import {
  args,
  closer,
  each,
  elements,
  id,
  idWithName,
  key,
  list,
  literalCall,
  name,
  newline,
  object,
  optional,
  perTool,
  pythonCall,
  tag,
  value,
} from '../../engine/wire/index.ts'
import { listFrame } from '../grammar/list-frame.ts'
import { type CallSamples, inFrame, SAMPLE, unlessUnlike } from './call-samples.ts'
import { markup, markupBefore, markupBehind, type Part, templateOf } from './markup.ts'

const INPUT = { orchard: SAMPLE.orchard, baskets: SAMPLE.baskets }

/** The parts of one call, by each of the shapes that it may have. */
export function callShapes(samples: CallSamples): Part[][] {
  const call = samples.one(INPUT)
  if (call === undefined) return []
  return [jsonShape, literalShape, keyShape, elementShape]
    .map((shape) => shape(call, samples))
    .filter((parts) => parts !== undefined)
}

// ── JSON ─────────────────────────────────────────────────────────────────────────────────────────

function jsonShape(call: string, { id: callId }: CallSamples): Part[] | undefined {
  const found = jsonIn(call)
  if (found === undefined) return undefined
  const { before, value, behind } = found
  if (isSame(value, INPUT)) {
    const header = headerParts(before, callId, markupBefore)
    return header && [...header, args, ...closing(behind)]
  }
  const keys = objectKeys(value, callId)
  return keys && [...markupBefore(before), object(keys), ...closing(behind)]
}

interface FoundJson {
  readonly before: string
  readonly value: Readonly<Record<string, unknown>>
  readonly behind: string
}

/** The first JSON object in a text. */
export function jsonIn(text: string): FoundJson | undefined {
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', start + 1))
    for (let end = text.lastIndexOf('}'); end > start; end = text.lastIndexOf('}', end - 1))
      try {
        const value: unknown = JSON.parse(text.slice(start, end + 1))
        if (isFields(value)) return { before: text.slice(0, start), value, behind: text.slice(end + 1) }
      } catch {
        // It ends elsewhere.
      }
  return undefined
}

/** Which keys of the object hold what. */
function objectKeys(
  value: Readonly<Record<string, unknown>>,
  callId: string,
  within?: string,
): Parameters<typeof object>[0] | undefined {
  if (isSame(value, { [SAMPLE.toolName]: INPUT })) return { nameAsKey: true }
  const fields = Object.entries(value)
  const keyOf = (test: (field: unknown) => boolean) => fields.find(([, field]) => test(field))?.[0]
  const nameKey = keyOf((field) => field === SAMPLE.toolName)
  const argumentsKey = keyOf((field) => isSame(field, INPUT) || isSame(parsed(field), INPUT))
  const idKey = keyOf((field) => field === callId || /^\d+$/.test(String(field)))
  if (nameKey !== undefined && argumentsKey !== undefined) {
    const others = Object.keys(value).filter((one) => ![nameKey, argumentsKey, idKey].includes(one))
    return {
      name: [nameKey],
      arguments: [argumentsKey],
      ...(idKey !== undefined && { id: [idKey] }),
      ...(others.length > 0 && { ignore: others }),
      ...(within !== undefined && { within: [within] }),
    }
  }
  const inner = within === undefined ? fields.find(([, field]) => isFields(field)) : undefined
  const keys = inner && objectKeys(inner[1] as Readonly<Record<string, unknown>>, callId, inner[0])
  if (keys === undefined || 'nameAsKey' in keys) return undefined
  const beside = Object.keys(value).filter((one) => one !== inner![0] && one !== idKey)
  return {
    ...keys,
    ...(idKey !== undefined && { id: [idKey] }),
    ...(beside.length > 0 && { ignore: [...(keys.ignore ?? []), ...beside] }),
  }
}

function parsed(field: unknown): unknown {
  if (typeof field !== 'string') return undefined
  try {
    return JSON.parse(field) as unknown
  } catch {
    return undefined
  }
}

/** The same keys and values in the same order, which is the one that they were given in. */
function isSame(first: unknown, second: JsonValue): boolean {
  return JSON.stringify(first) === JSON.stringify(second)
}

// ── literals ─────────────────────────────────────────────────────────────────────────────────────

const LITERAL = new RegExp(
  `^(.*?)${SAMPLE.toolName}(\\W)\\s*orchard([:=])\\s*(\\S*?)${SAMPLE.orchard}(\\S*?),\\s*baskets[:=]\\s*${SAMPLE.baskets}\\s*(\\W)(.*)$`,
  's',
)

function literalShape(call: string): Part[] | undefined {
  const [, before = '', open = '', separator = '', quote = '', unquote = '', close = '', behind = ''] =
    LITERAL.exec(call) ?? []
  if (open === '' || quote === '' || quote !== unquote) return undefined
  const isPython = open === '(' && separator === '=' && close === ')'
  const end = behind.trim()
  const syntax = {
    ...{ open, close, separator },
    ...(quote !== '"' && quote !== "'" && { quote }),
    ...(end !== '' && { end }),
  }
  const node = isPython ? pythonCall : literalCall('literalCall', syntax)
  return [...markup(before), node, ...closing(behind)]
}

// ── keys and values ──────────────────────────────────────────────────────────────────────────────

/** A call with its arguments one by one: what stands before them, between them and behind them, and one of each type. */
interface WrittenArguments {
  readonly before: string
  readonly between: string
  readonly behind: string
  readonly text: string
  readonly number: string
}

function argumentsOf(call: string, samples: CallSamples): WrittenArguments | undefined {
  const { orchard, baskets } = INPUT
  const [first, second] = [samples.one({ orchard }), samples.one({ baskets })]
  if (first === undefined || second === undefined) return undefined
  const frame = unlessUnlike(() => listFrame(first, second, call))
  const [text, number] = [frame && inFrame(frame, first), frame && inFrame(frame, second)]
  if (frame === undefined || text === undefined || number === undefined) return undefined
  return { ...frame, text, number }
}

function keyShape(call: string, samples: CallSamples): Part[] | undefined {
  const written = argumentsOf(call, samples)
  const header = written && headerParts(written.before.trimEnd(), samples.id, markup)
  if (written === undefined || header === undefined) return undefined
  const { before, between, behind } = written
  const separator = between.trim()
  const lead = separator === '' ? between || before.slice(before.trimEnd().length) : ''
  const parts = plainEntry(written, lead) ?? typedEntry(written, lead)
  if (parts === undefined) return undefined
  const entries =
    separator === ''
      ? each(templateOf(parts))
      : optional(list(templateOf(parts), templateOf(markupBetween(between))))
  return [...header, entries, ...closing(behind)]
}

/** An argument whose value is written in the same way whatever its type is. `lead`: white space before it. */
function plainEntry({ text, number }: WrittenArguments, lead: string): Part[] | undefined {
  const entry = entryParts(text, 'orchard', SAMPLE.orchard)
  const other = entryParts(number, 'baskets', String(SAMPLE.baskets))
  if (entry === undefined || JSON.stringify(entry) !== JSON.stringify(other)) return undefined
  const [beforeKey, betweenBoth, behindValue] = entry
  const hasLines = betweenBoth.endsWith('\n') && behindValue.startsWith('\n')
  return [
    ...markupBehind(lead + beforeKey),
    key,
    ...markup(hasLines ? betweenBoth.slice(0, -1) : betweenBoth),
    ...(hasLines ? [newline, value, newline] : [value]),
    ...markup(hasLines ? behindValue.slice(1) : behindValue),
  ]
}

const TYPED = /^\s*<([^\s<>"]+) ([\w-]+)="\w+" ([\w-]+)="(\w+)">(\w+)<\/\1>\s*$/

/** The tag of an argument says whether its value is a string: `<arg name="orchard" string="true">Hesperia</arg>`. */
function typedEntry({ text, number }: WrittenArguments, lead: string): Part[] | undefined {
  const [, element = '', keyAttribute = '', attribute = '', ofText] = TYPED.exec(text) ?? []
  const [, , , , ofNumber] = TYPED.exec(number) ?? []
  if (ofText !== 'true' || ofNumber !== 'false') return undefined
  const roles = { [keyAttribute]: 'key', [attribute]: 'is-string' } as const
  return [...markupBehind(lead), tag(element, roles, { optional: [attribute] }), value, `</${element}>`]
}

function markupBetween(text: string): Part[] {
  return markupBehind(text).concat(markupBefore(''))
}

/** What stands before the key, between key and value, and behind the value. */
function entryParts(entry: string, ofKey: string, ofValue: string): [string, string, string] | undefined {
  const [before, rest, ...more] = entry.split(ofKey)
  const [between, behind, ...others] = rest?.split(ofValue) ?? []
  if (before === undefined || between === undefined || behind === undefined) return undefined
  return more.length + others.length === 0 && between !== '' && behind !== ''
    ? [before, between, behind]
    : undefined
}

/** The name of an argument opens and closes it. */
function elementShape(call: string, samples: CallSamples): Part[] | undefined {
  const written = argumentsOf(call, samples)
  if (written === undefined) return undefined
  const { before, behind, text } = written
  const [, prefix = ''] = /^\s*(\S*?)<orchard>/.exec(text) ?? []
  if (text.trim() !== `${prefix}<orchard>${SAMPLE.orchard}${prefix}</orchard>`) return undefined
  const end = behind.trim()
  const [closeTag = '', element = ''] = new RegExp(`^${escaped(prefix)}</([^<>\\s]+)>`).exec(end) ?? []
  if (element === '') return undefined
  const options = { ...(prefix !== '' && { prefix }), once: true }
  const rest = closing(end.slice(closeTag.length))
  if (element !== SAMPLE.toolName) {
    const header = headerParts(before, samples.id, markup)
    return header && [...header, elements(element, options), ...rest]
  }
  const [start = '', then, ...more] = before.split(SAMPLE.toolName)
  if (then === undefined || more.length > 0) return undefined
  const perName = perTool((tool) =>
    templateOf([...markup(start), `${tool.name}${then.trimEnd()}`, elements(tool.name, options)]),
  )
  return [perName, ...rest]
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

// ── what stands around ───────────────────────────────────────────────────────────────────────────

/** A number that counts calls, behind the name: `functions.find_quince:0`. */
const COUNTED = new RegExp(`(\\w+\\.)?${SAMPLE.toolName}([^\\w\\s<>]+)\\d`)

/** The parts of a header that holds the name and may hold the id. `rest`: how what is behind the last of them is read. */
function headerParts(header: string, callId: string, rest: (text: string) => Part[]): Part[] | undefined {
  const counted = COUNTED.exec(header)
  if (counted !== null) {
    const [whole, prefix = '', suffix = ''] = counted
    const behind = header.slice(counted.index + whole.length)
    return [...markup(header.slice(0, counted.index)), idWithName(prefix, suffix), ...rest(behind)]
  }
  // Some formats say the name twice. The parser wants it to be the same in both places.
  const pieces = header.split(SAMPLE.toolName)
  if (pieces.length < 2 || pieces.length > 3) return undefined
  const parts: Part[] = []
  for (const [index, piece] of pieces.entries()) {
    const read = index === pieces.length - 1 ? rest : markup
    const [before = '', behind, ...more] = piece.split(callId)
    if (index > 0) parts.push(name)
    if (more.length > 0) return undefined
    if (behind === undefined) parts.push(...read(piece))
    else if (index === 0) parts.push(...markup(before), id, ...read(behind))
    // Behind the name, a marker says that an id follows, and a call may have none.
    else parts.push(optional(templateOf([...markup(before), id])), ...read(behind))
  }
  return parts
}

const BRACKETS = ['[]', '{}', '()']

/** What ends a call, or all of them: a bracket that `before` has opened, and a marker, which models forget. */
export function closing(behind: string, before = ''): Part[] {
  const isClosed = BRACKETS.some(
    ([open, close]) => before.trimEnd().endsWith(open!) && behind.trimStart()[0] === close,
  )
  const bracketEnd = isClosed ? behind.length - behind.trimStart().length + 1 : 0
  const [bracket, rest] = [behind.slice(0, bracketEnd), behind.slice(bracketEnd)]
  const end = rest.trim()
  const space = rest.slice(0, rest.length - rest.trimStart().length)
  return [
    ...(isClosed ? markupBehind(bracket) : []),
    ...(end === '' ? [] : [...markupBehind(space), closer(templateOf(markup(end)))]),
  ]
}
