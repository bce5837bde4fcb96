/**
 * The text of docs/dialects.md: one section per dialect, made of what its file declares and of what the parser does
 * with an example of it. `npm run docs` writes it through test/docs/dialects.test.ts, because Node 20 runs no TypeScript.
 */

import { existsSync, readFileSync } from 'node:fs'
import * as library from 'sluice/dialects'
import { yamlXml } from 'sluice/yaml'
import type { JsonValue, ToolCall } from '../src/base/event.ts'
import type { Part } from '../src/base/part.ts'
import { isExecutable } from '../src/engine/calls/verdict.ts'
import { parse } from '../src/engine/message.ts'
import { createParser } from '../src/engine/parser.ts'
import { render } from '../src/engine/render.ts'
import type { Dialect } from '../src/engine/wire/dialect.ts'
import { type Node, showTemplate, type Template } from '../src/engine/wire/template.ts'

const TOOLS = [
  {
    name: 'get_weather',
    inputSchema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
  },
  {
    name: 'write_file',
    streams: 'content',
    inputSchema: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
  },
] as const

const REASONING: Part = { type: 'reasoning', text: 'The weather first, then a note.' }
const TEXT: Part = { type: 'text', text: 'Let me look.\n' }
const CALLS: readonly (Part & { type: 'call' })[] = [
  { type: 'call', id: 'a1', toolName: 'get_weather', input: { city: 'Paris', days: 2 } },
  {
    type: 'call',
    id: 'a2',
    toolName: 'write_file',
    input: { path: 'note.md', content: '# Paris\nSunny.\n' },
  },
]

/** What is in the table of dialects, and the one that has an entry of its own. */
export const DIALECTS: readonly Dialect[] = [...library.allDialects, yamlXml]

export function dialectsPage(): string {
  const families = FAMILIES.map(({ title, about, holds }) => {
    const members = DIALECTS.filter((dialect) => familyOf(dialect) === holds)
    return [`## ${title}`, about, ...members.map(section)].join('\n\n')
  })
  return `${[INTRODUCTION, contents(), ...families].join('\n\n')}\n`
}

const INTRODUCTION = `# Dialects

<!-- Made by \`npm run docs\` from src/dialects. Do not edit it here. -->

A dialect defines how a family of models writes reasoning, calls and results. Dialects are values that you import, so a bundle
holds only those it uses:

\`\`\`ts
import { createParser } from 'sluice'
import { hermes } from 'sluice/dialects'

const parser = createParser({ dialect: hermes })
\`\`\`

\`findDialect(name)\` and \`sluice parse --dialect NAME\` find a dialect by its name. Both also accept the names that other engines
use, listed as *also known as*. Only the command finds \`yaml-xml\`, which has an entry of its own. [wire.md](wire.md) explains how
to read a template.

All dialects have this in common:

- JSON is parsed tolerantly: quotes, commas, comments and the like are repaired and listed as [repairs](verdicts.md).
- If a closer is missing and another call begins, the new call ends the previous one.
- Text that looks like a call and is none stays text.
- A missing closer, an alternative key and repaired JSON are each reported as a \`diagnostic\`.`

/** One way of writing the arguments, by what the template holds. */
const FAMILIES = [
  {
    title: 'JSON between markers',
    about: 'The whole call is one JSON object, or a list of them, after a marker.',
    holds: 'object',
  },
  {
    title: 'A name, then JSON',
    about: 'Markup gives the name; the arguments alone are JSON.',
    holds: 'args',
  },
  {
    title: 'A key, then its value',
    about: 'Each argument is its key and its value, both between tags.',
    holds: 'keys',
  },
  {
    title: 'Named parameters',
    about: 'Each argument is an element, and an attribute gives its key.',
    holds: 'attributes',
  },
  {
    title: "The tool's name is the tag",
    about: 'Only tags with the names of tools are calls, so pass the tools.',
    holds: 'per-tool',
  },
  {
    title: 'A tag with elements',
    about: 'One tag names the tool; the arguments are inside.',
    holds: 'elements',
  },
  {
    title: 'A header and a body',
    about: 'A JSON header, then one long argument as plain text.',
    holds: 'header',
  },
  { title: 'Python calls', about: 'Calls as Python writes them.', holds: 'pythonCall' },
  { title: 'Object literals', about: 'A name and an object whose quotes are tokens.', holds: 'literalCall' },
  {
    title: 'Bare JSON',
    about: 'Calls have no marker. With `tools`, only calls of these tools count; everything else stays text.',
    holds: 'bare',
  },
] as const

