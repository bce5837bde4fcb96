/**
 * Tools as Chat Completions declares them, which other protocols imitate.
 *
 *     { "type": "function", "function": { "name": "ls", "parameters": { "type": "object" } } }
 */

import { type Fields, isFields } from '../base/fields.ts'
import type { FunctionTool, RequestTool } from '../requests/conversation/model-request.ts'
import { ofProvider, under } from './metadata.ts'
import { fieldsOf, textOf, wordOf } from './payload-fields.ts'
import { given, schemaOf, TEXT_INPUT, withoutFields } from './request-fields.ts'

/** A tool whose declaration is of another type is one that the provider runs. */
export function readFunctionTool(provider: string, tool: Fields): RequestTool {
  const kind = isFields(tool.custom) ? 'custom' : 'function'
  const { type = 'function' } = tool
  const declared = fieldsOf(tool[kind])
  if (type !== kind || typeof declared.name !== 'string')
    return { type: 'provider', provider, definition: tool }
  const { name, description, parameters, strict } = declared
  const known = kind === 'custom' ? ['name', 'description'] : ['name', 'description', 'parameters', 'strict']
  return given({
    name: textOf(name),
    type: kind === 'custom' ? kind : undefined,
    description: wordOf(description),
    inputSchema: kind === 'function' && isFields(parameters) ? parameters : undefined,
    strict: kind === 'function' && typeof strict === 'boolean' ? strict : undefined,
    metadata: under(provider, {
      ...withoutFields(tool, ['type', kind]),
      [kind]: withoutFields(declared, known),
    }),
  }) as RequestTool
}

/** The tool as a function; one whose input is free text takes it as an argument. */
export function writeFunctionTool(provider: string, tool: FunctionTool): Fields {
  const { name, type, description, strict, metadata } = tool
  const { function: own, custom: _, ...rest } = ofProvider(metadata, provider)
  const parameters = type === 'custom' ? TEXT_INPUT : schemaOf(tool)
  return {
    ...rest,
    type: 'function',
    function: { ...fieldsOf(own), ...given({ name, description, parameters, strict }) },
  }
}
