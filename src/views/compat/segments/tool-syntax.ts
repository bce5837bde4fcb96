/**
 * Tools as data: which argument of a tool is its content, which are its headline, how they are written, and
 * what kind of segment comes of it. The built-in tools are entries like any other.
 *
 *     { name: 'write_file', segmentType: 'write_file', streams: 'content', headlines: ['path'], shorthand: true }
 *
 *     <write_file path="a.ts">let a = 1</write_file>
 */

import { SluiceError } from '../../../base/errors.ts'
import type { JsonValue } from '../../../base/event.ts'
import { checkOption } from '../../../base/options.ts'
import {
  createToolTable,
  type Tool,
  type ToolDefinition,
  type ToolDefinitions,
  type ToolTable,
} from '../../../engine/calls/tools.ts'
import type { JsonSchema } from '../../../values/schema/json-schema.ts'
import { checkTool } from './check-tool.ts'

/** How the text of an attribute, or of an argument in XML, is read: what does not fit is left out. */
export type DetailKind = 'text' | 'flag' | 'positive'

/** An argument that a segment shows beside its content. */
export interface Detail {
  readonly kind: DetailKind
  /** Other spellings of its name. */
  readonly aliases?: readonly string[]
}

/** How the calls of a tool are written and shown. */
export interface ToolSyntax {
  readonly name: string
  /** The type of its segments; `tool_call` if it has none of its own. */
  readonly segmentType?: string | undefined
  /** The argument that is the segment's content. */
  readonly streams?: string | undefined
  /** Other names that a sentinel's header has for that argument. */
  readonly streamedAs?: readonly string[] | undefined
  /** The arguments that START carries, and waits for where it can. */
  readonly headlines?: readonly string[] | undefined
  /** What may stand around the content in XML. */
  readonly markers?: { readonly start: string; readonly end: string } | undefined
  /** Arguments without which it is not run; a text must not be empty. */
  readonly requires?: readonly string[] | undefined
  /** It may be written as a tag of its own: `<run_bash>ls</run_bash>`. */
  readonly shorthand?: boolean | undefined
  /** Other names that sentinels have for it. */
  readonly aliases?: readonly string[] | undefined
  /** Further arguments that are shown as metadata. */
  readonly details?: Readonly<Record<string, Detail>> | undefined
  /** Entities in its content are decoded, once. */
  readonly entities?: boolean | undefined
  /** False: as a native call of an API it stays a `tool_call`. */
  readonly api?: boolean | undefined
  /** False: it is a kind of segment and no tool, and never runs. */
  readonly runs?: boolean | undefined
}

/** A tool in any of the forms of `sluice`, with what this view wants to know of it. */
export type SegmentToolDefinition = ToolDefinition & Omit<ToolSyntax, 'name' | 'runs'>

/** The tools that segments know. */
export type SegmentTools = readonly SegmentToolDefinition[]

const CONTENT_MARKERS = { start: '__START_CONTENT__', end: '__END_CONTENT__' }
const PATCH_MARKERS = { start: '__START_PATCH__', end: '__END_PATCH__' }

/** The built-in tools by the shorthand they are known by. */
export const TOOL_SYNTAX = {
  WRITE_FILE: {
    name: 'write_file',
    segmentType: 'write_file',
    streams: 'content',
    headlines: ['path'],
    requires: ['path'],
    markers: CONTENT_MARKERS,
    shorthand: true,
  },
  EDIT_FILE: {
    name: 'edit_file',
    segmentType: 'edit_file',
    streams: 'patch',
    headlines: ['path'],
    requires: ['path'],
    markers: PATCH_MARKERS,
  },
  PATCH_FILE: {
    name: 'patch_file',
    segmentType: 'patch_file',
    streams: 'patch',
    headlines: ['path'],
    requires: ['path'],
    markers: PATCH_MARKERS,
  },
  RUN_TERMINAL_CMD: {
    name: 'run_bash',
    segmentType: 'run_bash',
    streams: 'command',
    streamedAs: ['cmd'],
    requires: ['command'],
    shorthand: true,
    aliases: ['run_terminal_cmd'],
    entities: true,
    api: false,
    details: {
      background: { kind: 'flag' },
      timeout_seconds: { kind: 'positive', aliases: ['timeoutSeconds'] },
      cwd: { kind: 'text' },
    },
  },
} as const satisfies Record<string, ToolSyntax>

/**
 * All tools that have a syntax of their own: the built-in ones and a user's, which may replace them.
 *
 *     const registry = new ToolSyntaxRegistry([{ name: 'append_file', streams: 'text', headlines: ['path'] }])
 *     registry.get('APPEND_FILE')?.streams       // 'text'
 *     registry.get('RUN_TERMINAL_CMD')?.name     // 'run_bash'
 */
