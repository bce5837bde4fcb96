/** The forms in which models were trained to see tools: lines of JSON, one list, TypeScript, tags, literals. */

import { type Fields, isFields } from '../../base/fields.ts'
import type { JsonSchema, JsonSchemaObject } from '../../values/schema/json-schema.ts'
import { smallSchema } from './small-schema.ts'

/** A tool as a system prompt describes it. */
export interface PromptTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: JsonSchema
  readonly inputExamples?: readonly { readonly input: unknown }[] | undefined
}

export type ToolList = (tools: readonly PromptTool[]) => string

/** `{"name":"ls","parameters":{…}}` */
function plain({ name, description, inputSchema }: PromptTool): Fields {
  return { name, ...(description && { description }), parameters: smallSchema(inputSchema) }
}

/** `{"type":"function","function":{"name":"ls",…}}` */
function asFunction(tool: PromptTool): Fields {
  return { type: 'function', function: plain(tool) }
}

/** One line of JSON for each tool. */
export const plainLines: ToolList = (tools) => tools.map((tool) => JSON.stringify(plain(tool))).join('\n')
export const functionLines: ToolList = (tools) =>
  tools.map((tool) => JSON.stringify(asFunction(tool))).join('\n')

/** All of them as one list. */
export const plainArray: ToolList = (tools) => JSON.stringify(tools.map(plain))
export const functionArray: ToolList = (tools) => JSON.stringify(tools.map(asFunction))

/** A line of JSON for each, in a tag. */
export const taggedLines: ToolList = (tools) =>
  tools.map((tool) => `<tool>${JSON.stringify(plain(tool))}</tool>`).join('\n')

/** A heading for each tool, and under it what it does and takes. */
export const sections: ToolList = (tools) =>
  tools
    .map(({ name, description = '', inputSchema }) => {
      const parameters = JSON.stringify(smallSchema(inputSchema))
      return `### ${name}\nDescription: ${description}\n\nParameters: ${parameters}`
    })
    .join('\n\n')

/**
 *     <function>
 *     <name>ls</name>
 *     <parameters>
 *     <parameter>
 *     <name>path</name>
 *     <type>string</type>
 *     </parameter>
 *     </parameters>
 *     </function>
 */
export const tags: ToolList = (tools) =>
  tools
    .map(({ name, description, inputSchema }) => {
      const { properties = {}, ...rest } = objectSchema(smallSchema(inputSchema))
      const parameters = Object.entries(properties).flatMap(([key, property]) => {
        const { type, description: about, ...others } = objectSchema(property)
        return [
          '<parameter>',
          tag('name', key),
          tag('type', type),
          tag('description', about),
          tagged(others),
        ].concat('</parameter>')
      })
      const { type: _, ...others } = rest
      return ['<function>', tag('name', name), tag('description', description), '<parameters>']
        .concat(parameters, tagged(others), '</parameters>', '</function>')
        .filter((line) => line !== '')
        .join('\n')
    })
    .join('\n')

function tag(name: string, value: unknown): string {
  if (value === undefined) return ''
  return `<${name}>${typeof value === 'string' ? value : JSON.stringify(value)}</${name}>`
}

function tagged(fields: Fields): string {
  return Object.entries(fields)
    .map(([key, value]) => tag(key, value))
    .join('\n')
}

/**
 *     namespace functions {
 *
 *     // Lists a folder.
 *     type ls = (_: {
 *     path: string,
 *     }) => any;
 *
 *     }
 */
export const typescript: ToolList = (tools) => {
  const types = tools.map(({ name, description, inputSchema }) => {
    const schema = objectSchema(inputSchema)
    const isEmpty = Object.keys(schema.properties ?? {}).length === 0
    return `${comment(description)}type ${name} = (${isEmpty ? '' : `_: ${typeOf(schema, 0)}`}) => any;`
  })
  return `namespace functions {\n\n${types.join('\n\n')}\n\n}`
}

/** How deep types are written out. */
const MOST_LEVELS = 8

function typeOf(schema: JsonSchema | undefined, level: number): string {
  const { type, enum: values, const: constant, anyOf, oneOf, items, properties } = objectSchema(schema)
  if (constant !== undefined) return JSON.stringify(constant)
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ')
  const choices = anyOf ?? oneOf
  if (level === MOST_LEVELS) return 'any'
  if (choices !== undefined) return choices.map((choice) => typeOf(choice, level + 1)).join(' | ')
  const written = [type].flat().map((one) => {
    if (one === 'array') {
      const item = typeOf([items].flat()[0] as JsonSchema | undefined, level + 1)
      return item.includes(' | ') ? `(${item})[]` : `${item}[]`
    }
    if (one === 'object' && properties !== undefined) return objectType(objectSchema(schema), level)
    return one === 'integer' ? 'number' : (one ?? 'any')
  })
  return written.join(' | ')
}

function objectType({ properties = {}, required = [] }: JsonSchemaObject, level: number): string {
  const fields = Object.entries(properties).map(([key, property]) => {
    const mark = required.includes(key) ? '' : '?'
    return `${comment(objectSchema(property).description)}${key}${mark}: ${typeOf(property, level + 1)},\n`
  })
  return `{\n${fields.join('')}}`
}

function comment(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `${text.replace(/^/gm, '// ')}\n`
}

/**
 * Declarations in the literals of a dialect, whose quote is a token:
 *
 *     declaration:ls{description:<|"|>Lists a folder.<|"|>,parameters:{type:<|"|>OBJECT<|"|>}}
 */
export const declarations =
  (open: string, close: string, quote: string): ToolList =>
  (tools) =>
    tools
      .map(({ name, description = '', inputSchema }) => {
        const parameters = literal(smallSchema(inputSchema), quote)
        return `${open}declaration:${name}{description:${quote}${description}${quote},parameters:${parameters}}${close}`
      })
      .join('')

/** Gemma writes the names of types in capitals. */
function literal(value: unknown, quote: string, key = ''): string {
  if (typeof value === 'string') return `${quote}${key === 'type' ? value.toUpperCase() : value}${quote}`
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, quote)).join(',')}]`
  if (!isFields(value)) return String(value)
  const fields = Object.entries(value).map(([name, inner]) => `${name}:${literal(inner, quote, name)}`)
  return `{${fields.join(',')}}`
}

function objectSchema(schema: JsonSchema | undefined): JsonSchemaObject {
  return typeof schema === 'object' ? schema : {}
}
