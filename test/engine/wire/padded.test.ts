import { describe, expect, it, test } from 'vitest'
import { createParser } from '../../../src/engine/parser.ts'
import { render } from '../../../src/engine/render.ts'
import { dialect } from '../../../src/engine/wire/checked-dialect.ts'
import { elements } from '../../../src/engine/wire/elements.ts'
import { perTool, wire } from '../../../src/engine/wire/template.ts'
import { outline } from './outline.ts'

const tools = [
  {
    name: 'send',
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        to: { type: 'array', items: { type: 'string' } },
        times: { type: 'integer' },
      },
    },
  },
  { name: 'say' },
] as const

const lines = dialect('lines', {
  call: wire`${perTool(({ name }) => wire`<${name}>${elements(name, { padded: true })}`)}`,
})
const options = { dialect: lines, tools }

describe('white space around a value that is layout', () => {
  test.each([
    ['around a string', '<send><text>\n  a\n</text></send>', '{"text":"a"}'],
    ['and not inside it', '<send><text>\n  a\n\n  b c\n</text></send>', '{"text":"a\\n\\n  b c"}'],
    ['around nothing', '<send><text>\n  \n</text></send>', '{"text":""}'],
    ['around an entity', '<send><text> &#32;a&lt; </text></send>', '{"text":" a<"}'],
    ['in a list', '<send><to>\n a\n</to><to>\n b\n</to></send>', '{"to":["a","b"]}'],
    ['around a number', '<send><times>\n 2\n</times></send>', '{"times":2}'],
  ])('%s', (_, response, input) => {
    expect(outline(response, options)).toEqual([`call send ${input}`])
  })

  it('is left out without a schema, too', () => {
    expect(outline('<say><a>\n x\n</a><b> 2 </b></say>', options)).toEqual(['call say {"a":"x","b":2}'])
  })

  it('waits for the text behind it', () => {
    const parser = createParser(options)
    const deltas = (chunk: string) =>
      parser.push(chunk).flatMap((event) => (event.type === 'tool-input-delta' ? [event.delta] : []))
    expect(deltas('<send><text>\n  ')).toEqual(['{"text":"'])
    expect(deltas('a ')).toEqual(['a'])
    expect(deltas(' \n')).toEqual([])
    expect(deltas('b\n')).toEqual(['  \\nb'])
    expect(deltas('</text></send>')).toEqual(['"', '}'])
  })

  it('is written as character references where a string has it', () => {
    const call = { type: 'call', toolName: 'send', input: { text: '\n a <b>\n', times: 2 } } as const
    expect(render([call], options)).toBe(
      '<send>\n<text>\n&#10; a &lt;b&gt;&#10;\n</text>\n<times>2</times>\n</send>',
    )
  })
})
