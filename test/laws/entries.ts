/** The table of everything that is under the laws. A new dialect is one more row. */

import type { Part } from '../../src/base/part.ts'
import * as dialects from '../../src/dialects/all.ts'
import { detect } from '../../src/dialects/detect.ts'
import { yamlXml } from '../../src/dialects/yaml/index.ts'
import type { ParserOptions } from '../../src/engine/parser.ts'
import { render } from '../../src/engine/render.ts'
import type { Dialect } from '../../src/engine/wire/dialect.ts'
import { type Node, showTemplate, Template } from '../../src/engine/wire/template.ts'
import { deriveDialect } from '../../src/requests/templates/index.ts'
import { UNKNOWN_FORMATS } from '../requests/templates/unknown-formats.ts'

export const TOOLS = [
  {
    name: 'get_weather',
    inputSchema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
  },
  {
    name: 'write_file',
    streams: 'content',
    headlines: ['path'],
    inputSchema: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
  },
  {
    name: 'search',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
        exact: { type: 'boolean' },
        limits: {
          type: 'object',
          properties: { most: { type: 'number' }, after: { type: ['string', 'null'] } },
        },
      },
    },
  },
  { name: 'ping', inputSchema: { type: 'object', properties: {} } },
] as const

export interface LawEntry {
  readonly name: string
  readonly dialect: Dialect
  readonly options: ParserOptions
  readonly promptness: ParserOptions
  /** Pieces of its own markup, to be strewn into text and arguments. */
  readonly markup: readonly string[]
  /** Valid texts that show how what is held back can become markup, beyond those that are made at random. */
  readonly witnesses: readonly string[]
}

/** Calls as objects whose keys come in other orders than the one they are written in. */
const DOUBLE_QUOTED = ['name', 'function', 'id', 'type', 'arguments', 'parameters', 'args', 'tool'].flatMap(
  (first) =>
    ['name', 'function', 'tool'].flatMap((second) => [
      `{"${first}":"ping"}`,
      `{"${first}":"x","${second}":"ping"}`,
      `{"${first}":{},"${second}":"ping"}`,
      `{"${first}":{"${second}":"ping"}}`,
    ]),
)
const OBJECTS = [...DOUBLE_QUOTED, ...DOUBLE_QUOTED.map((object) => object.replaceAll('"', "'"))]

/**
 * Dialects that are made from chat templates. `npm test` has one of them; `SLUICE_DERIVED=true` puts all of them into every
 * table, and `-t derived:` runs no others:
 *
 *     SLUICE_DERIVED=true npx vitest run test/laws -t derived:
 */
const DERIVED: readonly LawEntry[] = UNKNOWN_FORMATS.slice(
  0,
  process.env.SLUICE_DERIVED === 'true' ? undefined : 1,
).map(({ name, template }) => entryOf(deriveDialect(template).dialect, `derived: ${name}`))

export const ENTRIES: readonly LawEntry[] = [
  ...[...dialects.ALL, yamlXml].map((dialect) => entryOf(dialect)),
  ...DERIVED,
]

function entryOf(dialect: Dialect, name = dialect.name): LawEntry {
  return {
    name,
    dialect,
    options: { dialect, tools: TOOLS },
    // Where anything may begin a call, more is held back than the markers tell.
    promptness:
      dialect.weakCalls.length + dialect.looseCalls.length > 0
        ? { dialect, tools: [] }
        : { dialect, tools: TOOLS },
    markup: markupOf(dialect),
    witnesses: witnessesOf(dialect),
  }
}

/** Where the parser has to find out which dialect the text is in: dialects that share markers, and some that do not. */
export const DETECTED: readonly LawEntry[] = [
  'hermes',
  'qwen3-coder',
  'glm',
  'deepseek-v31',
  'functionary-v31',
  'mistral-array',
  'harmony',
  'generic-json',
  'function-calls',
].map((name) => {
  const entry = ENTRIES.find((one) => one.name === name)!
  return {
    ...entry,
    name: `${name}, detected`,
    options: { ...entry.options, dialect: detect() },
    // Without tools, nothing becomes a call that nothing marks.
    promptness: { ...entry.options, dialect: detect() },
    // What is held back may be the beginning of a marker of any dialect.
    witnesses: ENTRIES.flatMap(({ witnesses }) => witnesses),
  }
})

