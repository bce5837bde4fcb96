/**
 * Writes a message the way a dialect would: past turns and tool results in a prompt.
 *
 * What was written is read again before it is handed out. A message that would not come back the same (a
 * closer inside an argument, in a format that cannot escape it) is refused instead of being sent wrong.
 */

import { SluiceError } from '../base/errors.ts'
import type { JsonValue } from '../base/event.ts'
import { DEFAULT_LIMITS } from '../base/limits.ts'
import { checkOption, checkOptions, type KnownOptions, shown } from '../base/options.ts'
import type { CallPart, Part, ResultPart } from '../base/part.ts'
import { Path } from '../base/path.ts'
import { parseWritten, writeJson } from '../values/numbers/written.ts'
import { canonical } from '../values/schema/canonical.ts'
import { escapeText } from '../values/xml/entities.ts'
import { createToolTable, type ToolDefinitions, UNKNOWN_TOOL } from './calls/tools.ts'
import { argumentsOf } from './calls/values.ts'
import { writtenInput } from './calls/written-input.ts'
import { parse } from './message.ts'
import { namesCall } from './wire/call-layout.ts'
import type { Dialect } from './wire/dialect.ts'
import type { Node, Template, ToolOnTheWire } from './wire/template.ts'

/** Options of `render`. */
export interface RenderOptions {
  readonly dialect: Dialect
  readonly tools?: ToolDefinitions
  /**
   * What becomes of a call that failed, or that is not certain: it is refused, or its `raw` source is written, which is
   * read as no call that may run.
   */
  readonly malformed?: 'refuse' | 'raw'
}

const OPTIONS: KnownOptions<RenderOptions> = {
  dialect: 'any',
  tools: 'any',
  malformed: ['refuse', 'raw'],
}

/**
 * The parts of a message as the dialect writes them: those that `parse` gave, or parts written by hand.
 *
 *     render([{ type: 'call', toolName: 'ls', input: {} }], { dialect: hermes })
 *     // '<tool_call>\n{"name":"ls","arguments":{}}\n</tool_call>'
 *
 * It refuses what it cannot write as it was meant: custom parts, and calls that are not whole or had to be guessed.
 */
export function render(parts: readonly Part[], options: RenderOptions): string {
  checkOption('parts', parts, 'list')
  checkOptions(options, OPTIONS)
  if (!Array.isArray(options.dialect?.calls))
    throw new SluiceError(
      'invalid-option',
      "'dialect' takes one dialect, such as hermes from 'sluice/dialects'; it says how calls are written.",
    )
  parts.forEach(checkPart)
  const writable = parts.flatMap((part, index) => writableOf(part, index, options))
  const written = renderParts(writable, options)
  check(written, writable, options)
  return written
}

/** The source of a call that failed, to be written as it is. */
interface SourcePart {
  readonly type: 'source'
  readonly text: string
}

type WritablePart = Exclude<Part, { type: 'custom' }> | SourcePart

/** Reasoning that is empty was only signed, and a signature is its provider's. */
function writableOf(part: Part, index: number, { dialect, malformed }: RenderOptions): WritablePart[] {
  if (part.type === 'custom')
    throw unrepresentable(
      dialect,
      `part ${index + 1} is custom ('${part.kind}'), and no dialect has a form for it; leave it out`,
    )
  if (part.type === 'reasoning' && part.text === '' && part.metadata !== undefined) return []
  if (part.type !== 'call') return [part]
  const flaw = flawOf(part)
  if (flaw === undefined) return [part]
  if (malformed === 'raw' && part.raw) return [{ type: 'source', text: part.raw }]
  const advice =
    malformed === 'raw'
      ? 'its source was not kept; leave it out'
      : "leave it out, or write its source with malformed: 'raw'"
  throw unrepresentable(
    dialect,
    `the call of '${part.toolName}' (part ${index + 1}) ${flaw} and would look complete if it were written; ${advice}`,
  )
}

/** Why a call is not what it would be taken for. A call of an unknown tool was read well, and so is one by hand. */
function flawOf({ state, status, repairs = [], error }: CallPart): string | undefined {
  if (state === 'streaming') return 'still grows'
  if (status === 'truncated') return 'was cut off'
  if (status === 'invalid' && error?.code !== UNKNOWN_TOOL) return 'is invalid'
  return repairs.some((repair) => repair.class !== 'lossless') ? 'had to be guessed' : undefined
}

/** What a part must have, by its type. */
const FIELDS: Readonly<Record<string, string>> = {
  text: 'text',
  reasoning: 'text',
  call: 'toolName',
  result: 'content',
  custom: 'kind',
}

