/**
 * The one table of tools: what each accepts, and how it is shown while it streams. Every mode, dialect
 * and view reads it; nothing else knows in which form an application declares its tools.
 */

import { SluiceError } from '../../base/errors.ts'
import type { CallError } from '../../base/event.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { nearest } from '../../base/nearest.ts'
import { described, wrongOption } from '../../base/options.ts'
import { isSchema, type JsonSchema } from '../../values/schema/json-schema.ts'
import { isStandardSchema, type StandardSchemaV1, toJsonSchema } from '../../values/schema/standard.ts'

/** How a call of the tool is shown. */
export interface ToolPresentation {
  /** The argument that is shown while it grows, such as `content`. */
  readonly streams?: string | undefined
  /** The arguments that say at a glance what the call is about, such as `path`. */
  readonly headlines?: readonly string[] | undefined
  /** What stands before and after the streamed argument where the view is plain text. */
  readonly markers?: { readonly start: string; readonly end: string } | undefined
  /** The type of segment that views make of a call, such as `write_file`. */
  readonly segmentType?: string | undefined
}

/** An object that holds a JSON Schema, as the AI SDK's `jsonSchema()` gives; a promised one is not waited for. */
export interface SchemaHolder {
  readonly jsonSchema: JsonSchema | PromiseLike<JsonSchema>
}

/** The last of these is how providers' own types describe JSON Schema. */
export type ToolSchema =
  | JsonSchema
  | StandardSchemaV1
  | SchemaHolder
  | { readonly [keyword: string]: unknown }

/** A tool of a record, whose key is its name: the AI SDK's form. */
export interface UnnamedTool extends ToolPresentation {
  /** Integers beyond 2^53 reach the tool as bigints, exactly. Without it, a call with one is refused. */
  readonly bigint?: boolean | undefined
  /** A description that is made for each request is not kept. */
  readonly description?: string | ((options: never) => string) | null | undefined
  readonly inputSchema?: ToolSchema | (() => ToolSchema) | null | undefined
  readonly parameters?: ToolSchema | null | undefined
  /** A schema is no tool: it goes into `inputSchema`. */
  readonly '~standard'?: undefined
}

/** Also the form of OpenAI's Responses API, which adds `type: 'function'`. */
export interface NamedTool extends UnnamedTool {
  readonly name: string
  readonly type?: string | null | undefined
}

export interface AnthropicTool extends ToolPresentation {
  readonly name: string
  readonly description?: string | undefined
  readonly input_schema: ToolSchema
}

export interface OpenAiChatTool extends ToolPresentation {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description?: string | undefined
    readonly parameters?: ToolSchema | null | undefined
  }
}

/** OpenAI's tools whose input is free text. */
export interface OpenAiCustomTool extends ToolPresentation {
  readonly type: 'custom'
  readonly custom: { readonly name: string; readonly description?: string | undefined }
}

/** A tool that the provider runs itself, such as `{ type: 'web_search' }`: it is passed over. */
export interface ProviderTool {
  readonly type: string
  readonly name?: undefined
}

/** One tool, in the form that you already have: plain, Anthropic's, OpenAI's, or one that the provider runs. */
export type ToolDefinition = NamedTool | AnthropicTool | OpenAiChatTool | OpenAiCustomTool | ProviderTool

/** The tools of a request: a list, or an object by name. */
export type ToolDefinitions = readonly ToolDefinition[] | { readonly [name: string]: UnnamedTool }

export interface Tool extends ToolPresentation {
  readonly name: string
  readonly description?: string | undefined
  /** Integers beyond 2^53 are bigints. */
  readonly bigint?: boolean | undefined
  /** The schema of the input, where it was given as JSON Schema or can be had as such. */
  readonly schema?: JsonSchema | undefined
  /** The Standard Schema, where the tool was given one: for validating the finished input. */
  readonly standard?: StandardSchemaV1 | undefined
}

/**
 * All tools of a response, by name.
 *
 *     const tools = createToolTable([{ name: 'write_file', inputSchema: schema, streams: 'content' }])
 *     tools.get('write_file')?.streams  // 'content'
 */
export class ToolTable {
  readonly names: readonly string[]
  private readonly tools: ReadonlyMap<string, Tool>

  constructor(tools: ReadonlyMap<string, Tool>) {
    this.tools = tools
    this.names = [...tools.keys()]
  }

  get size(): number {
    return this.tools.size
  }

  get(name: string): Tool | undefined {
    return this.tools.get(name)
  }

  has(name: string): boolean {
    return this.tools.has(name)
  }

  /** Whether a word is the name of a tool, or begins with one. */
  begins(word: string): boolean {
    return this.names.some((name) => word.startsWith(name))
  }

  /** Why a call of this name is refused; undefined if there is such a tool, or if no tools were given. */
  refusalOf(name: string, offset: number): CallError | undefined {
    if (this.tools.size === 0 || this.tools.has(name)) return undefined
    return { code: UNKNOWN_TOOL, message: `There is no tool '${name}'.`, offset }
  }

  [Symbol.iterator](): Iterator<Tool> {
    return this.tools.values()
  }
}

/** The code of a call that was read well, but whose tool is none of those that were given. */
export const UNKNOWN_TOOL = 'unknown-tool'

const EMPTY = new ToolTable(new Map())

/** Tables already made. What was in the list then is kept beside, because lists of tools are pushed to. */
const made = new WeakMap<object, { readonly parts: readonly unknown[]; readonly table: ToolTable }>()