type Family = (typeof FAMILIES)[number]['holds']

function familyOf(dialect: Dialect): Family {
  const template = callTemplates(dialect)[0]!.template
  const found = writtenNodes(template.nodes)
  const has = (kind: Node['kind']): boolean => found.some((node) => node.kind === kind)
  const reads = (name: string): boolean =>
    found.some((node) => node.kind === 'reader' && node.type.name === name)
  if (reads('object') && dialect.weakCalls.length + dialect.looseCalls.length > 0) return 'bare'
  if (template.nodes.some((node) => node.kind === 'per-tool') && !reads('args')) return 'per-tool'
  for (const reader of ['object', 'args', 'elements', 'header', 'pythonCall', 'literalCall'] as const)
    if (reads(reader)) return reader
  if (found.some((node) => node.kind === 'word' && node.role === 'key')) return 'keys'
  if (has('value')) return 'attributes'
  throw new Error(
    `The dialect '${dialect.name}' is in none of the families; add one to scripts/dialects-page.ts.`,
  )
}

function contents(): string {
  const rows = FAMILIES.map(({ title, holds }) => {
    const members = DIALECTS.filter((dialect) => familyOf(dialect) === holds)
    return `| ${title} | ${members.map(({ name }) => `[${name}](#${name})`).join(', ')} |`
  })
  return ['| family | dialects |', '|---|---|', ...rows].join('\n')
}

// ── one dialect ──────────────────────────────────────────────────────────────────────────────────

function section(dialect: Dialect): string {
  const { name, aliases } = dialect
  const also = aliases.length === 0 ? '' : ` Also known as ${aliases.map(code).join(', ')}.`
  return [
    `### ${name}`,
    modelsOf(dialect),
    `${importOf(dialect)}${also}`,
    templatesOf(dialect),
    'An example:',
    fenced(exampleOf(dialect), 'text'),
    `**Streams.** ${streamsOf(dialect).join(' ')}`,
    `**Recovers.**\n\n${bullets(recoversOf(dialect))}`,
  ].join('\n\n')
}

function importOf(dialect: Dialect): string {
  if (dialect === yamlXml) return "Import it with `import { yamlXml } from 'sluice/yaml'`."
  const name = Object.entries(library).find(([, value]) => value === dialect)?.[0]
  if (name === undefined) throw new Error(`The dialect '${dialect.name}' is not exported.`)
  return `Import it with \`import { ${name} } from 'sluice/dialects'\`.`
}

/** The first paragraph of the comment that opens the dialect's file. */
function modelsOf({ name }: Dialect): string {
  const comment = readFileSync(fileOf(name), 'utf8').match(/^\/\*\*\n([\s\S]*?)\n \*\n/)?.[1]
  if (comment === undefined) throw new Error(`The file of the dialect '${name}' opens without a comment.`)
  return comment.replaceAll(/^ \* ?/gm, '').replaceAll('\n', ' ')
}

/** `mistral-v11` is in mistral.ts: the longest name of a file that the dialect's name begins with. */
function fileOf(name: string): URL {
  if (name === yamlXml.name) return new URL('../src/dialects/yaml/index.ts', import.meta.url)
  for (let stem = name; stem !== ''; stem = stem.slice(0, Math.max(0, stem.lastIndexOf('-')))) {
    const file = new URL(`../src/dialects/${stem}.ts`, import.meta.url)
    if (existsSync(file)) return file
  }
  throw new Error(`There is no file for the dialect '${name}' in src/dialects.`)
}

type Labelled = { readonly label: string; readonly template: Template }

function callTemplates({ calls, weakCalls, looseCalls, guessedCalls }: Dialect): Labelled[] {
  return [
    ...calls.map((template) => ({ label: 'a call', template })),
    ...weakCalls.map((template) => ({ label: 'a call, at the start of the message only', template })),
    ...looseCalls.map((template) => ({ label: 'a call, anywhere', template })),
    ...guessedCalls.map((template) => ({ label: 'a call, as a guess', template })),
  ]
}

function templatesOf(dialect: Dialect): string {
  const all: Labelled[] = [
    ...callTemplates(dialect),
    ...dialect.reasoning.map((template) => ({ label: 'reasoning', template })),
    ...dialect.weakReasoning.map((template) => ({ label: 'reasoning, where content begins', template })),
    ...(dialect.result === undefined ? [] : [{ label: 'a result', template: dialect.result }]),
  ]
  const shown = all.map(({ label, template }, index) => {
    const again = index > 0 && all[index - 1]!.label === label
    return `${again ? `${label}, another way` : label}:\n\n${indented(showTemplate(template.nodes))}`
  })
  return fenced(shown.join('\n\n'), 'text')
}

/** Reasoning where it has any, and text where text may stand before a call. */
function exampleParts(dialect: Dialect, calls: readonly Part[]): Part[] {
  return [
    ...(dialect.reasoning.length > 0 ? [REASONING] : []),
    ...(dialect.calls.length + dialect.looseCalls.length > 0 ? [TEXT] : []),
    ...calls,
  ]
}

/** The example with a file of two lines, or of one where a value ends with its line. */
export function exampleOf(dialect: Dialect): string {
  try {
    return render(exampleParts(dialect, CALLS), { dialect, tools: TOOLS })
  } catch {
    const [weather, file] = CALLS as [Part, Part & { type: 'call' }]
    const inOneLine = { ...file, input: { path: 'note.md', content: '# Paris' } }
    return render(exampleParts(dialect, [weather, inOneLine]), { dialect, tools: TOOLS })
  }
}

// ── what streams, and what waits ─────────────────────────────────────────────────────────────────

function streamsOf(dialect: Dialect): string[] {
  const found = writtenNodes(callTemplates(dialect)[0]!.template.nodes)
  const readers = new Set(found.flatMap((node) => (node.kind === 'reader' ? [node.type.name] : [])))
  const hasValues = found.some((node) => node.kind === 'value' && !node.options.body && !node.options.key)
  return [
    certainty(dialect),
    ...(readers.has('object') || readers.has('args')
      ? ['The arguments are JSON and stream as they arrive, strings character by character.']
      : []),
    ...(readers.has('object') && beforeName(dialect) ? ['Arguments before the name wait for it.'] : []),
    ...(readers.has('pythonCall') || readers.has('literalCall')
      ? ['The arguments become JSON as they arrive, strings character by character.']
      : []),
    ...(readers.has('elements')
      ? [
          `An argument whose schema is exactly a string streams${untypedElements(dialect)} Any other waits until its element closes${waitsForMore(dialect) ? '; one that may repeat and become a list waits until the call closes' : ''}.`,
        ]
      : []),
    ...(readers.has('yaml') || readers.has('body') ? ['The whole body waits until its closing tag.'] : []),
    ...(readers.has('header')
      ? [
          "The header waits until it is complete. The tool's streamed argument follows it and passes on as it arrives.",
        ]
      : []),
    ...(found.some((node) => node.kind === 'tag' && node.type.writesOthers)
      ? [
          "Attributes wait until the tag is complete. The body is the tool's streamed argument and passes on as it arrives.",
        ]
      : []),
    ...(hasValues ? [values(dialect, found)] : []),
  ]
}

/** How much of the first call must have arrived before it is announced. */
function certainty(dialect: Dialect): string {
  const [call] = CALLS
  const text = render([call!], { dialect, tools: TOOLS })
  const parser = createParser({ dialect, tools: TOOLS })
  for (let length = 1; length <= text.length; length++) {
    const events = parser.push(text[length - 1]!)
    if (events.some((event) => event.type === 'tool-input-start'))
      return `A call starts as soon as its name is certain: ${code(text.slice(0, length))}.`
  }
  throw new Error(`The dialect '${dialect.name}' never announces its own example.`)
}

function beforeName(dialect: Dialect): boolean {
  const { text, swapped } = objectExample(dialect, (keys) => keys.reverse())
  return text !== swapped && reads(dialect, swapped)
}

/** Whether an argument that may be a list waits until the call closes. */
function waitsForMore(dialect: Dialect): boolean {
  const tags = { type: 'array', items: { type: 'string' } }
  const tools = [{ name: 'label', inputSchema: { type: 'object', properties: { tags } } }]
  const text = render([{ type: 'call', toolName: 'label', input: { tags: ['a'] } }], { dialect, tools })
  const parser = createParser({ dialect, tools, emit: { json: false, arguments: true } })
  const pushes = [...text].map((character) => parser.push(character).map(({ type }) => type))
  return pushes.some((types) => types.includes('argument-end') && types.includes('tool-input-end'))
}

function untypedElements(dialect: Dialect): string {
  return grows(dialect) ? ', and so does one without a schema.' : '.'
}

/** Whether an argument that no schema speaks for grows character by character. */
function grows(dialect: Dialect): boolean {
  const bare = TOOLS.map(({ name }) => ({ name }))
  const text = render([{ type: 'call', id: 'a1', toolName: 'get_weather', input: { city: 'Paris' } }], {
    dialect,
    tools: TOOLS,
  })
  const parser = createParser({ dialect, tools: bare, emit: { json: false, arguments: true } })
  const deltas = [...text].flatMap((character) =>
    parser.push(character).filter((event) => event.type === 'argument-delta'),
  )
  return deltas.length > 1
}

function values(dialect: Dialect, found: readonly Node[]): string {
  if (
    found.some(
      (node) =>
        node.kind === 'tag' &&
        Object.values(node.type.attributes ?? {}).some((role) => role === 'is-string' || role === 'type'),
    )
  )
    return 'An attribute says whether a value is a string. A string streams; any other value waits for its end and is parsed as JSON. If the attribute is missing, the schema decides; without a schema, the value waits.'
  const untyped = grows(dialect)
    ? 'Without a schema every value is a string and streams.'
    : 'Without a schema every value waits, and is parsed as JSON if it can be.'
  return `A value whose schema is exactly a string streams; any other waits for its end and is then converted by its schema. ${untyped}`
}

// ── what is recovered ────────────────────────────────────────────────────────────────────────────

function recoversOf(dialect: Dialect): string[] {
  const templates = callTemplates(dialect).map(({ template }) => template)
  const found = templates.flatMap((template) => allNodes(template.nodes))
  const everywhere = [...dialect.reasoning, ...(dialect.result ? [dialect.result] : [])]
  const spelled = [...found, ...everywhere.flatMap(({ nodes }) => allNodes(nodes))]
  const closers = literalsOf(found.filter((node) => node.kind === 'closer'))
  const wrappers = literalsOf(found.filter((node) => node.kind === 'optional'))
  const spellings = spelled.flatMap((node) => {
    // What is only looked at, and read again after the marker, is no other way to write it.
    const isSpelled = node.kind === 'literal' && node.back === undefined
    const [first, ...others] = unspaced(isSpelled ? node.forms : node.kind === 'tag' ? node.names : [])
    return others.map((other) => `${code(other)} for ${code(first!)}`)
  })
  return [
    ...(closers.length > 0 ? [`${listed(closers)} may be missing.`] : []),
    ...(wrappers.length > 0 ? [`${listed(wrappers)} may be left out.`] : []),
    ...otherKeys(dialect),
    ...otherElements(dialect),
    ...(templates.length > 1 || found.some(({ kind }) => kind === 'either')
      ? ['Calls are also read in the other ways shown above.']
      : []),
    ...(spellings.length > 0 ? [`Other spellings: ${[...new Set(spellings)].join(', ')}.`] : []),
    ...spacedMarker(spelled),
    ...(stringified(dialect) ? ['Arguments that are a string of JSON are parsed.'] : []),
    ...(dialect.callEndsReasoning
      ? ['A call inside reasoning is read; it may run if the model stops after it.']
      : []),
    ...(dialect.reasoning.length === 0
      ? []
      : [
          dialect.strayCloser === 'drop'
            ? 'A closing marker of reasoning that closes nothing is dropped.'
            : 'A closing marker of reasoning that closes nothing stays text.',
        ]),
    ...droppedIn('text', dialect.drop),
    ...droppedIn('text and in reasoning', dialect.ignore),
    ...(dialect.endOfTurn.length > 0
      ? [`Ends the response: ${dialect.endOfTurn.map(code).join(', ')}.`]
      : []),
    ...(dialect.prefilled === ''
      ? []
      : [`A response may begin after ${code(dialect.prefilled)}, which is then in the prompt.`]),
    ...(dialect.ignoreCase ? ['Markers match in upper and lower case.'] : []),
    ...(dialect.spacedTags ? ['White space is allowed before the `>` of a tag.'] : []),
    ...(dialect.knownToolsOnly ? ['A call of a tool that is not in `tools` stays text.'] : []),
    ...(dialect.reservedNames.length > 0
      ? [`No tool has the name ${dialect.reservedNames.map(code).join(' or ')}.`]
      : []),
  ]
}

/** Keys that stand in for the format's own, found by trying. */
function otherKeys(dialect: Dialect): string[] {
  const accepted = ['arguments', 'parameters', 'args', 'input'].flatMap((key) => {
    const { own, swapped } = objectExample(dialect, (keys) => keys, key)
    if (own === undefined || own === key || !reads(dialect, swapped)) return []
    const isCertain = parse(swapped, { dialect, tools: TOOLS }).toolCalls.every((call) => isExecutable(call))
    return [`${code(key)} for ${code(own)}${isCertain ? '' : ' (a guess)'}`]
  })
  return accepted.length === 0 ? [] : [`Other keys: ${accepted.join(', ')}.`]
}

/** Elements that may be missing, or be written another way, found by trying. */
function otherElements(dialect: Dialect): string[] {
  const text = render([CALLS[0]!], { dialect, tools: TOOLS })
  const without = text.replaceAll(/\n<\/?arguments>/g, '')
  const byTag = text.replaceAll(/<arg name="(\w+)">(.*?)<\/arg>/g, '<$1>$2</$1>')
  return [
    ...(without !== text && reads(dialect, without) ? ['`<arguments>` may be left out.'] : []),
    ...(byTag !== text && reads(dialect, byTag)
      ? ['`<city>Paris</city>` is read like `<arg name="city">Paris</arg>`.']
      : []),
  ]
}

function stringified(dialect: Dialect): boolean {
  const text = render([CALLS[0]!], { dialect, tools: TOOLS })
  const json = JSON.stringify(CALLS[0]!.input)
  return text.includes(json) && reads(dialect, text.replace(json, JSON.stringify(json)))
}

/** A rendered call whose JSON object was written in another order, or with another key for its arguments. */
function objectExample(
  dialect: Dialect,
  order: (keys: [string, JsonValue][]) => [string, JsonValue][],
  key?: string,
): { text: string; own: string | undefined; swapped: string } {
  const text = render([CALLS[0]!], { dialect, tools: TOOLS })
  const from = text.indexOf('{"')
  const call = from === -1 ? undefined : objectAt(text, from)
  const own = call && Object.keys(call).find((one) => typeof call[one] === 'object')
  if (call === undefined || own === undefined || Object.keys(call).length < 2)
    return { text, own: undefined, swapped: text }
  const entries = Object.entries(call).map(([one, value]): [string, JsonValue] => [
    one === own && key !== undefined ? key : one,
    value,
  ])
  const swapped = JSON.stringify(Object.fromEntries(order(entries)))
  return { text, own, swapped: text.replace(JSON.stringify(call), () => swapped) }
}

function objectAt(text: string, from: number): Record<string, JsonValue> | undefined {
  for (let to = text.lastIndexOf('}'); to > from; to = text.lastIndexOf('}', to - 1))
    try {
      return JSON.parse(text.slice(from, to + 1)) as Record<string, JsonValue>
    } catch {}
  return undefined
}

/** Whether the text still is the first call, whole. */
function reads(dialect: Dialect, text: string): boolean {
  const { toolCalls } = parse(text, { dialect, tools: TOOLS })
  const isWhole = ({ status }: ToolCall): boolean => status === 'complete' || status === 'repaired'
  return (
    toolCalls.length === 1 &&
    toolCalls.every(isWhole) &&
    JSON.stringify(toolCalls[0]!.input) === JSON.stringify(CALLS[0]!.input)
  )
}

// ── templates ────────────────────────────────────────────────────────────────────────────────────

function allNodes(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => [node, ...allNodes(inside(node))])
}