/** Dialects with different calls: some have those of another, and differ in what is around them. */
const WITH_OWN_CALLS = ENTRIES.filter(
  (entry, index) => ENTRIES.findIndex((other) => shownCalls(other) === shownCalls(entry)) === index,
)

function shownCalls({ dialect }: LawEntry): string {
  return [...dialect.calls, ...dialect.weakCalls, ...dialect.looseCalls, ...dialect.guessedCalls]
    .map(({ nodes }) => showTemplate(nodes))
    .join('\n')
}

/** Pairs of dialects whose calls begin alike: what the first cannot read is tried as a call of the second. */
export const PAIRS: readonly (readonly [LawEntry, LawEntry])[] = WITH_OWN_CALLS.flatMap((first) =>
  WITH_OWN_CALLS.filter(
    (second) => second !== first && begins(first).some((opener) => begins(second).includes(opener)),
  ).map((second) => [first, second] as const),
)

/** What its calls begin with. */
function begins({ dialect }: LawEntry): string[] {
  return [...dialect.calls, ...dialect.weakCalls, ...dialect.looseCalls].flatMap(({ nodes }) =>
    firstForms(nodes),
  )
}

function firstForms(nodes: readonly Node[]): readonly string[] {
  for (const node of nodes) {
    if (node.kind === 'literal') return node.forms
    if (node.kind === 'optional' || node.kind === 'wrapper' || node.kind === 'each')
      return firstForms(node.body)
  }
  return []
}

/** The dialect's literal markers, whole, taken from its templates. */
function markupOf(dialect: Dialect): string[] {
  const templates = [
    ...dialect.calls,
    ...dialect.weakCalls,
    ...dialect.looseCalls,
    ...dialect.guessedCalls,
    ...dialect.reasoning,
    ...dialect.weakReasoning,
    ...dialect.drop,
    ...dialect.weakDrop,
    ...dialect.ignore,
    ...(dialect.result ? [dialect.result] : []),
  ]
  const found = new Set<string>()
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      // What is only seen is not read as this marker.
      if (node.kind === 'literal')
        for (const form of node.forms.filter(({ length }) => length !== node.back)) found.add(form)
      else if (node.kind === 'tag') for (const form of node.forms) found.add(form.slice(0, -1))
      else if (
        node.kind === 'each' ||
        node.kind === 'optional' ||
        node.kind === 'closer' ||
        node.kind === 'wrapper' ||
        node.kind === 'extra'
      )
        visit(node.body)
      else if (node.kind === 'either') for (const choice of node.choices) visit(choice)
      else if (node.kind === 'per-tool') for (const tool of TOOLS) visit(node.make(tool).nodes)
    }
  }
  for (const { nodes } of templates) visit(nodes)
  for (const token of dialect.endOfTurn) found.add(token)
  for (const marker of [...found]) if (isBegun(dialect, marker)) found.add(restOf(dialect, marker))
  const markers = [...found].filter((marker) => marker.length > 1)
  return markers.length > 0 ? markers : ['{"name":', '[{']
}

/** Can the prompt hold the beginning of this text? */
export function isBegun({ prefilled }: Dialect, text: string): boolean {
  return prefilled !== '' && text.startsWith(prefilled)
}

/** What the prompt leaves of it. */
export function restOf({ prefilled }: Dialect, text: string): string {
  return text.slice(prefilled.length)
}

