/**
 * The shape of a call: one name, then arguments in one way, each value with its key. A template of another shape can be
 * compiled, but what it reads is not what its author meant.
 *
 *     <call ${name}>${each`<arg ${key}>${value}</arg>`}</call>     a name, then pairs
 */

import { SluiceError } from '../../base/errors.ts'
import { endOf, isSection } from './call-layout.ts'
import type { ReaderType } from './reader.ts'
import { insideOf, isPerTool, type Node, Template, type ToolOnTheWire } from './template.ts'

/** What was given when a part of the template is reached. There is one for each way there. */
interface Given {
  /** What gave the name. A word may repeat one, as in a closing tag; a reader looks for its own. */
  readonly name: '' | 'word' | 'reader'
  /** A key that has no value yet. */
  readonly key: boolean
  readonly arguments: Way
}

/**
 * How arguments were given: none; some of them by name, others may follow; as keys and values; all of them, in a
 * notation of their own; all of them, as JSON, which is kept apart from the others.
 */
type Way = 'none' | 'some' | 'pairs' | 'all' | 'json'

const ROLES = ['name', 'id', 'key', 'is-string', 'type', 'index']

/** What is wrong with the shape of the calls that this template stands for, or nothing. */
export function problemOfCalls(nodes: readonly Node[], tools: readonly ToolOnTheWire[]): string | undefined {
  try {
    checkCalls(nodes, tools)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

/** The same for reasoning. */
export function problemOfReasoning(nodes: readonly Node[]): string | undefined {
  const kinds = nodes.map(({ kind }) => kind).filter((kind) => kind === 'literal' || kind === 'text')
  const at = kinds.indexOf('text')
  if (at > 0 && kinds.includes('literal', at)) return problemOfMarkup(nodes)
  return 'reasoning needs an opening marker, ${text} and a closing marker'
}

/** The same for all that is no call. */
export function problemOfMarkup(nodes: readonly Node[]): string | undefined {
  return isPerTool(nodes) ? MISPLACED : undefined
}

const MISPLACED = '`perTool` can only stand at the top level of a call'

class Problem extends Error {}

/** As the compiler takes them: a call per tool, a section of calls, or one call. */
function checkCalls(nodes: readonly Node[], tools: readonly ToolOnTheWire[]): void {
  const perTool = nodes.findIndex(({ kind }) => kind === 'per-tool')
  if (perTool !== -1) {
    for (const tool of tools) checkPerTool(nodes, perTool, tool)
    return
  }
  const section = nodes.find(isSection)
  if (section === undefined) {
    checkCall(nodes, '')
    return
  }
  for (const node of nodes) if (node !== section) checkAroundCalls([node])
  checkCalls(section.body, tools)
}

function checkPerTool(nodes: readonly Node[], at: number, tool: ToolOnTheWire): void {
  const made = (nodes[at] as Node & { kind: 'per-tool' }).make(tool)
  if (!(made instanceof Template))
    throw new SluiceError(
      'invalid-template',
      '`perTool` takes a function that returns a template for each tool; write perTool(({ name }) => wire`…`).',
    )
  const behind = nodes.slice(at + 1)
  const last = made.nodes.at(-1)
  if (behind.length > 0 && last?.kind === 'literal' && last.forms.some((form) => form.endsWith(tool.name)))
    throw new Problem(
      "the text after a tool's name tells it from a longer name, so write it inside `perTool`: perTool(({ name }) => wire`${name}>`)",
    )
  const whole = [...nodes.slice(0, at), ...made.nodes, ...behind]
  if (whole.some(isSection))
    throw new Problem(
      '`perTool` stands for one call and cannot contain repeated calls; put `perTool` inside `each`',
    )
  checkCall(whole, 'word')
}

/** Nothing around the calls of a section belongs to any of them. */
function checkAroundCalls(nodes: readonly Node[]): void {
  for (const node of nodes) {
    for (const inner of insideOf(node)) checkAroundCalls(inner)
    const isGiving =
      node.kind === 'value' ||
      node.kind === 'text' ||
      (node.kind === 'reader' && !node.type.givesNothing) ||
      (node.kind === 'word' && (node.role !== 'id' || node.split)) ||
      (node.kind === 'tag' &&
        (node.type.writesOthers || Object.values(node.type.attributes ?? {}).includes('name')))
    if (isGiving) throw new Problem('a part of a single call is outside the `each` that repeats the calls')
  }
}

function checkCall(nodes: readonly Node[], name: Given['name']): void {
  const ends = follow(nodes, [{ name, key: false, arguments: 'none' }])
  if (ends.some(({ name }) => !name)) throw nameless()
  if (endOf(nodes) === 0) throw new Problem('the last part of a call has no end; write a marker after it')
}

function nameless(): Problem {
  return new Problem('a call needs a required `name` before its arguments; an `id` is not a name')
}

/** Reads the parts in every way there is. */
function follow(nodes: readonly Node[], from: readonly Given[]): readonly Given[] {
  let ways = from
  for (const [index, node] of nodes.entries()) {
    checkPart(node, nodes.slice(index + 1))
    ways = distinct(pass(node, ways))
  }
  return ways
}

function pass(node: Node, ways: readonly Given[]): readonly Given[] {
  switch (node.kind) {
    case 'word':
      return ways.map((given) => {
        if (node.role === 'key') return { ...given, key: true }
        return node.role === 'name' || node.split ? named(given, 'word') : given
      })
    case 'unnamed':
      return ways.map((given) => named(given, 'word'))
    case 'value':
      return ways.map((given) =>
        withValue(given, node.options.body === true || node.options.key !== undefined),
      )
    case 'reader':
      return node.type.givesNothing ? ways : ways.map((given) => withReader(given, node.type))
    case 'tag':
      return ways.map((given) =>
        // A tag without roles has a reader that finds the name for itself, and all the rest.
        node.type.attributes
          ? withTag(given, node.type)
          : withReader(given, { ...node.type, namesCall: node.header }),
      )
    case 'each':
      return repeated(node, ways)
    case 'optional':
    case 'closer':
      return [...ways, ...follow(node.body, ways)]
    case 'wrapper':
      return follow(node.body, ways)
    case 'either':
      return node.choices.flatMap((choice) => follow(choice, ways))
    default:
      return ways
  }
}

/** However often: until nothing new comes of it. */
function repeated(
  { body, separator, atLeastOne }: Node & { kind: 'each' },
  ways: readonly Given[],
): readonly Given[] {
  const once = distinct(follow(body, ways))
  let all = once
  for (;;) {
    const more = distinct([...all, ...follow([...separator, ...body], all)])
    if (more.length === all.length) return atLeastOne ? all : [...ways, ...all]
    all = more
  }
}

function distinct(ways: readonly Given[]): readonly Given[] {
  return [...new Map(ways.map((given) => [Object.values(given).join(), given])).values()]
}

// ── what a part gives ────────────────────────────────────────────────────────────────────────────

function named(given: Given, name: 'word' | 'reader'): Given {
  if (given.name && (name === 'reader' || given.name === 'reader'))
    throw new Problem('a call has two names; `object`, `pythonCall` and the like contain the name')
  return { ...given, name }
}

function withValue(given: Given, hasOwnKey: boolean): Given {
  if (hasOwnKey) return withArguments(given, 'some')
  if (!given.key)
    throw new Problem("a value has no key; write `key` before it, or use valueWith({ key: '…' })")
  return { ...withArguments(given, 'pairs'), key: false }
}

function withReader(given: Given, type: ReaderType): Given {
  const { namesCall, textArguments, closer } = type
  const way: Way = textArguments === undefined ? 'json' : closer === undefined ? 'some' : 'all'
  return withArguments(namesCall ? named(given, 'reader') : given, way)
}

function withTag(
  given: Given,
  { attributes = {}, optionalAttributes = [], writesOthers }: ReaderType,
): Given {
  let result = given
  for (const [attribute, role] of Object.entries(attributes)) {
    if (optionalAttributes.includes(attribute)) continue
    if (role === 'name') result = named(result, 'word')
    if (role === 'key') result = { ...result, key: true }
  }
  return writesOthers ? withArguments(result, 'some') : result
}

function withArguments(given: Given, way: Way): Given {
  const before = given.arguments
  if (!given.name) throw nameless()
  const isWhole = way === 'all' || way === 'json'
  if (
    (way === 'json' && before !== 'none') ||
    before === 'json' ||
    (isWhole && (before === 'pairs' || before === 'all')) ||
    (before === 'all' && way === 'pairs')
  )
    throw new Problem(
      'a call has its arguments in two places, and one of them would be lost; choose with `either`, or write two templates',
    )
  return { ...given, arguments: way === 'some' && before !== 'none' ? before : way }
}

// ── parts that are wrong wherever they stand ─────────────────────────────────────────────────────

function checkPart(node: Node, behind: readonly Node[]): void {
  if (node.kind === 'per-tool') throw new Problem(MISPLACED)
  if (node.kind === 'text')
    throw new Problem(
      '`text` is for reasoning and results; in a call use `value`, or `skip` for text to ignore',
    )
  if (node.kind === 'literal' && node.forms.length === 0)
    throw new Problem("`literal` needs a spelling; write literal('…')")
  if (node.kind === 'tag') {
    const [tag] = node.names.filter((one) => /[<>\s/]/.test(one))
    if (tag !== undefined) throw new Problem(`write the name of a tag without brackets, not '${tag}'`)
    const [role] = Object.values(node.type.attributes ?? {}).filter((one) => !ROLES.includes(one))
    if (role !== undefined)
      throw new Problem(`the role of an attribute is one of ${ROLES.join(', ')}, not '${role}'`)
  }
  if (node.kind !== 'reader' || node.type.closer === undefined) return
  const { name, closer } = node.type
  const next = behind.find(({ kind }) => kind !== 'space' && kind !== 'newline')
  const marker = next?.kind === 'closer' ? next.body[0] : next
  if (marker?.kind === 'literal' && marker.forms.some((form) => form.startsWith(closer)))
    throw new Problem(`\`${name}\` reads ${closer} itself; do not write it again after it`)
}