/** The table for some tools; the same one every time, as long as the tools are the same. */
export function createToolTable(tools: ToolDefinitions | ToolTable | undefined): ToolTable {
  if (tools === undefined || tools === null) return EMPTY
  if (tools instanceof ToolTable) return tools
  if (typeof tools !== 'object')
    throw wrongOption(`Tools must be a list or an object of tools by name, not ${described(tools)}.`)
  const parts = Array.isArray(tools) ? tools.slice() : Object.entries(tools).flat()
  const known = made.get(tools)
  if (known !== undefined && isSameList(known.parts, parts)) return known.table
  const table = new ToolTable(readDefinitions(tools))
  made.set(tools, { parts, table })
  return table
}

function isSameList(first: readonly unknown[], second: readonly unknown[]): boolean {
  return first.length === second.length && first.every((part, index) => part === second[index])
}

function readDefinitions(tools: ToolDefinitions): Map<string, Tool> {
  const found = new Map<string, Tool>()
  const entries: Iterable<[string | number, unknown]> = Array.isArray(tools)
    ? tools.entries()
    : Object.entries(tools)
  for (const [key, definition] of entries) {
    const isListed = typeof key === 'number'
    const which = isListed ? `Tool ${key + 1} of the list` : `The tool '${key}'`
    if (!isFields(definition))
      throw wrongOption(`${which} must be an object with a name and a schema, not ${described(definition)}.`)
    const wrapped = isListed && [definition.function, definition.custom].find(isFields)
    const fields = wrapped || definition
    const name = isListed ? fields.name : key
    if (isText(name)) {
      if (found.has(name))
        throw wrongOption(`There are two tools named '${name}'; give each tool its own name.`)
      found.set(name, readTool(name, fields, definition))
    } else if (!isListed) throw wrongOption('A tool has an empty name; give it one as its key.')
    else if (!isProvidersOwn(definition)) throw wrongOption(`${which} has no name; give it a \`name\`.`)
  }
  return found
}

function isProvidersOwn(fields: Fields): boolean {
  return fields.name === undefined && isText(fields.type) && fields.type !== 'function'
}

function readTool(name: string, fields: Fields, presentation: Fields): Tool {
  const given = unwrapLazy(fields.inputSchema ?? fields.parameters ?? fields.input_schema ?? undefined)
  if (given === undefined) checkForSchema(name, fields)
  if (given !== undefined && !isSchema(given) && !isStandardSchema(given))
    throw new SluiceError(
      'invalid-schema',
      `The schema of the tool '${name}' must be a JSON Schema or a Standard Schema, not ${described(given)}.`,
    )
  const { description } = fields
  return {
    name,
    description: typeof description === 'string' ? description : undefined,
    schema: given === undefined ? undefined : toJsonSchema(given),
    standard: isStandardSchema(given) ? given : undefined,
    ...readPresentation(name, presentation),
  }
}

/** Names that people give to the schema of a tool, in small letters. */
const MISNAMED: ReadonlySet<string> = new Set([
  ...['schema', 'jsonschema', 'input', 'inputs', 'inputschema', 'inputjsonschema', 'params', 'param'],
  ...['paramsschema', 'parameter', 'parametersschema', 'argschema', 'argsschema', 'argumentsschema'],
])

/** Throws where the schema has another name, or is the tool itself: then nothing of the input would be checked. */
function checkForSchema(name: string, fields: Fields): void {
  if (isStandardSchema(fields) || isFields(fields.properties))
    throw wrongOption(`The tool '${name}' is a schema itself; write { inputSchema: … } around it.`)
  const misnamed = Object.keys(fields).find((field) => {
    const isSchemaLike = typeof fields[field] === 'function' || isFields(fields[field])
    if (!isSchemaLike || OWN.has(field)) return false
    return MISNAMED.has(field.toLowerCase().replaceAll('_', '')) || nearest(field, KNOWN) !== undefined
  })
  if (misnamed !== undefined)
    throw wrongOption(`The tool '${name}' has no field '${misnamed}'; did you mean 'inputSchema'?`)
}

const KNOWN: readonly string[] = ['inputSchema', 'parameters', 'input_schema']

/** Fields of tools that are near to those. */
const OWN: ReadonlySet<string> = new Set([...KNOWN, 'outputSchema', 'output_schema'])

/** The AI SDK also takes a function that gives the schema when it is first wanted. */
function unwrapLazy(given: unknown): unknown {
  if (typeof given !== 'function' || isStandardSchema(given)) return given
  try {
    return (given as () => unknown)()
  } catch {
    return undefined
  }
}

/** What each field of a presentation must be, and how that is said. */
const PRESENTATION: Record<
  keyof ToolPresentation | 'bigint',
  [isRight: (value: unknown) => boolean, what: string]
> = {
  streams: [isText, 'the name of an argument'],
  headlines: [(names) => Array.isArray(names) && names.every(isText), 'a list of names of arguments'],
  markers: [
    (pair) => isFields(pair) && isText(pair.start) && isText(pair.end),
    'an object with the texts `start` and `end`',
  ],
  segmentType: [isText, 'the name of a type'],
  bigint: [(value) => typeof value === 'boolean', 'true or false'],
}

function readPresentation(name: string, fields: Fields): ToolPresentation {
  const presentation: Record<string, unknown> = {}
  for (const [field, [isRight, what]] of Object.entries(PRESENTATION)) {
    const value = fields[field]
    if (value !== undefined && !isRight(value))
      throw wrongOption(`\`${field}\` of the tool '${name}' must be ${what}.`)
    presentation[field] = value
  }
  return presentation
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