function checkPart(part: Part, index: number): void {
  const fields = Object(part) as { readonly [field: string]: unknown }
  const field = FIELDS[String(fields.type)]
  if (field === undefined)
    throw new SluiceError(
      'invalid-option',
      `A part of a message is text, reasoning, call, result or custom, not ${shown(fields.type)}.`,
    )
  if (typeof fields[field] !== 'string')
    throw new SluiceError(
      'invalid-option',
      `'${field}' of part ${index + 1} is a string, not ${shown(fields[field])}.`,
    )
  if (fields.type === 'call') checkOption(`repairs of part ${index + 1}`, fields.repairs ?? [], 'list')
}

function renderParts(parts: readonly WritablePart[], options: RenderOptions): string {
  let written = ''
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!
    if (part.type === 'text' || part.type === 'source') written += part.text
    else if (part.type === 'reasoning') written += renderReasoning(part.text, options.dialect)
    else if (part.type === 'call') {
      const group = calls(parts, index)
      index += group.length - 1
      written += renderCalls(group, options)
    } else {
      const group = results(parts, index)
      index += group.length - 1
      written += renderResults(group, options)
    }
  }
  return written
}

const calls = (parts: readonly WritablePart[], from: number): CallPart[] => run(parts, from, 'call')
const results = (parts: readonly WritablePart[], from: number): ResultPart[] => run(parts, from, 'result')

function run<T extends WritablePart['type']>(
  parts: readonly WritablePart[],
  from: number,
  type: T,
): (WritablePart & { type: T })[] {
  let to = from
  while (parts[to]?.type === type) to++
  return parts.slice(from, to) as (WritablePart & { type: T })[]
}

function renderReasoning(text: string, dialect: Dialect): string {
  const [template] = dialect.reasoning
  if (template === undefined) throw unrepresentable(dialect, 'it has no reasoning')
  return writeAll(template.nodes, [{ text }])
}

/** Calls as the dialect writes them, not read again: for prompts, where only the model reads them. */
export function renderCalls(group: readonly RenderedCall[], options: RenderOptions): string {
  if (group.every(({ inputText }) => inputText === undefined)) return renderPlain(group, options)
  // Every dialect writes an integer with its digits alone, so that 1.0 can be put in the place of one.
  const others = JSON.stringify(group)
  let prefix = FIRST_STAND_IN
  while (others.includes(String(prefix))) prefix++
  const lexemes: string[] = []
  const standIn = (lexeme: string): number => prefix * MOST_STAND_INS + lexemes.push(lexeme) - 1
  const calls = group.map((call) => ({
    ...call,
    input: JSON.parse(writeJson(writtenInput(call), standIn)) as JsonValue,
  }))
  const digits = new RegExp(`(?<!\\d)${prefix}(\\d{${String(MOST_STAND_INS).length - 1}})(?!\\d)`, 'g')
  return renderPlain(calls, options).replace(digits, (_, number) => lexemes[Number(number)]!)
}

type RenderedCall = Pick<CallPart, 'id' | 'toolName' | 'input' | 'inputText'>

/** A prefix and a number, with fifteen digits together: a JavaScript number keeps all of them. */
const FIRST_STAND_IN = 700_000_000
const MOST_STAND_INS = 1_000_000

function renderPlain(group: readonly RenderedCall[], { dialect, tools: definitions }: RenderOptions): string {
  const tools = createToolTable(definitions)
  const template: Template | undefined = dialect.calls[0] ?? dialect.weakCalls[0] ?? dialect.looseCalls[0]
  if (template === undefined) throw unrepresentable(dialect, 'it has no calls')
  const { nodes } = template
  const scopes = group.map(({ id = '', toolName, input }, position): Scope => {
    checkInput(toolName, input, dialect)
    const tool = tools.get(toolName)
    const scope = { call: { id, toolName, input, position }, tool, dialect }
    const apart = ownKeys(nodes, scope)
    const rest = argumentsOf(input).filter(([key]) => !apart.includes(key))
    return { ...scope, rest: apart.length === 0 ? input : Object.fromEntries(rest) }
  })
  if (nodes.some(isSection)) return writeAll(nodes, [{ each: scopes, dialect }])
  return writeAll(nodes, scopes, '\n')
}

/** Refuses what JSON would write as something else, and what is nested too deeply to be read. No recursion. */
function checkInput(toolName: string, input: JsonValue, dialect: Dialect): void {
  const waiting: [value: unknown, path: Path][] = [[input, Path.root]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, path] = next
    const isValue = typeof value !== 'number' || Number.isFinite(value)
    if (!isValue || typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol')
      throw unrepresentable(
        dialect,
        `${placeOf(path, toolName)} is ${String(value)}, which JSON cannot represent`,
      )
    if (typeof value !== 'object' || value === null) continue
    if (path.depth >= DEFAULT_LIMITS.depth)
      throw unrepresentable(
        dialect,
        `${placeOf(path, toolName)} is nested deeper than ${DEFAULT_LIMITS.depth} levels`,
      )
    for (const [key, inner] of Object.entries(value))
      waiting.push([inner, path.child(Array.isArray(value) ? Number(key) : key)])
  }
}

