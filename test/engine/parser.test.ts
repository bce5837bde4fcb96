import { describe, expect, it, test } from 'vitest'
import { SluiceError } from '../../src/base/errors.ts'
import type { SluiceEvent, ToolCall } from '../../src/base/event.ts'
import { pointer } from '../../src/base/path.ts'
import { clineXml } from '../../src/dialects/cline-xml.ts'
import { detect } from '../../src/dialects/detect.ts'
import { functionCalls } from '../../src/dialects/function-calls.ts'
import { gemma4 } from '../../src/dialects/gemma4.ts'
import { genericJson } from '../../src/dialects/generic-json.ts'
import { glm } from '../../src/dialects/glm.ts'
import { granite3 } from '../../src/dialects/granite3.ts'
import { harmony } from '../../src/dialects/harmony.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { jsonToolsOpenAi } from '../../src/dialects/json-tools.ts'
import { kimiK2 } from '../../src/dialects/kimi-k2.ts'
import { mistralV11 } from '../../src/dialects/mistral.ts'
import { morphXml } from '../../src/dialects/morph-xml.ts'
import { pythonic } from '../../src/dialects/pythonic.ts'
import { qwen3Coder } from '../../src/dialects/qwen3-coder.ts'
import { reasoningMarkers } from '../../src/dialects/reasoning-markers.ts'
import { toolCallsArray } from '../../src/dialects/tool-calls-array.ts'
import { parse } from '../../src/engine/message.ts'
import {
  createParser,
  createSinkParser,
  type ParserOptions,
  type ParserSnapshot,
  restoreParser,
} from '../../src/engine/parser.ts'
import { dialect, withReasoning } from '../../src/engine/wire/checked-dialect.ts'
import { outline } from './wire/outline.ts'

const TOOLS = [
  {
    name: 'book',
    inputSchema: { type: 'object', properties: { hotel: { type: 'string' }, nights: { type: 'integer' } } },
  },
  { name: 'ring', inputSchema: { type: 'object', properties: { who: { type: 'string' } } } },
] as const

const RING = '<tool_call>{"name": "ring", "arguments": {"who": "Ann"}}</tool_call>'

/** One event as a word or two, so that a sequence of them can be read. */
function short(event: SluiceEvent): string {
  const name = event.type.replace('-delta', '')
  if (event.type === 'argument-end')
    return `argument-end ${pointer(event.path)} ${JSON.stringify(event.value)}`
  if (event.type === 'argument-delta') return `argument ${pointer(event.path)} ${event.delta}`
  if (event.type === 'argument-start') return `argument-start ${pointer(event.path)} ${event.kind}`
  if ('delta' in event) return `${name} ${event.delta}`
  if (event.type === 'tool-input-start') return `tool-input-start ${event.toolName}`
  if (event.type === 'tool-call') return `tool-call ${event.status} ${JSON.stringify(event.input)}`
  if (event.type === 'diagnostic') return `diagnostic ${event.code}`
  if (event.type === 'finish') return `finish ${event.reason}`
  return name
}

/** What is said after each push, and at the end. */
function told(chunks: readonly string[], options: ParserOptions = {}): string[][] {
  const parser = createParser(options)
  return [...chunks.map((chunk) => parser.push(chunk)), parser.end()].map((events) => events.map(short))
}

const callOf = (text: string, options: ParserOptions): ToolCall | undefined =>
  parse(text, options).toolCalls[0]

