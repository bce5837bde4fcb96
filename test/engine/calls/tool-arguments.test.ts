import { describe, expect, it } from 'vitest'
import { toolArgument } from '../../../src/engine/calls/tool-arguments.ts'
import { createToolTable } from '../../../src/engine/calls/tools.ts'
import type { JsonSchema } from '../../../src/values/schema/index.ts'

const toolWith = (inputSchema?: JsonSchema) => createToolTable([{ name: 'a', inputSchema }]).get('a')!

const WEATHER: JsonSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { $ref: '#/$defs/days' } },
  $defs: { days: { type: 'integer' } },
}

describe('an argument of a tool', () => {
  const tool = toolWith(WEATHER)
  const arguments_: [key: string, schema: JsonSchema | undefined, expects: string][] = [
    ['city', { type: 'string' }, 'string'],
    ['days', { type: 'integer' }, 'other'],
    ['other', undefined, 'unknown'],
    ['constructor', undefined, 'unknown'],
  ]
  it.each(arguments_)('%s is what the schema says of it', (key, schema, expects) => {
    expect(toolArgument(tool, key)).toEqual({ schema, expects })
    expect(toolArgument(tool, key)).toEqual({ schema, expects })
  })

  it('can be anything where the tool has no schema, and where there is no tool', () => {
    expect(toolArgument(toolWith(), 'x')).toEqual({ schema: undefined, expects: 'unknown' })
    expect(toolArgument(undefined, 'x')).toEqual({ schema: undefined, expects: 'unknown' })
  })

  it('is known although not every key a model makes up is remembered', () => {
    const open = toolWith({ additionalProperties: { type: 'string' } })
    for (let key = 0; key < 5000; key++) expect(toolArgument(open, `key${key}`).expects).toBe('string')
  })
})