/** Only the way in which a call is written, where it can be read in several. */
function writtenNodes(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => [
    node,
    ...writtenNodes(node.kind === 'either' ? node.choices[0]! : inside(node)),
  ])
}

function inside(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'each':
      return [...node.body, ...node.separator]
    case 'optional':
    case 'closer':
      return node.body
    case 'either':
      return node.choices.flat()
    case 'per-tool':
      return node.make({ name: 'NAME', streams: '…' }).nodes
    default:
      return []
  }
}

/** Of markup with more spellings than this, one is shown. */
const MOST_SPELLINGS = 4

function droppedIn(where: string, templates: readonly Template[]): string[] {
  const markers = templates.flatMap(({ nodes }) => {
    const spellings = spelledOut(nodes)
    return spellings.length > MOST_SPELLINGS ? spellings.slice(0, 1) : spellings
  })
  return markers.length === 0 ? [] : [`Dropped in ${where}: ${[...new Set(markers.map(code))].join(', ')}.`]
}

/** The spellings of a marker, without those that differ in spaces alone if there are several of them. */
function unspaced([first = '', ...others]: readonly string[]): string[] {
  const spaced = others.filter((form) => form.replaceAll(' ', '') === first.replaceAll(' ', ''))
  return [first, ...(spaced.length > 1 ? others.filter((form) => !spaced.includes(form)) : others)]
}