function placeOf({ pointer }: Path, toolName: string): string {
  // The pointer to something that is nested too deeply is too long to be shown.
  const place = pointer.length > 60 ? `${pointer.slice(0, 60)}…` : pointer
  return `${place === '' ? 'the input' : `the argument ${place}`} of '${toolName}'`
}

/** The same for results. What they hold is made harmless, as the dialect declares. */
export function renderResults(group: readonly Omit<ResultPart, 'type'>[], options: RenderOptions): string {
  const { dialect } = options
  return writeResults(
    group.map((result) => ({ ...result, content: neutralised(result.content, dialect) })),
    options,
  )
}

/** Results that are harmless already. */
export function writeResults(group: readonly Omit<ResultPart, 'type'>[], { dialect }: RenderOptions): string {
  if (dialect.result === undefined) throw unrepresentable(dialect, 'it has no results')
  const { nodes } = dialect.result
  const scopes = group.map((result): Scope => ({ text: result.content, result, dialect }))
  return writeAll(nodes, nodes.some((node) => node.kind === 'each') ? [{ each: scopes, dialect }] : scopes)
}

/** A tool's output with everything that could be taken for markup made harmless. */
export function neutralised(content: string, dialect: Dialect): string {
  let result = content
  for (const [from, to] of Object.entries(dialect.neutralise)) result = result.replaceAll(from, to)
  return result
}

// ── writing a template ───────────────────────────────────────────────────────────────────────────

/** What the placeholders stand for. */
interface Scope {
  readonly call?: {
    readonly id: string
    readonly toolName: string
    readonly input: JsonValue
    readonly position: number
  }
  readonly result?: Omit<ResultPart, 'type'>
  readonly text?: string
  readonly argument?: readonly [key: string, value: JsonValue]
  /** The arguments without those that a part of the template takes by their key. */
  readonly rest?: JsonValue
  /** The calls or results of a section. */
  readonly each?: readonly Scope[]
  readonly tool?: ToolOnTheWire | undefined
  readonly dialect?: Dialect
  /** What is written need not be: it is left out if there is nothing for one of its parts. */
  readonly isOptional?: boolean
}

function writeAll(nodes: readonly Node[], scopes: readonly Scope[], separator = ''): string {
  return scopes.map((scope) => write(nodes, scope)).join(separator)
}

function write(nodes: readonly Node[], scope: Scope): string | undefined {
  let written = ''
  for (const node of nodes) {
    const piece = writeNode(node, scope)
    if (piece === undefined && scope.isOptional) return undefined
    written += piece ?? ''
  }
  return written
}

/** Undefined where there is nothing to write. */
function writeNode(node: Node, scope: Scope): string | undefined {
  const { call, argument, rest } = scope
  switch (node.kind) {
    case 'literal':
      return node.forms[0]!.slice(0, node.back && -node.back)
    case 'space':
      return node.written
    case 'newline':
      return '\n'
    case 'word':
      return node.split ? idWithName(call!, node.split) : wordOf(node.role, scope)
    case 'value': {
      const ownKey = ownKeyOf(node, scope)
      const value = ownKey === undefined ? argument?.[1] : new Map(argumentsOf(call?.input)).get(ownKey)
      const text = value === undefined || typeof value === 'string' ? value : JSON.stringify(value)
      return text && node.options.entities ? escapeText(text) : text
    }
    case 'text':
      return scope.text
    case 'skip':
      return undefined
    case 'reader':
      if (call === undefined || (scope.isOptional && argumentsOf(rest).length === 0)) return undefined
      return node.type.render({ ...call, input: rest! })
    case 'each': {
      const scopes =
        scope.each === undefined
          ? argumentsOf(rest).map((argument): Scope => ({ ...scope, argument }))
          : node.body.some(isSection)
            ? [scope]
            : scope.each
      return scopes[0] && writeAll(node.body, scopes, write(node.separator, scope))
    }
    case 'optional':
      return write(node.body, { ...scope, isOptional: true }) ?? ''
    case 'closer':
    case 'wrapper':
      return write(node.body, scope)
    case 'extra':
    case 'again':
    case 'reported':
    case 'unnamed':
      return ''
    case 'either':
      return write(node.choices[scope.result?.isError && node.choices.length > 1 ? 1 : 0]!, scope)
    case 'tag': {
      const word = (role: string, isOptional?: true) =>
        wordOf(role, isOptional ? { ...scope, isOptional } : scope)
      return node.type.render({ ...call!, input: rest!, word, argument })
    }
    case 'per-tool':
      return write(madeFor(node, scope), scope)
  }
}

