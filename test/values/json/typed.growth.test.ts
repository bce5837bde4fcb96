import { expect, test } from 'vitest'
import { startOfLast } from '../../../src/values/json/last-value.ts'
import type { ObjectOptions } from '../../../src/values/json/reading-options.ts'
import { TypedReading } from '../../../src/values/json/typed/typed-reading.ts'
import type { JsonSchema } from '../../../src/values/schema/json-schema.ts'
import { growthOf, MOST_GROWTH } from '../../growth.ts'

const node: JsonSchema = { properties: { title: { type: 'string' }, inner: { $ref: '#' } }, type: 'object' }
const kinds = ['a', 'b'].map((kind) => ({
  type: 'object',
  properties: { kind: { const: kind }, title: { type: 'string' } },
  required: ['kind'],
}))
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

const cases: readonly {
  readonly name: string
  readonly size: number
  readonly schema: JsonSchema
  readonly text: (size: number) => string
  readonly options?: ObjectOptions
}[] = [
  { name: 'a long text', size: 50_000, schema: node, text: (n) => `{"title": "${'x'.repeat(n)}"}` },
  {
    name: 'a text with quotes',
    size: 10_000,
    schema: node,
    text: (n) => `{"title": "${'a "b", c'.repeat(n)}"}`,
  },
  {
    name: 'converted items',
    size: 5_000,
    schema: listOf({ type: 'integer' }),
    text: (n) => `[${'"7",'.repeat(n)}7]`,
  },
  {
    name: 'items of a union',
    size: 2_000,
    schema: listOf({ anyOf: kinds }),
    text: (n) => `[${'{"Kind": "B", "x": 1},'.repeat(n)}]`,
  },
  {
    name: 'keys in another case',
    size: 2_000,
    schema: listOf(node),
    text: (n) => `[${'{"Title": "a"},'.repeat(n)}]`,
  },
  {
    name: 'keys that are not declared',
    size: 2_000,
    schema: listOf(node),
    text: (n) => `[${'{"colour": [1]},'.repeat(n)}]`,
  },
  {
    name: 'items that do not fit',
    size: 5_000,
    schema: listOf({ type: 'integer' }),
    text: (n) => `[${'{},'.repeat(n)}]`,
  },
  {
    name: 'values in values',
    size: 2_000,
    schema: node,
    text: (n) => `${'{"title": "a", "inner": '.repeat(n)}null${'}'.repeat(n)}`,
  },
  {
    name: 'keys that are not declared, in the deep',
    size: 2_000,
    schema: node,
    text: (n) => `${'{"colour": 1, "inner": '.repeat(n)}null${'}'.repeat(n)}`,
  },
  {
    name: 'values that are held',
    size: 2_000,
    schema: listOf(node),
    text: (n) => `[${'{"title": "a"},'.repeat(n)}]`,
    options: { hold: ['/*', 'string'] },
  },
]

test.each(cases)('With a schema, work grows with the text and not with its square: $name', async (one) => {
  const read = (text: string): void => {
    const reading = new TypedReading(one.schema, one.options ?? {})
    for (const character of text) {
      reading.push(character)
      void reading.shown.value
    }
    reading.end()
    if (reading.value === undefined) throw new Error('it has no value')
  }
  expect(await growthOf((length) => read(one.text(length)), one.size / 2)).toBeLessThan(MOST_GROWTH)
})

test('The last of many values is found in linear time', async () => {
  const find = (length: number): void => {
    const text = '{"a":1} x '.repeat(length)
    if (startOfLast(text, {}) !== text.length - 10) throw new Error('it is another one')
  }
  expect(await growthOf(find, 5_000)).toBeLessThan(MOST_GROWTH)
})