/** Texts that use every spelling of every marker, so that each way in which one can come about is seen. */
function witnessesOf(dialect: Dialect): string[] {
  const texts: string[] = []
  const add = (parts: Part[], variant: Dialect) =>
    texts.push(render(parts, { dialect: variant, tools: TOOLS }))
  const none = { calls: [], weakCalls: [], looseCalls: [], guessedCalls: [] }
  const call = (input: { readonly [key: string]: string }): Part[] => [
    { type: 'call', id: 'functions.ping:0', toolName: 'ping', input },
  ]
  for (const kind of ['calls', 'weakCalls', 'looseCalls'] as const)
    for (const template of dialect[kind].filter(({ nodes }) => !nodes.some(({ kind }) => kind === 'unnamed')))
      add(call(argumentsOf(template)), { ...dialect, ...none, [kind]: [withoutReports(template)] })
  for (const template of dialect.guessedCalls) {
    const text = render(call(argumentsOf(template)), {
      dialect: { ...dialect, ...none, calls: [template] },
      tools: TOOLS,
    })
    const [usual = '', ...others] = firstForms(template.nodes)
    texts.push(text, ...others.map((other) => text.replace(usual, other)))
  }
  for (const template of dialect.reasoning)
    add([{ type: 'reasoning', text: 'x' }], { ...dialect, reasoning: [template] })
  if (dialect.result !== undefined) add([{ type: 'result', id: 'r', content: 'x' }], dialect)
  for (const { nodes } of dialect.weakReasoning) texts.push(literally(nodes))
  for (const { nodes } of [...dialect.drop, ...dialect.weakDrop, ...dialect.ignore])
    texts.push(...seenIn(dialect, nodes).map((next) => literally(nodes) + next))
  const spelled = texts.flatMap((text) =>
    spellings(dialect).map(([usual, other]) => text.replaceAll(usual, other)),
  )
  const begun = [...texts, ...spelled]
    .filter((text) => isBegun(dialect, text))
    .map((text) => restOf(dialect, text))
  return [...new Set([...texts, ...spelled, ...begun, ...markupOf(dialect), ...OBJECTS])]
}

/** The arguments that a call always has, because the format has no keys for them. */
function argumentsOf({ nodes }: Template): { readonly [key: string]: string } {
  const keys = nodes.flatMap((node) => (node.kind === 'value' ? (node.options.key ?? []) : []))
  return Object.fromEntries(keys.map((key) => [key, 'x']))
}

/** The same format if it were written like this by right, so that `render` writes it. */
function withoutReports({ nodes }: Template): Template {
  return new Template(nodes.filter(({ kind }) => kind !== 'reported'))
}

/** What must follow markup whose last marker is only seen: all that begins with it. */
function seenIn(dialect: Dialect, nodes: readonly Node[]): string[] {
  const last = nodes.at(-1)
  if (last?.kind !== 'literal' || last.back !== last.forms[0]!.length) return ['']
  return markupOf(dialect).flatMap((marker) =>
    last.forms.flatMap((form) => (marker.startsWith(form) ? [marker.slice(form.length)] : [])),
  )
}

/** Markup that holds no placeholders, as it is written. */
function literally(nodes: readonly Node[]): string {
  return nodes
    .map((node) =>
      node.kind === 'literal' ? node.forms[0] : node.kind === 'optional' ? literally(node.body) : '',
    )
    .join('')
}

function spellings(dialect: Dialect): [usual: string, other: string][] {
  const found: [string, string][] = []
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.kind === 'literal') for (const form of node.forms.slice(1)) found.push([node.forms[0]!, form])
      else if (node.kind === 'tag')
        for (const form of node.forms.slice(1)) found.push([node.forms[0]!.slice(0, -1), form.slice(0, -1)])
      else if (
        node.kind === 'each' ||
        node.kind === 'optional' ||
        node.kind === 'closer' ||
        node.kind === 'wrapper' ||
        node.kind === 'extra'
      )
        visit(node.body)
      else if (node.kind === 'either') for (const choice of node.choices) visit(choice)
    }
  }
  for (const { nodes } of [
    ...dialect.calls,
    ...dialect.reasoning,
    ...(dialect.result ? [dialect.result] : []),
  ])
    visit(nodes)
  return found
}