/** Whole calls that are repeated. */
function isSection(node: Node): boolean {
  return node.kind === 'each' && namesCall(node.body)
}

/** The template for the tool that is called. */
function madeFor(node: Node & { kind: 'per-tool' }, { call, tool, dialect }: Scope): readonly Node[] {
  if (tool !== undefined) return node.make(tool).nodes
  throw unrepresentable(dialect, `it writes only tools that are given, and '${call?.toolName}' is not`)
}

/** A name, an id or a key. No id is made up: what answers the call has to name the same. */
function wordOf(role: string, scope: Scope): string | undefined {
  const { call, result, argument, dialect, isOptional } = scope
  if (role === 'key') return argument?.[0]
  const part = call ?? result
  const word = role === 'name' ? part?.toolName : part?.id
  if (part && !word && !isOptional)
    throw unrepresentable(dialect, `the ${role} of a ${call ? 'call' : 'result'} is missing`)
  return word || undefined
}

/** The argument that a value is, where no key on the wire says so. */
function ownKeyOf({ options }: Node & { kind: 'value' }, { tool }: Scope): string | undefined {
  return options.body ? tool?.streams : options.key
}

/** The keys of all such values. */
function ownKeys(nodes: readonly Node[], scope: Scope): (string | undefined)[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'value') return ownKeyOf(node, scope)
    if (node.kind === 'per-tool') return ownKeys(madeFor(node, scope), scope)
    if (node.kind === 'either') return ownKeys(node.choices[0]!, scope)
    return 'body' in node ? ownKeys(node.body, scope) : []
  })
}

function idWithName(
  call: { id: string; toolName: string; position: number },
  { prefix, suffix }: { prefix: string; suffix: string },
): string {
  return call.id.startsWith(prefix) && call.id.includes(call.toolName)
    ? call.id
    : `${prefix}${call.toolName}${suffix}${call.position}`
}

// ── does it come back? ───────────────────────────────────────────────────────────────────────────

function check(written: string, parts: readonly WritablePart[], { dialect, tools }: RenderOptions): void {
  const read = parse(written, { dialect, tools: tools ?? [] }).parts
  const got = comparable(read.map(asWritten))
  if (comparable(parts) === got) return
  // The source of a call may be of another dialect, or the arguments of a native call: then it is text here.
  const inText = parts.map(
    (part): WritablePart => (part.type === 'source' ? { ...part, type: 'text' } : part),
  )
  if (comparable(inText) === got) return
  throw unrepresentable(dialect, `it would be read as ${got}${adviceOnText(parts, read)}`)
}

/** What helps if an argument comes back as text and is none: only a schema or the dialect can tell. */
function adviceOnText(parts: readonly WritablePart[], read: readonly Part[]): string {
  const found = read.filter((part) => part.type === 'call')
  for (const part of parts) {
    if (part.type !== 'call') continue
    const got = new Map(argumentsOf(found.shift()?.input))
    for (const [key, value] of argumentsOf(part.input))
      if (typeof value !== 'string' && typeof got.get(key) === 'string')
        return `; the argument '${key}' would come back as text: pass 'tools' with a schema for it, or declare untyped: 'json' in the dialect`
  }
  return ''
}

/** What was read, as it must have been written. */
function asWritten(part: Part): WritablePart {
  if (part.type === 'custom') return { type: 'text', text: '' }
  if (part.type !== 'call') return part
  const { status, repairs = [], error, raw } = part
  // A past call may be of a tool that is not offered any more.
  const isRead = status === 'complete' || (error?.code === UNKNOWN_TOOL && repairs.length === 0)
  if (isRead) return part
  return raw === undefined
    ? { ...part, toolName: `${part.toolName} (${status})` }
    : { type: 'source', text: raw }
}

/** Parts as text: neighbours of the same kind joined, empty text left out, ids and a result's content aside. */
function comparable(parts: readonly WritablePart[]): string {
  const seen: unknown[] = []
  for (const part of parts) {
    const last = seen.at(-1) as { type: string; text: string } | undefined
    if (part.type === 'call') {
      // Keys in one order, because some formats cannot keep the order they were given in.
      const input = canonical(writtenInput(part), Infinity, 'written')
      seen.push({ type: 'call', toolName: part.toolName, input: input && parseWritten(input) })
    } else if (part.type === 'result') seen.push({ type: 'result' })
    else if (part.type === 'text' && last?.type === 'text') last.text += part.text
    else if (part.type !== 'text' || part.text !== '') seen.push({ type: part.type, text: part.text })
  }
  return writeJson(seen)
}

function unrepresentable(dialect: Dialect | undefined, why: string): SluiceError {
  return new SluiceError(
    'unrepresentable',
    `The dialect '${dialect?.name}' cannot write this message: ${why}.`,
  )
}
