import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import {
  type Growing,
  type Hold,
  type ObjectOptions,
  parseObject,
  watchObject,
} from '../../../src/values/json/index.ts'

const ticket = z.object({
  title: z.string(),
  severity: z.enum(['low', 'high', 'in_progress']),
  days: z.int().optional(),
  price: z.number().nullish(),
  isUrgent: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
  owner: z.object({ name: z.string(), age: z.int().optional() }).nullable().optional(),
})
type Ticket = z.infer<typeof ticket>

/** The members of a ticket, with what it must have. */
const REST = '"severity": "low"'
const whole = (members: string): string => `{"title": "Lamp", ${REST}, ${members}}`
const read = (members: object): object => ({ title: 'Lamp', severity: 'low', ...members })

describe('An answer with a schema', () => {
  test.each<[what: string, text: string, value: object, changes: object[], options?: ObjectOptions]>([
    ['a number in quotes', whole('"days": "3"'), read({ days: 3 }), [{ path: '/days', from: '3', to: 3 }]],
    [
      'a boolean in quotes',
      whole('"isUrgent": "True"'),
      read({ isUrgent: true }),
      [{ path: '/isUrgent', from: 'True', to: true }],
    ],
    [
      'yes for a boolean',
      whole('"isUrgent": "Yes"'),
      read({ isUrgent: true }),
      [{ path: '/isUrgent', from: 'Yes', to: true }],
    ],
    [
      'one value for a list',
      whole('"tags": "red"'),
      read({ tags: ['red'] }),
      [{ path: '/tags', from: 'red', to: ['red'] }],
    ],
    [
      'an object in quotes',
      whole('"owner": "{\\"name\\": \\"Ann\\"}"'),
      read({ owner: { name: 'Ann' } }),
      [{ path: '/owner', from: '{"name": "Ann"}', to: { name: 'Ann' } }],
    ],
    ['null for what may be left out', whole('"days": null'), read({}), [{ path: '/days', from: null }]],
    ['null where it may be', whole('"price": null'), read({ price: null }), []],
    [
      'a number for a text, as it is written',
      '{"title": 3.10, "severity": "low"}',
      { title: '3.10', severity: 'low' },
      [{ path: '/title', from: 3.1, to: '3.10' }],
    ],
    [
      'a constant in another case, with spaces',
      '{"title": "Lamp", "severity": "In Progress"}',
      { title: 'Lamp', severity: 'in_progress' },
      [{ path: '/severity', from: 'In Progress', to: 'in_progress' }],
    ],
    [
      'keys in another case, with hyphens',
      '{"Title": "Lamp", "SEVERITY": "low", "is-urgent": true, "owner": {"Name": "Ann"}}',
      { title: 'Lamp', severity: 'low', isUrgent: true, owner: { name: 'Ann' } },
      [
        { path: '/title', from: 'Title', to: 'title', of: 'key' },
        { path: '/severity', from: 'SEVERITY', to: 'severity', of: 'key' },
        { path: '/isUrgent', from: 'is-urgent', to: 'isUrgent', of: 'key' },
        { path: '/owner/name', from: 'Name', to: 'name', of: 'key' },
      ],
    ],
    ['a key that is not declared', whole('"colour": {"a": [1]}, "days": 2'), read({ days: 2 }), []],
    [
      'quotes that are not escaped',
      `{"title": "A "Tiffany", broken", ${REST}}`,
      { title: 'A "Tiffany", broken', severity: 'low' },
      [],
    ],
    ['an answer that is a string of JSON', JSON.stringify(whole('"days": 2')), read({ days: 2 }), []],
    [
      'a number with a currency',
      whole('"price": "$1,200.50"'),
      read({ price: 1200.5 }),
      [{ path: '/price', from: '$1,200.50', to: 1200.5 }],
      { numbers: 'formatted' },
    ],
    [
      'a number with a unit',
      whole('"price": "1200.5 EUR", "days": "3 days"'),
      read({ price: 1200.5, days: 3 }),
      [
        { path: '/price', from: '1200.5 EUR', to: 1200.5 },
        { path: '/days', from: '3 days', to: 3 },
      ],
      { numbers: 'formatted' },
    ],
    [
      'a number as in other countries',
      whole('"price": "1.200,50 €"'),
      read({ price: 1200.5 }),
      [{ path: '/price', from: '1.200,50 €', to: 1200.5 }],
      { numbers: 'formatted' },
    ],
    [
      'a list around an object',
      whole('"owner": [{"name": "Ann"}]'),
      read({ owner: { name: 'Ann' } }),
      [{ path: '/owner', from: [{ name: 'Ann' }], to: { name: 'Ann' } }],
      { unwrap: true },
    ],
    [
      'a draft before the answer',
      `${whole('"days": 1')}\nNo, that is wrong: ${whole('"days": "2"')}\n"Done."`,
      read({ days: 2 }),
      [{ path: '/days', from: '2', to: 2 }],
      { severalValues: 'last' },
    ],
    [
      'a list around the answer',
      `[${whole('"days": 2')}]`,
      read({ days: 2 }),
      [{ path: '', from: [read({ days: 2 })], to: read({ days: 2 }) }],
      { unwrap: true },
    ],
    [
      'a key around the answer',
      `{"ticket": ${whole('"days": "2"')}}`,
      read({ days: 2 }),
      [
        { path: '', from: { ticket: read({ days: '2' }) }, to: read({ days: '2' }) },
        { path: '/days', from: '2', to: 2 },
      ],
      { unwrap: true },
    ],
    ['nothing around the answer', whole('"days": 2'), read({ days: 2 }), [], { unwrap: true }],
  ])('may have %s', async (_, text, value, changes, options) => {
    const result = parseObject(text, ticket, options)
    expect(result).toMatchObject({ ok: true, value, changes })
    for (const pieces of [[text], Array.from(text)])
      expect(await watchObject(pieces, ticket, options).result).toEqual(result)
  })

  test.each<[what: string, text: string, options?: ObjectOptions]>([
    ['a fraction for an integer', whole('"days": 3.7')],
    ['an integer with more digits than a number keeps', whole('"days": 9007199254740993')],
    ['a constant with a word more', '{"title": "Lamp", "severity": "low priority"}'],
    ['two constants', '{"title": "Lamp", "severity": "low or high"}'],
    ['another word for a key', '{"name": "Lamp", "severity": "low"}'],
    ['a key twice', whole('"days": 1, "days": 2')],
    ['two keys of one meaning', whole('"days": 1, "Days": 2')],
    ['null for what must be there', '{"title": null, "severity": "low"}'],
    ['several values for a list in one text', whole('"tags": "red, green"')],
    ['an object in a list of texts', whole('"tags": [{"name": "red"}]')],
    ['what is cut off', '{"title": "Lamp", "severity": "low"'],
    ['a string with quotes that may end before', '{"title": "A "B" C", days: 3, "severity": "low"}'],
    ['a number with a currency', whole('"price": "$1,200.50"')],
    ['a number in thousands', whole('"price": "3k"'), { numbers: 'formatted' }],
    ['a number with one comma', whole('"price": "1200,50"'), { numbers: 'formatted' }],
    ['a text without its first quote', '{"title": Lamp", "severity": "low"}'],
    ['dots for other values', whole('"tags": ["red", ...]')],
    ['a fraction of two numbers', whole('"price": "1/2"'), { numbers: 'formatted' }],
    ['a percentage', whole('"price": "45%"'), { numbers: 'formatted' }],
    ['a key around the answer', `{"ticket": ${whole('"days": 2')}}`],
    ['a key around the answer, and another', `{"ticket": ${whole('"days": 2')}, "b": 1}`, { unwrap: true }],
    ['two answers in a list', `[${whole('"days": 2')}, ${whole('"days": 3')}]`, { unwrap: true }],
  ])('may not have %s', async (_, text, options) => {
    const result = parseObject(text, ticket, options)
    expect(result.ok).toBe(false)
    for (const pieces of [[text], Array.from(text)])
      expect(await watchObject(pieces, ticket, options).result).toEqual(result)
  })

  test('says what is there twice', () => {
    const result = parseObject('{"Title": "a", "title": "b", "severity": "low"}', ticket)
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'schema',
        message: 'The schema does not accept the value at /title: is there twice, once as "title"',
      },
    })
  })

  test('shows the schema everything that is wrong', () => {
    const strict = z.object({ owner: z.strictObject({ name: z.string(), age: z.int() }) })
    const result = parseObject('{"owner": {"colour": "red", "age": 3}}', strict, { hold: ['/owner'] })
    expect(result).toMatchObject({
      ok: false,
      issues: [{ path: ['owner', 'name'] }, { path: ['owner'], keys: ['colour'] }],
    })
  })

  test('shows a key that is not declared to the schema', () => {
    const strict = z.strictObject({ owner: z.strictObject({ name: z.string() }) })
    const result = parseObject('{"owner": {"name": "Ann", "age": 3}}', strict)
    expect(result).toMatchObject({ ok: false, issues: [{ path: ['owner'], keys: ['age'] }] })
    const loose = z.looseObject({ name: z.string() })
    expect(parseObject('{"name": "Ann", "Name": 3}', loose)).toMatchObject({
      ok: true,
      value: { name: 'Ann', Name: 3 },
    })
  })

  test('cannot be parsed at once if its schema is asynchronous', () => {
    const late = z.object({ a: z.string().refine(async () => true) })
    const schema = { '~standard': { ...late['~standard'], validate: async (value: unknown) => ({ value }) } }
    expect(() => parseObject('{"a": "b"}', schema)).toThrow(
      expect.objectContaining({ code: 'invalid-schema' }),
    )
  })

  test('needs a schema that gives its types for what depends on them', () => {
    for (const options of [
      { hold: ['string'] as const },
      { numbers: 'formatted' },
      { unwrap: true },
    ] as const)
      expect(() => watchObject('{}', undefined, options)).toThrow(
        expect.objectContaining({ code: 'invalid-schema' }),
      )
    expect(() => parseObject('{}', ticket, { hold: ['title' as Hold] })).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    )
  })
})