/** The error that wrong use throws. */
function mistake(use: () => unknown): { code: string; message: string } {
  try {
    use()
  } catch (error) {
    if (error instanceof SluiceError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('a parser without a dialect', () => {
  it('passes text on as it comes, and says when it is over', () => {
    expect(told(['Hello', ', world'])).toEqual([
      ['text-start', 'text Hello'],
      ['text , world'],
      ['text-end', 'finish stop'],
    ])
  })

  it('takes nothing for markup', () => {
    expect(outline(`<think>a</think>${RING}`)).toEqual([
      `text <think>a</think>${RING}`,
      'note looks-like-a-call',
    ])
  })

  it('says nothing about empty pieces', () => {
    expect(told(['', '', ''])).toEqual([[], [], [], ['finish stop']])
  })

  it('hands its events to a function, if that is what one likes', () => {
    const seen: string[] = []
    const parser = createSinkParser((event) => seen.push(short(event)))
    parser.push('Hi')
    expect(seen).toEqual(['text-start', 'text Hi'])
    parser.end()
    expect(seen).toEqual(['text-start', 'text Hi', 'text-end', 'finish stop'])
  })
})

describe('a marker that is not complete', () => {
  const options: ParserOptions = { dialect: hermes, start: 'text' }

  it('is held back at the end of a chunk, and nothing but it', () => {
    expect(told(['Let me look. <tool_ca'], options)[0]).toEqual(['text-start', 'text Let me look. '])
  })

  it('becomes markup when the rest comes', () => {
    expect(told(['Hi <tool_ca', 'll>{"name": "ls"}</tool_call>'], options)[1]).toEqual([
      'text-end',
      'tool-input-start ls',
      'tool-input {}',
      'tool-input-end',
      'tool-call complete {}',
    ])
  })

  it('is text as soon as it can be nothing else', () => {
    expect(told(['Hi <tool_ca', 't'], options)[1]).toEqual(['text <tool_cat'])
  })

  it('is text at the end of the response', () => {
    expect(told(['Hi <tool_ca'], options)[1]).toEqual(['text <tool_ca', 'text-end', 'finish stop'])
  })

  it('can begin inside another that came to nothing', () => {
    expect(told(['<tool_<tool_call', '>{"name": "ls"}</tool_call>'], options)).toEqual([
      ['text-start', 'text <tool_'],
      ['text-end', 'tool-input-start ls', 'tool-input {}', 'tool-input-end', 'tool-call complete {}'],
      ['finish tool-calls'],
    ])
  })

  it('keeps a call back until its name is known, and then says what is certain of it', () => {
    expect(told(['<tool_call>{"na', 'me": "ring', '", "arguments": {"wh', 'o": "A'], options)).toEqual([
      [],
      [],
      ['tool-input-start ring', 'tool-input {'],
      ['tool-input "who": "A'],
      ['diagnostic truncated-call', 'tool-input-end', 'tool-call truncated {"who":"A"}', 'finish tool-calls'],
    ])
  })

  it('gives everything back when a call never got its name', () => {
    expect(outline('See <tool_call>{"na', options)).toEqual(['text See <tool_call>{"na', 'note not-a-call'])
  })
})

describe('several dialects at once', () => {
  const glmCall = '<tool_call>ring<arg_key>who</arg_key><arg_value>Ann</arg_value></tool_call>'
  const qwenCall = '<tool_call><function=ring><parameter=who>Ann</parameter></function></tool_call>'

  test.each([
    ['the first', RING],
    ['the second', qwenCall],
    ['the third', glmCall],
  ])('share an opener, and the one that fits reads the call: %s', (_, text) => {
    expect(outline(text, { dialect: [hermes, qwen3Coder, glm], tools: TOOLS })).toEqual([
      'call ring {"who":"Ann"}',
    ])
  })

  it('give the text back when none of them fits', () => {
    expect(outline('<tool_call>\n !! no', { dialect: [hermes, qwen3Coder, glm], tools: TOOLS })).toEqual([
      'text <tool_call>\n !! no',
      'note not-a-call',
    ])
  })

  it('take the earliest marker, whichever dialect it belongs to', () => {
    const section =
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.ring:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>'
    expect(outline(`${section} then ${RING}`, { dialect: [hermes, kimiK2] })).toEqual([
      'call ring {} #functions.ring:0',
      'text  then ',
      'call ring {"who":"Ann"}',
    ])
  })

  it('go by their order when two could read the same text', () => {
    const text = '<ring>\n<who>\nAnn\n</who>\n</ring>'
    expect(outline(text, { dialect: [morphXml, clineXml], tools: TOOLS })).toEqual([
      'call ring {"who":"\\nAnn\\n"}',
    ])
    expect(outline(text, { dialect: [clineXml, morphXml], tools: TOOLS })).toEqual([
      'call ring {"who":"Ann"}',
    ])
  })

  test.each([
    ['[ring(who="Ann")]', 'python where JSON was tried first'],
    ['[{"name": "ring", "arguments": {"who": "Ann"}}]', 'JSON where python was tried first'],
  ])('also where nothing but a bracket marks a call: %s', (text) => {
    for (const dialect of [
      [genericJson, pythonic],
      [pythonic, genericJson],
    ])
      expect(outline(text, { dialect, tools: TOOLS })).toEqual(['call ring {"who":"Ann"}'])
  })
})

describe('tools', () => {
  const schema = { type: 'object', properties: { nights: { type: 'integer' } } }
  const text = '<tool_call><function=book><parameter=nights>\n3\n</parameter></function></tool_call>'

  test.each<[string, ParserOptions['tools']]>([
    ['JSON Schema', [{ name: 'book', inputSchema: schema }]],
    ['`parameters`', [{ name: 'book', parameters: schema }]],
    ["Anthropic's form", [{ name: 'book', input_schema: schema }]],
    ["OpenAI's form", [{ type: 'function', function: { name: 'book', parameters: schema } }]],
    ['a record by name', { book: { inputSchema: schema } }],
    [
      'a Standard Schema',
      {
        book: {
          inputSchema: {
            '~standard': {
              version: 1,
              vendor: 'mine',
              validate: (value: unknown) => ({ value }),
              jsonSchema: { input: () => schema, output: () => schema },
            },
          },
        },
      },
    ],
  ])('are given as %s, and say what an argument is', (_, tools) => {
    expect(outline(text, { dialect: qwen3Coder, tools: tools! })).toEqual(['call book {"nights":3}'])
  })

  it('that nobody gave leave an argument the text it is', () => {
    expect(outline(text, { dialect: qwen3Coder })).toEqual(['call book {"nights":"3"}'])
  })

  it('that are unknown are no tools that could run', () => {
    expect(outline('<tool_call>{"name": "fly"}</tool_call>', { dialect: hermes, tools: TOOLS })).toEqual([
      'invalid fly {}',
      'note unknown-tool',
    ])
  })

  it('with names and properties that objects have of their own are ordinary', () => {
    const tools = [
      {
        name: 'constructor',
        inputSchema: {
          type: 'object',
          properties: { constructor: { type: 'integer' }, toString: { type: 'integer' } },
        },
      },
    ]
    const call =
      '<tool_call><function=constructor><parameter=constructor>1</parameter><parameter=__proto__>2</parameter><parameter=toString>3</parameter></function></tool_call>'
    const { input } = callOf(call, { dialect: qwen3Coder, tools })!
    expect(Object.entries(input as object)).toEqual([
      ['constructor', 1],
      ['__proto__', '2'],
      ['toString', 3],
    ])
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype)
  })

  it('named like markup are tools where a dialect goes by names', () => {
    const tools = [{ name: 'tool_call' }, { name: 'think' }]
    expect(
      outline('<think><a>1</a></think><tool_call><b>2</b></tool_call>', { dialect: morphXml, tools }),
    ).toEqual(['call think {"a":1}', 'call tool_call {"b":2}'])
  })
})

describe('a response that starts', () => {
  it('inside reasoning has its opener in the prompt', () => {
    expect(outline('Two jobs.\n</think>\n\nOn it.', { dialect: hermes, start: 'reasoning' })).toEqual([
      'thought Two jobs.',
      'text On it.',
    ])
  })

  it.each(['<think>\n', '<think>', ' <think>'])('inside reasoning may open it all the same: %j', (opener) => {
    expect(outline(`${opener}Hm.</think>Hi.`, { dialect: hermes, start: 'reasoning' })).toEqual([
      'thought Hm.',
      'text Hi.',
      'note repeated-opener',
    ])
  })

  it.each([
    ['Hm.</think>Hi.', granite3],
    ['Hm.\nHere is my response:\nHi.', granite3],
    ['Hm.[/THINK]Hi.', mistralV11],
    ['Hm.</think>Hi.', mistralV11],
    ['Hm.</think>Hi.', toolCallsArray],
    ['Hm.\n[BEGIN FINAL RESPONSE]\nHi.', toolCallsArray],
    ['Hm.</think>Hi.', [hermes, mistralV11]],
    ['Hm.[/THINK]Hi.', [hermes, mistralV11]],
    ['Hm.</think>Hi.', detect()],
    ['Hm.[/THINK]Hi.', detect()],
  ])('inside reasoning ends it with the closer of any form: %j', (response, dialect) => {
    expect(outline(response, { dialect, start: 'reasoning' })).toEqual(['thought Hm.', 'text Hi.'])
  })

  it('inside reasoning ends it with the closer of the form that it opens again', () => {
    expect(outline('[THINK]Hm.</think>[/THINK]Hi.', { dialect: mistralV11, start: 'reasoning' })).toEqual([
      'thought Hm.</think>',
      'text Hi.',
      'note repeated-opener',
    ])
  })

  it('inside reasoning keeps the whitespace it begins with', () => {
    expect(outline('  Hm.</think>Hi.', { dialect: hermes, start: 'reasoning' })).toEqual([
      'thought   Hm.',
      'text Hi.',
    ])
  })

  it.each([
    [
      'a dialect without reasoning',
      { dialect: pythonic },
      "start: 'reasoning' needs markers that say where reasoning ends, and the dialect 'pythonic' has none; give it those of the model: withReasoning(dialect, reasoningMarkers.think).",
    ],
    [
      'no dialect',
      {},
      "start: 'reasoning' needs markers that say where reasoning ends, and there is no dialect; give one, or withReasoning(dialect('plain', {}), reasoningMarkers.think) for a model that only thinks.",
    ],
    [
      'reasoning that is left as text',
      { dialect: hermes, reasoning: false },
      "start: 'reasoning' needs markers that say where reasoning ends, and 'reasoning' is false.",
    ],
  ])('inside reasoning is refused for %s', (_, options, message) => {
    expect(() => createParser({ ...options, start: 'reasoning' })).toThrow(
      expect.objectContaining({ code: 'invalid-option', message }),
    )
  })

  it('inside reasoning needs no dialect but one that has its markers', () => {
    const thinking = withReasoning(dialect('plain', {}), reasoningMarkers.think)
    expect(outline('Hm.</think>Hi.', { dialect: thinking, start: 'reasoning' })).toEqual([
      'thought Hm.',
      'text Hi.',
    ])
  })

  it('inside reasoning may never leave it', () => {
    expect(outline('Hm.', { dialect: hermes, start: 'reasoning' })).toEqual([
      'thought Hm.',
      'note reasoning-not-closed',
    ])
  })
})

describe('a prefill', () => {
  const prefilled = (prefill: string, options: ParserOptions = {}): ParserOptions => ({
    dialect: hermes,
    tools: TOOLS,
    ...options,
    start: { prefill },
  })

  it('that is text is not said again', () => {
    expect(outline('lo', prefilled('Hel'))).toEqual(['text lo'])
  })

  it('that is empty changes nothing', () => {
    expect(outline('Hi', prefilled(''))).toEqual(['text Hi'])
  })

  it('that ends in the middle of a marker goes on there', () => {
    expect(outline('ll>{"name": "ring"}</tool_call>', prefilled('Well, <tool_ca'))).toEqual(['call ring {}'])
  })

  it('whose end turns out to be text is not said again', () => {
    expect(outline('le> no', prefilled('Well, <tool_'))).toEqual(['text le> no'])
    expect(outline(' no call', prefilled('<tool_call>{"na'))).toEqual(['text  no call', 'note not-a-call'])
    expect(outline('', prefilled('Well, <tool_'))).toEqual([])
    expect(outline('x y</think>', prefilled('<think>Well </th'))).toEqual(['thought x y'])
  })

  it('that was read as one construct after another is not said again', () => {
    const options = prefilled('Sure: {"tool_calls"', { dialect: jsonToolsOpenAi })
    expect(outline(' Hello', options)).toEqual(['text  Hello'])
    expect(outline('! Hello', prefilled('Sure: [{"name"', { dialect: jsonToolsOpenAi }))).toEqual([
      'text ! Hello',
    ])
  })

  it.each([
    ['<think>\n', 'thought  ... Done.'],
    ['<think>I wonder', 'thought  ... Done.'],
  ])('that ends inside reasoning goes on there: %j', (prefill, thought) => {
    expect(outline(' ... Done.\n</think>\n\nHi.', prefilled(prefill))).toEqual([thought, 'text Hi.'])
  })

  it.each(['<think></think>', '<think>\n\n</think>\n\n', '</think>'])(
    'that closes reasoning leaves nothing of it: %j',
    (prefill) => {
      expect(outline('Hi.', prefilled(prefill))).toEqual(['text Hi.'])
    },
  )

  it('that ends before the name of a call is the beginning of that call', () => {
    expect(outline('"ring"}</tool_call>', prefilled('<tool_call>{"name": '))).toEqual(['call ring {}'])
  })

  it('that ends inside an argument is announced with what it had', () => {
    expect(
      told(['nn"}}</tool_call>'], prefilled('<tool_call>{"name": "ring", "arguments": {"who": "A')),
    ).toEqual([
      [
        'tool-input-start ring',
        'tool-input {"who": "A',
        'tool-input nn"}',
        'tool-input-end',
        'tool-call complete {"who":"Ann"}',
      ],
      ['finish tool-calls'],
    ])
  })

  it('that ends inside a parameter is announced with what it had', () => {
    const prefill = '<tool_call><function=book><parameter=nights>\n3\n</parameter><parameter=hotel>\nThe "R'
    const said = told(
      ['itz"\n</parameter></function></tool_call>'],
      prefilled(prefill, { dialect: qwen3Coder }),
    )
    expect(said[0]).toEqual([
      'tool-input-start book',
      'tool-input {"nights":3',
      'tool-input ,"hotel":"',
      'tool-input The \\"R',
      'tool-input itz\\"',
      'tool-input "',
      'tool-input }',
      'tool-input-end',
      'tool-call complete {"nights":3,"hotel":"The \\"Ritz\\""}',
    ])
  })

  it('that ends inside a value which waits for its end says it when it is whole', () => {
    const prefill = '<tool_call><function=book><parameter=nights>\n1'
    expect(
      outline('4\n</parameter></function></tool_call>', prefilled(prefill, { dialect: qwen3Coder })),
    ).toEqual(['call book {"nights":14}'])
  })

  it('that ends inside a result goes on there', () => {
    const prefill = '<function_results><result tool_use_id="a1">\nall '
    expect(
      outline('fine\n</result></function_results>', prefilled(prefill, { dialect: functionCalls })),
    ).toEqual(['result a1 fine'])
  })

  it('is how the header of a message that began in the prompt is read', () => {
    const header = ' to=functions.ring<|channel|>commentary<|message|>{"who": "Ann"}<|call|>'
    expect(outline(header, prefilled('<|start|>assistant', { dialect: harmony }))).toEqual([
      'call ring {"who":"Ann"}',
    ])
  })

  it('decides whether a call that nothing marks can still begin', () => {
    const call = '{"name": "ring", "arguments": {}}'
    expect(outline(call, prefilled('', { dialect: genericJson }))).toEqual(['call ring {}'])
    expect(outline(call, prefilled('Sure: ', { dialect: genericJson }))).toEqual([`text ${call}`])
  })
})

describe('a literal that stops the response', () => {
  it('is held back like a marker, and nothing after it is read', () => {
    const parser = createParser({ stop: ['END'] })
    expect(parser.push('Hello EN').map(short)).toEqual(['text-start', 'text Hello '])
    expect(parser.push('D of it')).toEqual([
      {
        type: 'diagnostic',
        code: 'text-after-stop',
        message: 'There is more after "END".',
        span: { start: 10, end: 11 },
      },
    ])
    expect(parser.push('and more')).toEqual([])
    expect(parser.end()).toEqual([
      { type: 'text-end', id: 'text-1' },
      { type: 'finish', reason: 'stop', rawReason: 'END' },
    ])
  })

  it('is text when it is not completed', () => {
    expect(outline('Hello EN', { stop: ['END'] })).toEqual(['text Hello EN'])
    expect(outline('Hello ENx', { stop: ['END'] })).toEqual(['text Hello ENx'])
  })

  test.each<[string[], string]>([
    [['bcd', 'abc'], 'abc'],
    [['cd', 'bc'], 'bc'],
    [['\n\nUser:', 'cd'], 'cd'],
  ])('stops at the earliest of %j', (stop, by) => {
    expect(parse('xabcd', { stop }).finish.rawReason).toBe(by)
  })

  test.each([
    ['an argument', '<tool_call>{"name": "ring", "arguments": {"who": "END"}}</tool_call>'],
    ['reasoning', '<think>END</think>'],
    ['a result', '<tool_response>END</tool_response>'],
  ])('means nothing inside %s', (_, text) => {
    const { finish, text: visible } = parse(`${text}yes`, { dialect: hermes, stop: ['END'] })
    expect(finish.rawReason).toBeUndefined()
    expect(visible).toBe('yes')
  })

  test.each([
    ['in text', 'So<|im_end|> more', 'So'],
    ['behind a call', '<tool_call>{"name": "now"}</tool_call><|im_end|> more', ''],
  ])('a stop counts although the dialect knows it for markup, %s', (_, response, visible) => {
    const { finish, text } = parse(response, { dialect: hermes, stop: ['<|im_end|>'] })
    expect(text).toBe(visible)
    expect(finish.rawReason).toBe('<|im_end|>')
  })

  test.each([
    ['behind a call', `${RING}\n\nUser: x`],
    ['at the very start', '\n\nUser: x'],
    ['behind a call that was none', '<tool_call>no\n\nUser: x'],
  ])('is found %s', (_, text) => {
    expect(parse(text, { dialect: [hermes, genericJson], stop: ['\n\nUser:'] }).finish.rawReason).toBe(
      '\n\nUser:',
    )
  })

  test.each([
    ['behind the last call', RING],
    ['behind a call that went wrong', '<tool_call>{"name": "ring" so</tool_call>'],
  ])('stops where it is the closing marker %s', (_, call) => {
    const { finish, text, toolCalls } = parse(`So. ${call} Then ${call}`, {
      dialect: hermes,
      stop: ['</tool_call>'],
    })
    expect(finish.rawReason).toBe('</tool_call>')
    expect(text).toBe('So. ')
    expect(toolCalls.length).toBe(1)
  })

  it('may be half of a surrogate pair away from the end of a chunk', () => {
    expect(told(['a\ud83d', '\ude00b'], { stop: ['😀'] })).toEqual([
      ['text-start', 'text a'],
      ['diagnostic text-after-stop'],
      ['text-end', 'finish stop'],
    ])
  })
})

describe('code', () => {
  const read = (text: string): string[] => outline(text, { dialect: hermes, protectCode: true })
  const isText = (text: string) => expect(read(text)).toEqual([`text ${text}`])

  test.each([
    ['a span', `Write \`${RING}\`.`],
    ['a span of two backticks, with one inside', `\`\` \` ${RING}\`\``],
    ['a fence', `\`\`\`xml\n${RING}\n\`\`\``],
    ['a fence of tildes', `Look:\n~~~xml\n${RING}\n~~~`],
    ['a fence at the start, indented', `  ~~~\n${RING}\n  ~~~`],
    ['a fence with backticks inside a line', `Look:\n\`\`\`\nlet a = '\`\`\`'\n${RING}\n\`\`\``],
    ['a fence with another one that is not alone on its line', `Look:\n\`\`\`\n\`\`\` b\n${RING}\n\`\`\``],
    ['a fence that begins inside a line', `Look: \`\`\`xml\n${RING}\n\n\`\`\``],
    ['a fence that is longer than the one inside it', `\`\`\`\`\n\`\`\`\n${RING}\n\`\`\`\`\n`],
    ['a fence that never closes', `\`\`\`\n${RING}\n\nand ${RING}`],
    ['a span up to the end of its line', `a \` b ${RING}`],
    ['a span that the end cuts off', `a \`${RING.slice(0, 20)}`],
  ])('is text when it is protected: %s', (_, text) => isText(text))

  test.each([
    ['a span', `\`${RING}\``],
    ['a fence', `\`\`\`\n${RING}\n\`\`\`\n`],
    ['a fence of tildes', `Look:\n~~~\n${RING}\n~~~\n`],
    ['two fences', `Look:\n~~~\n${RING}\n~~~\n\`\`\`\n${RING}\n\`\`\`\n`],
    ['inline code of three backticks', `Look:\n\`\`\`${RING}\`\`\``],
    ['tildes inside a line', 'Look ~~~ here\n'],
    ['tildes that are indented by four spaces', 'Look:\n    ~~~\n'],
    ['a span that no second backtick closed', `a \` b ${RING}\n`],
  ])('ends, and then calls are calls: %s', (_, text) => {
    expect(read(`${text}${RING}`).slice(-1)).toEqual(['call ring {"who":"Ann"}'])
  })

  it('passes as it comes', () => {
    expect(told(['a `', '`', '`x', '`'], { dialect: hermes, protectCode: true })).toEqual([
      ['text-start', 'text a ', 'text `'],
      ['text `'],
      ['text `x'],
      ['text `'],
      ['text-end', 'finish stop'],
    ])
  })

  it('holds no literal that stops', () => {
    expect(parse('`END` END', { stop: ['END'], protectCode: true }).text).toBe('`END` ')
  })

  it('is nothing special when nobody asked', () => {
    expect(outline(`\`${RING}\``, { dialect: hermes })).toEqual([
      'text `',
      'call ring {"who":"Ann"}',
      'text `',
    ])
  })
})

describe('markup that is not wanted', () => {
  const text = `<think>Hm.</think>${RING}<tool_response>ok</tool_response>`

  it('stays text: calls and results', () => {
    expect(outline(text, { dialect: hermes, calls: false })).toEqual([
      'thought Hm.',
      `text ${RING}<tool_response>ok</tool_response>`,
    ])
  })

  it('stays text: reasoning', () => {
    expect(outline(`${text}</think>`, { dialect: hermes, reasoning: false }).slice(0, 2)).toEqual([
      'text <think>Hm.</think>',
      'call ring {"who":"Ann"}',
    ])
  })

  it('stays text: both', () => {
    expect(outline(text, { dialect: hermes, calls: false, reasoning: false })).toEqual([`text ${text}`])
  })
})

describe('a call that fails after it was announced', () => {
  const text = 'Look: <tool_call>{"name": "ring", "arguments": {"who": "A"]}</tool_call> Well.'
  const source = '<tool_call>{"name": "ring", "arguments": {"who": "A"]}'

  it('keeps its source on the verdict', () => {
    const { toolCalls, text: visible } = parse(text, { dialect: hermes })
    expect(toolCalls[0]).toMatchObject({ status: 'invalid', error: { code: 'token' } })
    expect(toolCalls[0]?.raw).toContain(source)
    expect(visible).toBe('Look:  Well.')
  })

  it('also shows it as text, if that is wanted', () => {
    const { toolCalls, text: visible } = parse(text, { dialect: hermes, malformed: 'text' })
    expect(toolCalls[0]?.status).toBe('invalid')
    expect(visible).toContain(`Look: ${source}`)
  })

  it('leaves its source out, if that is wanted', () => {
    const { toolCalls, text: visible } = parse(text, { dialect: hermes, malformed: 'drop' })
    expect(toolCalls[0]?.status).toBe('invalid')
    expect(toolCalls[0]).not.toHaveProperty('raw')
    expect(visible).toBe('Look:  Well.')
  })

  test.each(['keep', 'text', 'drop'] as const)(
    'is treated alike when the end cuts it off: %s',
    (malformed) => {
      const cut = 'Look: <tool_call>{"name": "ring", "arguments": {"who": "A'
      const { toolCalls, text: visible } = parse(cut, { dialect: hermes, malformed })
      expect(toolCalls[0]).toMatchObject({ status: 'truncated', input: { who: 'A' } })
      expect(toolCalls[0]?.raw).toBe(
        malformed === 'drop' ? undefined : '<tool_call>{"name": "ring", "arguments": {"who": "A',
      )
      expect(visible).toBe(malformed === 'text' ? cut : 'Look: ')
    },
  )

  it('does not take the next one with it', () => {
    expect(outline(`${text}${RING}`, { dialect: hermes }).slice(2)).toEqual([
      'text  Well.',
      'repaired ring {"who":"Ann"}',
      'note malformed-call',
    ])
  })
})

describe('what is said of a call', () => {
  const chunks = ['<tool_call>{"name": "ring", "arguments": {"who": "A', 'nn", "n": [1]}}</tool_call>']
  const said = (emit: ParserOptions['emit']): string[] =>
    told(chunks, { dialect: hermes, emit: emit! })
      .flat()
      .filter((line) => !/^(tool-input-(start|end)|finish)/.test(line))

  it('is its input as JSON text, and the verdict', () => {
    expect(said({})).toEqual([
      'tool-input {"who": "A',
      'tool-input nn", "n": [1]}',
      'tool-call complete {"who":"Ann","n":[1]}',
    ])
  })

  it('is only the verdict, if nothing else is wanted', () => {
    expect(said({ json: false })).toEqual(['tool-call complete {"who":"Ann","n":[1]}'])
  })

  it('is each argument by its path', () => {
    expect(said({ json: false, arguments: true })).toEqual([
      'argument-start /who string',
      'argument /who A',
      'argument /who nn',
      'argument-end /who "Ann"',
      'argument-start /n array',
      'argument-start /n/0 scalar',
      'argument-end /n/0 1',
      'argument-end /n [1]',
      'tool-call complete {"who":"Ann","n":[1]}',
    ])
  })

  it('is each argument by its path where the wire writes tags, too', () => {
    const text =
      '<tool_call><function=book><parameter=hotel>\nRi\n</parameter><parameter=nights>\n3\n</parameter></function></tool_call>'
    const options = { dialect: qwen3Coder, tools: TOOLS, emit: { json: false, arguments: true } }
    expect(told([text], options)[0]?.filter((line) => line.startsWith('argument'))).toEqual([
      'argument-start /hotel string',
      'argument /hotel Ri',
      'argument-end /hotel "Ri"',
      'argument-start /nights scalar',
      'argument-end /nights 3',
    ])
  })

  it('is its source, from the moment it is certain', () => {
    const lines = said({ json: false, source: true })
    const source = lines.flatMap((line) => (line.startsWith('tool-source ') ? line.slice(12) : []))
    expect(source.join('')).toBe('<tool_call>{"name": "ring", "arguments": {"who": "Ann", "n": [1]}}')
    expect(source.length).toBeGreaterThan(1)
  })

  it('is its source on the verdict', () => {
    expect(callOf(RING, { dialect: hermes, emit: { raw: true } })?.raw).toBe(
      '<tool_call>{"name": "ring", "arguments": {"who": "Ann"}}',
    )
    expect(callOf(RING, { dialect: hermes })).not.toHaveProperty('raw')
  })

  it('is the same verdict whatever else is said', () => {
    for (const emit of [{}, { json: false }, { arguments: true }, { source: true }])
      expect(callOf(RING, { dialect: hermes, emit })).toMatchObject({
        input: { who: 'Ann' },
        status: 'complete',
      })
  })
})

describe('ids', () => {
  it('are a plain counter, unless someone makes them', () => {
    let made = 0
    const ids = (options: ParserOptions): string[] => {
      const parser = createParser({ dialect: hermes, ...options })
      const events = [
        ...parser.push(`Hi <think>Hm.</think>${RING}<tool_response>x</tool_response>`),
        ...parser.end(),
      ]
      return events.flatMap((event) => (event.type.endsWith('-start') && 'id' in event ? [event.id!] : []))
    }
    expect(ids({})).toEqual(['text-1', 'reasoning-2', 'call-3', 'result-4'])
    expect(ids({ generateId: (kind) => `turn7/${kind}/${made++}` })).toEqual([
      'turn7/text/0',
      'turn7/reasoning/1',
      'turn7/call/2',
      'turn7/result/3',
    ])
  })

  it('are those of the wire where it gives them in time', () => {
    expect(outline('<tool_call>{"id": "c9", "name": "ring"}</tool_call>', { dialect: hermes })).toEqual([
      'call ring {} #c9',
    ])
  })

  it('of the wire that come late stand on the verdict', () => {
    const call = callOf('<tool_call>{"name": "ring", "id": "c9"}</tool_call>', { dialect: hermes })
    expect(call).toMatchObject({ id: 'call-1', wireId: 'c9' })
  })
})

describe('the end', () => {
  test.each([
    [undefined, 'stop'],
    ['finished', 'stop'],
    ['interrupted', 'aborted'],
    ['failed', 'error'],
  ] as const)('of a response that %s is a finish: %s', (reason, expected) => {
    const parser = createParser()
    parser.push('Hi')
    expect(parser.end(reason).at(-1)).toEqual({ type: 'finish', reason: expected })
  })

  it('after calls says so', () => {
    expect(parse(RING, { dialect: hermes }).finish).toEqual({ type: 'finish', reason: 'tool-calls' })
  })

  it('closes whatever is open', () => {
    const text = '<tool_call>{"name": "ring", "arguments": {"who": "A'
    expect(told([text], { dialect: hermes })[1]).toEqual([
      'diagnostic truncated-call',
      'tool-input-end',
      'tool-call truncated {"who":"A"}',
      'finish tool-calls',
    ])
    expect(told(['<think>Hm'], { dialect: hermes })[1]).toEqual([
      'diagnostic reasoning-not-closed',
      'reasoning-end',
      'finish stop',
    ])
    expect(told(['<tool_response>ok'], { dialect: hermes })[1]).toEqual(['tool-result-end', 'finish stop'])
  })

  it('comes once', () => {
    const parser = createParser()
    parser.end()
    expect(mistake(() => parser.push('x'))).toEqual({
      code: 'push-after-end',
      message: 'This parser has ended; make a new one for the next response.',
    })
    expect(mistake(() => parser.end()).code).toBe('push-after-end')
  })
})

describe('limits', () => {
  it('on what is undecided give it back as text', () => {
    const text = `${'<tool_call>{"x": "'}${'y'.repeat(50)}`
    expect(outline(text, { dialect: hermes, limits: { undecided: 40 } })).toEqual([
      `text ${text}`,
      'note limit-reached',
      'note not-a-call',
    ])
  })

  it('on a name make it no name', () => {
    const text = '<tool_call><function=longer></function></tool_call>'
    // It is not read a third time, without its outer tag.
    expect(outline(text, { dialect: qwen3Coder, limits: { name: 5 } })).toEqual([
      `text ${text}`,
      'note limit-reached',
      'note not-a-call',
    ])
    expect(outline(text, { dialect: qwen3Coder, limits: { name: 6 } })).toEqual(['call longer {}'])
  })

  it('on a tag make it no tag', () => {
    const text = '<function_calls><invoke name="a" x="1"></invoke></function_calls>'
    expect(outline(text, { dialect: functionCalls, limits: { tag: 10 } })).toEqual([
      `text ${text}`,
      'note limit-reached',
      'note not-a-call',
    ])
    expect(outline(text, { dialect: functionCalls, limits: { tag: 20 } })).toEqual(['call a {}'])
  })

  it('on a call end it there, and what follows is text', () => {
    const text = `<tool_call><function=ring><parameter=who>${'a'.repeat(100)}</parameter>`
    const { toolCalls, text: visible } = parse(text, { dialect: qwen3Coder, limits: { call: 60 } })
    expect(toolCalls[0]).toMatchObject({ status: 'invalid', error: { code: 'limit-reached' } })
    expect(toolCalls[0]?.raw).toBe(text.slice(0, 60))
    expect(visible).toBe(text.slice(60))
  })

  test.each([
    ['depth', '[[[[[[1]]]]]]', { depth: 4 }],
    ['number', '123456789', { number: 8 }],
    ['keys', '{"a": 1, "b": 2, "c": 3}', { keys: 2 }],
  ])('on the arguments make a call invalid: %s', (_, value, limits) => {
    const text = `<tool_call>{"name": "a", "arguments": {"x": ${value}}}</tool_call>`
    expect(callOf(text, { dialect: hermes, limits })?.status).toBe('invalid')
    expect(callOf(text, { dialect: hermes })?.status).toBe('complete')
  })

  it('on diagnostics stop the list, not the response', () => {
    const { diagnostics, text } = parse('a</think>b</think>c</think>d', {
      dialect: hermes,
      limits: { diagnostics: 2 },
    })
    expect(diagnostics.map(({ code }) => code)).toEqual(['stray-closer', 'stray-closer'])
    expect(text).toBe('abcd')
  })

  it('may all be as small as they can be', () => {
    const limits = {
      undecided: 1,
      name: 1,
      tag: 1,
      depth: 1,
      keys: 1,
      number: 1,
      bare: 1,
      repairs: 1,
      diagnostics: 1,
    }
    for (const dialect of [hermes, qwen3Coder, functionCalls, pythonic, morphXml, genericJson])
      expect(outline(`a ${RING} b`, { dialect, tools: TOOLS, limits }).join('\n')).toContain('b')
  })
})

describe('wrong use', () => {
  // What a caller without types could write.
  const make = (options: object) => () => createParser(options as ParserOptions)

  test.each<[string, object, RegExp]>([
    ['a dialect by name', { dialect: 'hermes' }, /such as hermes from 'sluice\/dialects', not "hermes"/],
    ['no dialect', { dialect: null }, /not null/],
    ['a list with something else in it', { dialect: [hermes, 5] }, /not 5/],
    ['a start that does not exist', { start: 'middle' }, /'text', 'reasoning' or { prefill: '…' }/],
    ['a prefill that is no text', { start: { prefill: 5 } }, /'start' is/],
    ['a stop that is empty', { stop: [''] }, /at least one character/],
    ['a stop that is no text', { stop: [5] }, /not 5/],
    ['a limit that does not exist', { limits: { time: 5 } }, /no limit 'time'; use one of undecided, name/],
    ['a limit of nothing', { limits: { call: 0 } }, /'call' must be a number of at least 1, not 0/],
    ['a limit that is no number', { limits: { call: '9' } }, /at least 1, not 9/],
    ['tools that are none', { tools: 5 }, /list or an object of tools/],
    ['a tool without a name', { tools: [{ inputSchema: {} }] }, /Tool 1 of the list has no name/],
    ['two tools with one name', { tools: [{ name: 'a' }, { name: 'a' }] }, /two tools named 'a'/],
  ])('is refused when the parser is made: %s', (_, options, message) => {
    const { code, message: said } = mistake(make(options))
    expect(code).toBe('invalid-option')
    expect(said).toMatch(message)
  })

  it('is refused when something else than text is pushed', () => {
    const bytes = new Uint8Array() as unknown as string
    expect(mistake(() => createParser().push(bytes))).toEqual({
      code: 'invalid-source',
      message: 'A parser takes strings, not object; decode bytes first, or use sluice().',
    })
  })
})

describe('a snapshot', () => {
  const options: ParserOptions = { dialect: hermes, tools: TOOLS }
  const saved = (chunk: string, with_ = options): ParserSnapshot => {
    const parser = createParser(with_)
    parser.push(chunk)
    return JSON.parse(JSON.stringify(parser.snapshot())) as ParserSnapshot
  }
  const rest = (snapshot: ParserSnapshot, chunk: string, with_ = options): string[] => {
    const parser = restoreParser(snapshot, with_)
    return [...parser.push(chunk), ...parser.end()].map(short)
  }

  test.each([
    ['in a marker', 'Hi <tool_', 'x', ['text <tool_x', 'text-end', 'finish stop']],
    ['in half a character', 'Hi \ud83d', '\ude00', ['text 😀', 'text-end', 'finish stop']],
    ['in reasoning', '<think>Hm', '.</think>', ['reasoning .', 'reasoning-end', 'finish stop']],
    [
      'in an argument',
      '<tool_call>{"name": "ring", "arguments": {"who": "A\\u00',
      'e9"}}</tool_call>',
      ['tool-input \\u00e9"}', 'tool-input-end', 'tool-call complete {"who":"Aé"}', 'finish tool-calls'],
    ],
  ])('taken %s goes on elsewhere', (_, before, after, expected) => {
    expect(rest(saved(before), after)).toEqual(expected)
  })

  it('knows how long a call is of which nothing is kept', () => {
    const quiet: ParserOptions = { ...options, emit: { input: false }, limits: { call: 60 } }
    const before = saved('<tool_call>{"name": "ring", "arguments": {"who": "', quiet)
    expect(rest(before, 'a'.repeat(30), quiet)).toEqual([
      'tool-input aaaaaaaaaa',
      'diagnostic limit-reached',
      'tool-input-end',
      'tool-call invalid null',
      'text-start',
      'text aaaaaaaaaaaaaaaaaaaa',
      'text-end',
      'finish tool-calls',
    ])
  })

  it('can be used more than once, and is not changed by what follows', () => {
    const parser = createParser(options)
    parser.push('<tool_call>{"name": "ring", "arguments": {"who": "A')
    const snapshot = parser.snapshot()
    parser.push('nn"}}</tool_call>')
    for (let times = 0; times < 2; times++)
      expect(rest(snapshot, 'da"}}</tool_call>')).toContain('tool-call complete {"who":"Ada"}')
  })

  it('of a parser that ended has ended', () => {
    const parser = createParser(options)
    parser.end()
    expect(mistake(() => restoreParser(parser.snapshot(), options).push('x')).code).toBe('push-after-end')
  })

  test.each<[string, ParserOptions]>([
    ['another dialect', { ...options, dialect: qwen3Coder }],
    ['another order', { ...options, dialect: [hermes, qwen3Coder] }],
    ['other tools', { dialect: hermes }],
    ['other literals that stop', { ...options, stop: ['END'] }],
    ['calls left as text', { ...options, calls: false }],
    ['reasoning left as text', { ...options, reasoning: false }],
    ['code protected', { ...options, protectCode: true }],
  ])('is refused with %s', (_, other) => {
    const { code, message } = mistake(() => restoreParser(saved('Hi'), other))
    expect(code).toBe('invalid-snapshot')
    expect(message).toMatch(/restore it with the options it was taken with/)
  })

  test.each([
    ['nothing', null],
    ['an older version', { ...saved('Hi'), version: 1 }],
    ['a newer version', { ...saved('Hi'), version: 4 }],
  ])('is refused when it is %s', (_, snapshot) => {
    expect(mistake(() => restoreParser(snapshot as unknown as ParserSnapshot, options)).code).toBe(
      'invalid-snapshot',
    )
  })
})

describe('odd characters', () => {
  it('come through text whole: pairs that were cut, halves without a partner', () => {
    const said = told(['a\ud83d', '', '\ude00', '\ud83d', 'x', '\ude00', '\ud83d'], { dialect: hermes })
    expect(said).toEqual([
      ['text-start', 'text a'],
      [],
      ['text 😀'],
      [],
      ['text \ud83dx'],
      ['text \ude00'],
      [],
      ['text \ud83d', 'text-end', 'finish stop'],
    ])
  })

  it('come through arguments whole', () => {
    const chunks = ['<tool_call>{"name": "ring", "arguments": {"who": "\ud83d', '\ude00"}}</tool_call>']
    expect(told(chunks, { dialect: hermes, start: 'text' })).toEqual([
      ['tool-input-start ring', 'tool-input {"who": "'],
      ['tool-input 😀"}', 'tool-input-end', 'tool-call complete {"who":"😀"}'],
      ['finish tool-calls'],
    ])
  })

  test.each(['\0', '\r', '\u2028', '\v'])('are text where they are not whitespace: %j', (odd) => {
    expect(outline(`${odd}a${odd}<tool_call${odd}`, { dialect: hermes })).toEqual([
      `text ${odd}a${odd}<tool_call${odd}`,
    ])
  })

  it('of byte order are dropped before the first character, and are text behind it', () => {
    const text = '\ufeff\ufeffa\ufeff<tool_call\ufeff'
    expect(outline(text, { dialect: hermes })).toEqual(['text \ufeffa\ufeff<tool_call\ufeff'])
    expect(outline('\ufeff', { dialect: hermes })).toEqual([])
    expect(outline(`\ufeff{"name": "ring", "arguments": {}}`, { dialect: genericJson })).toEqual([
      'call ring {}',
    ])
    // It counts: offsets are those of the text that was pushed.
    expect(
      callOf(`\ufeff<tool_call>{"name": "ring", "arguments": {"a": 1,}}</tool_call>`, { dialect: hermes }),
    ).toMatchObject({ repairs: [{ code: 'trailing-comma', offset: 49 }] })
    const restored = restoreParser(createParser({ dialect: hermes }).snapshot(), { dialect: hermes })
    expect([...restored.push('\ufeff'), ...restored.end()]).toEqual([{ type: 'finish', reason: 'stop' }])
  })

  it('that are whitespace may stand around a call', () => {
    expect(outline(RING.replace('{', '\r\n\t {').replace('</', '\r</'), { dialect: hermes })).toEqual([
      'call ring {"who":"Ann"}',
    ])
  })

  it('in keys are data', () => {
    const text = '<tool_call>{"name": "a", "arguments": {"__proto__": {"x": 1}, "": 2}}</tool_call>'
    const { input } = callOf(text, { dialect: hermes })!
    expect(Object.entries(input as object)).toEqual([
      ['__proto__', { x: 1 }],
      ['', 2],
    ])
  })
})

it('takes what there is of an optional marker for a thought where the response ends in it', () => {
  expect(outline('<|channel>t', { dialect: gemma4 })).toEqual(['thought t', 'note reasoning-not-closed'])
})

it('goes on with a section after a call in it that had no name', () => {
  const call = (id: string) => `<|tool_call_begin|>${id}<|tool_call_argument_begin|>{}<|tool_call_end|>`
  const section = `<|tool_calls_section_begin|>${call('functions.ring:0')}${call(':1')}${call('functions.ring:2')}<|tool_calls_section_end|>`
  expect(outline(section, { dialect: kimiK2, tools: TOOLS })).toEqual([
    'call ring {} #functions.ring:0',
    'invalid  {} #:1',
    // Something between the calls went wrong, so this one may be a part of it.
    'repaired ring {} #functions.ring:2',
    'note missing-name',
  ])
})

it('finds the first thing that is wrong with a python call, however it is cut', () => {
  const [call] = parse('[ring(who="",who="" "")]', { dialect: pythonic, tools: TOOLS }).toolCalls
  expect(call?.error?.code).toBe('duplicate-key')
  expect(outline('[ring(who="",who="" "")]', { dialect: pythonic, tools: TOOLS })).toHaveLength(2)
})

it('finds a marker that begins with the bracket which opens the calls of another dialect', () => {
  const text = 'Now [TOOL_CALLS]ring[ARGS]{"who": "Ann"}'
  for (const dialect of [
    [jsonToolsOpenAi, mistralV11],
    [mistralV11, jsonToolsOpenAi],
  ])
    expect(outline(text, { dialect, tools: TOOLS })).toEqual(['text Now ', 'call ring {"who":"Ann"}'])
})

describe('an interruption', () => {
  const interrupted = (before: readonly string[], after: readonly string[], options: ParserOptions) => {
    const parser = createParser(options)
    const events = before.flatMap((chunk) => parser.push(chunk))
    events.push(...parser.interrupt())
    const tail = [...after.flatMap((chunk) => parser.push(chunk)), ...parser.end()]
    return [events.map(short), tail.map(short)]
  }

  it('says what was held back, and closes the text', () => {
    expect(interrupted(['Look: <tool_', 'ca'], ['ll> no call'], { dialect: hermes })).toEqual([
      ['text-start', 'text Look: ', 'text <tool_ca', 'text-end'],
      ['text-start', 'text ll> no call', 'text-end', 'finish stop'],
    ])
  })

  it('gives back a call whose name was not known yet', () => {
    expect(interrupted(['<tool_call>{"na'], [RING], { dialect: hermes })).toEqual([
      ['diagnostic not-a-call', 'text-start', 'text <tool_call>', 'text {"na', 'text-end'],
      [
        'tool-input-start ring',
        'tool-input {"who": "Ann"}',
        'tool-input-end',
        'tool-call repaired {"who":"Ann"}',
        'finish tool-calls',
      ],
    ])
  })

  it('leaves a call open that has begun', () => {
    expect(interrupted([RING.slice(0, 50)], [RING.slice(50)], { dialect: hermes })[1]).toEqual([
      'tool-input Ann"}',
      'tool-input-end',
      'tool-call complete {"who":"Ann"}',
      'finish tool-calls',
    ])
  })

  it('leaves the model thinking, under another id', () => {
    expect(interrupted(['<think>one</th'], ['two</think>ok'], { dialect: hermes })).toEqual([
      ['reasoning-start', 'reasoning one', 'reasoning </th', 'reasoning-end'],
      [
        'reasoning-start',
        'reasoning two',
        'reasoning-end',
        'text-start',
        'text ok',
        'text-end',
        'finish stop',
      ],
    ])
  })
})
