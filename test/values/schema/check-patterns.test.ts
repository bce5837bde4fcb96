import { expect, test } from 'vitest'
import { brokenPatternIn } from '../../../src/values/schema/check-patterns.ts'
import type { JsonSchema } from '../../../src/values/schema/index.ts'

const BROKEN = { pattern: '[' }

test.each<[path: string, schema: object]>([
  ['/pattern', BROKEN],
  ['/patternProperties/[~1', { patternProperties: { '^a': true, '[/': true } }],
  ['/properties/a/pattern', { properties: { a: BROKEN } }],
  ['/properties/a/allOf/1/pattern', { properties: { a: { allOf: [{}, BROKEN] } } }],
  ['/$defs/a/items/pattern', { $defs: { a: { items: BROKEN } } }],
  ['/items/0/not/pattern', { items: [{ not: BROKEN }] }],
  ['/patternProperties/^a/pattern', { patternProperties: { '^a': BROKEN } }],
  ['/dependencies/a/pattern', { dependencies: { a: BROKEN, b: ['a'] } }],
  ...[
    'additionalItems',
    'additionalProperties',
    'contains',
    'else',
    'if',
    'items',
    'propertyNames',
    'then',
  ].map((keyword): [string, object] => [`/${keyword}/pattern`, { [keyword]: BROKEN }]),
  ...['unevaluatedItems', 'unevaluatedProperties', 'not'].map((keyword): [string, object] => [
    `/${keyword}/pattern`,
    { [keyword]: BROKEN },
  ]),
  ...['anyOf', 'oneOf', 'prefixItems'].map((keyword): [string, object] => [
    `/${keyword}/0/pattern`,
    { [keyword]: [BROKEN] },
  ]),
  ...['definitions', 'dependentSchemas'].map((keyword): [string, object] => [
    `/${keyword}/a/pattern`,
    { [keyword]: { a: BROKEN } },
  ]),
])('a broken pattern is found at %s', (path, schema) => {
  expect(brokenPatternIn(schema as JsonSchema)).toEqual({
    path,
    problem: expect.stringContaining('is not a regular expression.'),
  })
})

test.each<[what: string, schema: JsonSchema]>([
  ['every pattern can be run', { pattern: '^(?=a)(.)\\1\\p{L}', properties: { a: { pattern: '^a' } } }],
  ['it is data', { const: BROKEN, enum: [BROKEN], default: BROKEN, examples: [BROKEN] }],
  ['it is a name', { properties: { pattern: { const: 1 } }, required: ['['] }],
  ['it is the value of a keyword that is not known', { 'x-a': BROKEN } as JsonSchema],
  ['nothing is a schema', false],
  ['it is no text', { pattern: ['['] } as unknown as JsonSchema],
  ['schemas are nothing', { properties: null, items: null, not: undefined } as unknown as JsonSchema],
  ['it is data beside a keyword', { title: { a: BROKEN } } as unknown as JsonSchema],
  ['it is data in a schema', { not: { const: BROKEN } }],
])('none is found where %s', (_, schema) => {
  expect(brokenPatternIn(schema)).toBeUndefined()
})

test('a schema that holds itself is looked at once', () => {
  const schema = { properties: { a: {} } }
  schema.properties.a = schema
  expect(brokenPatternIn(schema)).toBeUndefined()
})