/** The snapshots of a text that comes in these pieces. */
async function snapshots(pieces: readonly string[], options?: ObjectOptions): Promise<unknown[]> {
  const seen: unknown[] = []
  for await (const { value, completed } of watchObject(pieces, ticket, options))
    seen.push([value, completed.map(String)])
  return seen
}

describe('A growing answer with a schema', () => {
  test('shows texts while they grow, and everything else whole and in its type', async () => {
    expect(
      await snapshots([
        '{"Title": "La',
        'mp", "severity": "In Pro',
        'gress", "days": "',
        '3", "isUrg',
        'ent": 1}',
      ]),
    ).toEqual([
      [{ title: 'La' }, []],
      [{ title: 'Lamp' }, ['/title']],
      [{ title: 'Lamp', severity: 'in_progress' }, ['/severity']],
      [{ title: 'Lamp', severity: 'in_progress', days: 3, isUrgent: true }, ['/days', '/isUrgent', '']],
    ])
  })

  test('shows what may be null, and lists, as soon as they begin', async () => {
    expect(
      await snapshots([
        '{"owner": {"na',
        'me": "A',
        'nn"}, "tags": ["r',
        'ed"], "x": {"y": 1}, "pri',
        'ce": null,',
      ]),
    ).toEqual([
      [{ owner: {} }, []],
      [{ owner: { name: 'A' } }, []],
      [{ owner: { name: 'Ann' }, tags: ['r'] }, ['/owner/name', '/owner']],
      [{ owner: { name: 'Ann' }, tags: ['red'] }, ['/tags/0', '/tags']],
      [{ owner: { name: 'Ann' }, tags: ['red'], price: null }, ['/price']],
    ])
  })

  test('says that a text is complete when what follows can follow', async () => {
    expect(await snapshots(['{"title": "A "', 'Tiffany"', ' lamp", "severity"', ': "low"}'])).toEqual([
      [{ title: 'A ' }, []],
      [{ title: 'A "Tiffany" lamp', severity: 'low' }, ['/title', '/severity', '']],
    ])
  })

  test('holds what it is asked to hold', async () => {
    const pieces = [
      '{"title": "La',
      'mp", "tags": ["r',
      'ed", "gr',
      'een"], "owner": {"name": "A',
      'nn", "age": 3}}',
    ]
    expect(await snapshots(pieces, { hold: ['/title', '/tags/*', '/owner'] })).toEqual([
      [{}, []],
      [{ title: 'Lamp', tags: [] }, ['/title']],
      [{ title: 'Lamp', tags: ['red'] }, ['/tags/0']],
      [{ title: 'Lamp', tags: ['red', 'green'] }, ['/tags/1', '/tags']],
      [{ title: 'Lamp', tags: ['red', 'green'], owner: { name: 'Ann', age: 3 } }, ['/owner', '']],
    ])
    expect(await snapshots(pieces, { hold: ['string', 'object', 'array'] })).toEqual([
      [{}, []],
      [{ title: 'Lamp' }, ['/title']],
      [{ title: 'Lamp', tags: ['red', 'green'] }, ['/tags']],
      [{ title: 'Lamp', tags: ['red', 'green'], owner: { name: 'Ann', age: 3 } }, ['/owner', '']],
    ])
  })

  test('does not show what is of another type', async () => {
    expect(
      await snapshots([
        '{"days": "soon", "title": "La',
        'mp", "severity": "unknown", "tags": ["red", {}, "blue"]}',
      ]),
    ).toEqual([
      [{ title: 'La' }, []],
      [{ title: 'Lamp', tags: ['red'] }, ['/title', '/tags/0', '/tags', '']],
    ])
    const result = parseObject(
      '{"title": "Lamp", "severity": "low", "days": "soon", "tags": ["red", {}, "blue"]}',
      ticket,
    )
    expect(result).toMatchObject({
      ok: false,
      value: { title: 'Lamp', severity: 'low', days: 'soon', tags: ['red', {}, 'blue'] },
      issues: [{ path: ['days'] }, { path: ['tags', 1] }],
    })
    expect(parseObject('[1]', ticket)).toMatchObject({ ok: false, issues: [{ path: [] }] })
  })

  test('has the types that are true while it grows', () => {
    expectTypeOf<Growing<Ticket>>().toEqualTypeOf<{
      readonly title?: string
      readonly severity?: 'low' | 'high' | 'in_progress'
      readonly days?: number | undefined
      readonly price?: number | null | undefined
      readonly isUrgent?: boolean | undefined
      readonly tags?: readonly string[] | undefined
      readonly owner?: { readonly name?: string; readonly age?: number | undefined } | null | undefined
    }>()
    interface Shop {
      id: `id-${string}`
      place: [lat: number, { name: string }]
      items: { name: string; parts: { name: string }[] }[]
    }
    expectTypeOf<Growing<Shop>>().toEqualTypeOf<{
      readonly id?: string
      readonly place?: readonly [lat?: number, name?: { readonly name?: string }]
      readonly items?: readonly {
        readonly name?: string
        readonly parts?: readonly { readonly name?: string }[]
      }[]
    }>()
    expectTypeOf<Growing<Shop, '/items/*'>['items']>().toEqualTypeOf<
      readonly Shop['items'][0][] | undefined
    >()
    expectTypeOf<Growing<Shop, '/items/*/parts' | '/id'>>().toEqualTypeOf<{
      readonly id?: `id-${string}`
      readonly place?: readonly [lat?: number, name?: { readonly name?: string }]
      readonly items?: readonly { readonly name?: string; readonly parts?: { name: string }[] }[]
    }>()
    expectTypeOf<Growing<Shop, 'object'>['items']>().toEqualTypeOf<readonly Shop['items'][0][] | undefined>()
    expectTypeOf<Growing<Shop, 'array'>['items']>().toEqualTypeOf<Shop['items'] | undefined>()
  })

  test('is typed by the input of its schema, and its result by the output', async () => {
    const event = z.object({ on: z.string().transform((text) => text.length), tags: z.array(z.string()) })
    const watched = watchObject('{"on": "Monday", "tags": ["a"]}', event, { hold: ['/tags'] })
    for await (const { value } of watched)
      expectTypeOf(value).toEqualTypeOf<{ readonly on?: string; readonly tags?: string[] } | undefined>()
    const result = await watched.result
    expect(result).toMatchObject({ ok: true, value: { on: 6, tags: ['a'] } })
    if (result.ok) expectTypeOf(result.value.on).toBeNumber()
  })
})