export class ToolSyntaxRegistry {
  /** The tools as the engine knows them: those of the user only, because it tells calls from text by them. */
  readonly table: ToolTable
  readonly definitions: ToolDefinitions | undefined
  private readonly byName = new Map<string, ToolSyntax>()

  constructor(tools?: SegmentTools) {
    if (tools !== undefined) checkOption('tools', tools, 'list')
    this.definitions = tools
    this.table = createToolTable(tools)
    for (const syntax of Object.values(TOOL_SYNTAX)) this.add(syntax)
    for (const definition of tools ?? []) {
      const { name, function: inner } = definition as { name?: string; function?: { name?: string } }
      const tool = this.table.get(name ?? inner?.name ?? '')
      if (tool !== undefined) this.addTool(tool, definition)
    }
  }

  private addTool({ name, schema }: Tool, definition: SegmentToolDefinition): void {
    checkTool(name, definition)
    const known = this.byName.get(name.toLowerCase())
    for (const [key, syntax] of this.byName) if (syntax === known) this.byName.delete(key)
    const built = known === undefined ? undefined : asIn(schema, known, definition.streams)
    const given = Object.fromEntries(
      Object.entries(definition).filter(([field, value]) => FIELDS.has(field) && value !== undefined),
    )
    const syntax: ToolSyntax = { ...built, ...given, name }
    if (syntax.streams !== undefined) this.add(syntax)
    else if (syntax.shorthand || syntax.segmentType !== undefined)
      throw new SluiceError(
        'invalid-option',
        `The tool '${name}' has a ${syntax.shorthand ? 'shorthand' : 'segmentType'}, but no \`streams\`, the argument that is its content.`,
      )
  }

  private add(syntax: ToolSyntax): void {
    for (const name of [syntax.name, ...(syntax.aliases ?? [])]) this.byName.set(name.toLowerCase(), syntax)
  }

  /** By its name, or another name it has, in any case. */
  get(name: string): ToolSyntax | undefined {
    return this.byName.get(name) ?? this.byName.get(name.toLowerCase())
  }

  /** Each of them once. */
  get all(): readonly ToolSyntax[] {
    return [...new Set(this.byName.values())]
  }
}

/**
 * How a tool is shown that is called like one that is known, as far as its schema has the same arguments. A tool with
 * other arguments is another tool, and has no content unless it `streams` one of its own.
 */
function asIn(schema: JsonSchema | undefined, known: ToolSyntax, streams: string | undefined) {
  const properties = typeof schema === 'object' ? schema.properties : undefined
  const has = (key: string): boolean => properties === undefined || Object.hasOwn(properties, key)
  if (streams === undefined && known.streams !== undefined && !has(known.streams)) return undefined
  const { headlines = [], requires = [] } = known
  if ([...headlines, ...requires].every(has)) return known
  // A tag of its own would have the headlines of the other as attributes.
  return { ...known, headlines: headlines.filter(has), requires: requires.filter(has), shorthand: false }
}

const FIELDS: ReadonlySet<string> = new Set([
  'segmentType',
  'streams',
  'streamedAs',
  'headlines',
  'markers',
  'requires',
  'shorthand',
  'aliases',
  'details',
  'entities',
  'api',
])

/** How a tool is shown by its content; nothing where it is shown by its source. */
export function shownByContent(syntax: ToolSyntax | null | undefined): ToolSyntax | undefined {
  return syntax?.streams !== undefined && syntax.runs !== false ? syntax : undefined
}

/** A text as the detail it is written for, or nothing where it cannot be that. */
export function readDetail(kind: DetailKind, text: string): JsonValue | undefined {
  const word = text.trim()
  if (kind === 'text') return word === '' ? undefined : word
  if (kind === 'flag') {
    const flag = word.toLowerCase()
    if (flag === 'true' || flag === '1' || flag === 'yes') return true
    return flag === 'false' || flag === '0' || flag === 'no' ? false : undefined
  }
  const number = Number.parseInt(word, 10)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** The name of a detail, whatever it was called on the wire. */
export function detailNamed(syntax: ToolSyntax, name: string): string | undefined {
  const { details = {} } = syntax
  if (Object.hasOwn(details, name)) return name
  return Object.keys(details).find((detail) => details[detail]?.aliases?.includes(name))
}

/** The name of an argument, whatever a header called it. */
export function argumentNamed(syntax: ToolSyntax | undefined, name: string): string {
  if (syntax?.streams !== undefined && syntax.streamedAs?.includes(name)) return syntax.streams
  return (syntax && detailNamed(syntax, name)) ?? name
}
