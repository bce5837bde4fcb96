import { describe, expect, test } from 'vitest'
import { hermes } from '../../../../src/dialects/index.ts'
import { createParser } from '../../../../src/engine/parser.ts'
import {
  createOrderView,
  type OrderReport,
  orderArguments,
} from '../../../../src/views/compat/progress/index.ts'

describe('a schema', () => {
  const text = { type: 'string' }
  const schema = { type: 'object', properties: { content: text, mode: text, path: text, title: text } }

  test('is ordered so that what a call is about comes first, and what is long last', () => {
    const ordered = orderArguments(schema, { headlines: ['title', 'path'], streams: 'content' })
    expect(Object.keys(ordered.properties)).toEqual(['title', 'path', 'mode', 'content'])
    expect(ordered).toEqual(schema)
    expect(Object.keys(schema.properties)).toEqual(['content', 'mode', 'path', 'title'])
  })

  test('stays as it is where nothing is known of it', () => {
    expect(Object.keys(orderArguments(schema, {}).properties)).toEqual(['content', 'mode', 'path', 'title'])
    const bare = { type: 'object' }
    expect(orderArguments(bare, { headlines: ['path'] })).toBe(bare)
  })
})

describe('an argument', () => {
  const tools = [{ name: 'write', headlines: ['path'], streams: 'content' }, { name: 'other' }]

  function reportsOf(name: string, args: object): OrderReport[] {
    const reports: OrderReport[] = []
    const view = createOrderView(tools, (report) => reports.push(report))
    const parser = createParser({ dialect: hermes, tools, emit: { json: false, arguments: true } })
    const text = `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`
    for (const event of [...parser.push(text), ...parser.end()]) view.add(event)
    return reports
  }
  const long = 'x'.repeat(300)

  test('that comes behind a long one is reported', () => {
    expect(reportsOf('write', { mode: 'w', content: long, path: 'a.ts' })).toEqual([
      { toolCallId: 'call-1', toolName: 'write', argument: '/path', behind: '/content', characters: 301 },
    ])
    expect(reportsOf('write', { list: [long, long], path: 'a.ts' })[0]).toMatchObject({
      behind: '/list',
      characters: 600,
    })
  })

  test.each([
    ['comes first', 'write', { path: 'a.ts', content: long }],
    ['comes behind a short one', 'write', { mode: 'w', path: 'a.ts' }],
    ['says nothing at a glance', 'write', { content: long, mode: 'w' }],
    ['is of a tool without any that do', 'other', { content: long, path: 'a.ts' }],
  ])('that %s is not', (_, name, args) => {
    expect(reportsOf(name, args)).toEqual([])
  })
})
