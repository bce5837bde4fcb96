import { describe, expect, test } from 'vitest'
import { allDialects, hermes, llama3Json, morphXml, qwen3Coder } from '../../../src/dialects/index.ts'
import { yamlXml } from '../../../src/dialects/yaml/index.ts'
import { parse } from '../../../src/index.ts'
import { exampleInput } from '../../../src/requests/prompt/example-input.ts'
import { smallSchema } from '../../../src/requests/prompt/small-schema.ts'
import { STYLES } from '../../../src/requests/prompt/styles.ts'
import { promptContext, systemPrompt } from '../../../src/requests/prompt/system-prompt.ts'
import { declarations, sections, tags, typescript } from '../../../src/requests/prompt/tool-list.ts'

const TOOLS = [
  {
    name: 'get_weather',
    description: 'Tells the weather.',
    streams: 'city',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Where.' },
        days: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      },
      required: ['city'],
      additionalProperties: false,
    },
  },
  {
    name: 'send_mail',
    streams: 'text',
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
    },
  },
] as const

const dialects = [...allDialects, yamlXml]

describe('the prompt', () => {
  test.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
    'of %s names every tool, and shows calls that are read as such',
    (_, dialect) => {
      const context = promptContext({ dialect, tools: TOOLS })
      const prompt = systemPrompt(TOOLS, context)
      for (const tool of TOOLS) {
        expect(prompt).toContain(tool.name)
        for (const example of context.examples(tool)) {
          expect(prompt).toContain(example)
          const { toolCalls } = parse(example, { dialect, tools: TOOLS })
          expect(toolCalls, example).toMatchObject([
            { toolName: tool.name, status: 'complete', input: exampleInput(tool.inputSchema) },
          ])
        }
      }
      expect(prompt).not.toContain('$schema')
      expect(prompt).not.toContain('9007199254740991')
    },
  )

  test('is in the form that the models were trained on', () => {
    const [weather] = TOOLS
    const prompt = (dialect: typeof hermes | typeof morphXml): string =>
      systemPrompt([weather], promptContext({ dialect: dialect as typeof hermes, tools: [weather] }))
    expect(prompt(hermes)).toContain(
      '<tools>\n{"type":"function","function":{"name":"get_weather","description":"Tells the weather.","parameters":{"type":"object","properties":{"city":{"type":"string","description":"Where."},"days":{"type":"integer"}},"required":["city"]}}}\n</tools>',
    )
    expect(prompt(morphXml)).toContain('- The name of the tool is the outer tag')
  })

  test.each(Object.keys(STYLES))('has a dialect for the style of %s', (name) => {
    expect(dialects.map((dialect) => dialect.name)).toContain(name)
  })
})

describe('a list of tools', () => {
  test('as TypeScript', () => {
    expect(typescript(TOOLS)).toBe(`namespace functions {

// Tells the weather.
type get_weather = (_: {
// Where.
city: string,
days?: number,
}) => any;

type send_mail = (_: {
text: string,
}) => any;

}`)
    const inputSchema = {
      type: 'object',
      properties: {
        a: { enum: ['x', 1] },
        b: { type: 'array', items: { type: ['string', 'null'] } },
        c: { type: 'object', properties: { d: { const: 7 } } },
        e: { anyOf: [{ type: 'boolean' }, { type: 'object' }] },
        f: {},
      },
    }
    expect(
      typescript([
        { name: 'f', inputSchema },
        { name: 'g', inputSchema: true },
      ]),
    ).toBe(
      'namespace functions {\n\ntype f = (_: {\na?: "x" | 1,\nb?: (string | null)[],\nc?: {\nd?: 7,\n},\ne?: boolean | object,\nf?: any,\n}) => any;\n\ntype g = () => any;\n\n}',
    )
  })

  test('as tags', () => {
    expect(tags([TOOLS[0]])).toBe(`<function>
<name>get_weather</name>
<description>Tells the weather.</description>
<parameters>
<parameter>
<name>city</name>
<type>string</type>
<description>Where.</description>
</parameter>
<parameter>
<name>days</name>
<type>integer</type>
</parameter>
<required>["city"]</required>
</parameters>
</function>`)
  })

  test('as sections', () => {
    expect(sections([TOOLS[1]])).toBe(
      '### send_mail\nDescription: \n\nParameters: {"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}',
    )
  })

  test('as declarations', () => {
    expect(declarations('<|tool>', '<tool|>', '<|"|>')([TOOLS[1]])).toBe(
      '<|tool>declaration:send_mail{description:<|"|><|"|>,parameters:{type:<|"|>OBJECT<|"|>,properties:{text:{type:<|"|>STRING<|"|>}},required:[<|"|>text<|"|>]}}<tool|>',
    )
  })
})

describe('a schema is made small', () => {
  test('without what only validators read', () => {
    expect(smallSchema(TOOLS[0].inputSchema)).toEqual({
      type: 'object',
      properties: { city: { type: 'string', description: 'Where.' }, days: { type: 'integer' } },
      required: ['city'],
    })
  })

  test('but properties and values may have any name', () => {
    const schema = {
      properties: { $schema: { type: 'string' }, additionalProperties: { default: { $id: 'x' } } },
      additionalProperties: { $comment: 'gone', type: 'string' },
      maximum: 10,
    }
    expect(smallSchema(schema)).toEqual({
      properties: { $schema: { type: 'string' }, additionalProperties: { default: { $id: 'x' } } },
      additionalProperties: { type: 'string' },
      maximum: 10,
    })
  })
})

test.each([[qwen3Coder], [llama3Json]])('a tool that is shown by its own examples: %#', (dialect) => {
  const tool = { ...TOOLS[0], inputExamples: [{ input: { city: 'Oslo' } }, { input: { city: 'Rome' } }] }
  const prompt = systemPrompt([tool], promptContext({ dialect, tools: [tool] }))
  expect(prompt).toContain('Oslo')
  expect(prompt).toContain('Rome')
})