/** An example of a marker in which spaces may stand. */
function spacedMarker(nodes: readonly Node[]): string[] {
  const spaced = nodes.find(
    (node) => node.kind === 'literal' && unspaced(node.forms).length < node.forms.length,
  )
  return spaced?.kind === 'literal'
    ? [
        `Spaces are allowed around the name in a marker: ${code(spaced.forms[1]!)} for ${code(spaced.forms[0]!)}.`,
      ]
    : []
}

/** Every way to write markup that holds nothing but markers. */
function spelledOut([node, ...rest]: readonly Node[]): string[] {
  if (node === undefined) return ['']
  const first =
    node.kind === 'literal'
      ? unspaced(node.forms.map((form) => form.slice(0, node.back && -node.back)))
      : node.kind === 'optional'
        ? [...spelledOut(node.body), '']
        : ['']
  return first.flatMap((form) => spelledOut(rest).map((more) => form + more))
}

/** The markers in these parts, as they are usually written. */
function literalsOf(nodes: readonly Node[]): string[] {
  const literals = allNodes(nodes).flatMap((node) => (node.kind === 'literal' ? [node.forms[0]!] : []))
  return [...new Set(literals)]
}

// ── markdown ─────────────────────────────────────────────────────────────────────────────────────

/** Inline code, also of text that holds backticks. */
function code(markup: string): string {
  const text = markup.replaceAll('\n', '⏎')
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

function fenced(text: string, language: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')
const bullets = (lines: readonly string[]): string =>
  (lines.length > 0 ? lines : ['Nothing of its own.']).map((line) => `- ${line}`).join('\n')

function listed(words: readonly string[]): string {
  const coded = words.map(code)
  return coded.length < 2 ? coded.join('') : `${coded.slice(0, -1).join(', ')} and ${coded.at(-1)}`
}
