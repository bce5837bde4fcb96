/**
 * A normal conversation about tools and formats works: users, systems, tools and models quote them, nothing is refused, results
 * are sent nearly as they are, and the call behind a quotation runs.
 */

import { describe, expect, test } from 'vitest'
import { parse } from '../../src/engine/message.ts'
import { renderCalls } from '../../src/engine/render.ts'
import { isExecutable } from '../../src/index.ts'
import type { ModelRequest } from '../../src/providers/requests.ts'
import { promptRequest } from '../../src/requests/prompt/index.ts'
import { resultContent } from '../../src/requests/prompt/turn-text.ts'
import { transcriptOf } from '../../src/turn/transcript.ts'
import { ENTRIES } from './entries.ts'
import { ANSWERS, DESCRIPTIONS, type Quote, RESULTS, SYSTEM, USER } from './everyday/quotes.ts'
import { engineRuns, eventsOf } from './runs.ts'

const STRING = { type: 'string' } as const

const TOOLS = [
  { name: 'get_weather', streams: 'city', inputSchema: { type: 'object', properties: { city: STRING } } },
  {
    name: 'search',
    streams: 'query',
    inputSchema: { type: 'object', properties: { query: STRING, tags: { type: 'array', items: STRING } } },
  },
] as const

const OSLO = { toolName: 'get_weather', input: { city: 'Oslo' } }

const said = (role: 'system' | 'user', text: string): ModelRequest['messages'][number] => ({
  role,
  parts: [{ type: 'text', text }],
})

/** A conversation in which `search` answered this. */
const answered = (content: string): ModelRequest => ({
  tools: TOOLS,
  messages: [
    said('user', 'Go.'),
    {
      role: 'assistant',
      parts: [{ type: 'call', id: 'functions.search:0', toolName: 'search', input: { query: 'elk' } }],
    },
    { role: 'tool', parts: [{ type: 'result', id: 'functions.search:0', toolName: 'search', content }] },
  ],
})

const textOf = ({ messages }: ModelRequest): string => {
  const part = messages.at(-1)?.parts[0]
  return part?.type === 'text' ? part.text : ''
}

/** What a model reads: entities and escapes stand for a character, and white space makes no difference. */
const readable = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\\u([0-9a-f]{4})/g, (_, unit) => String.fromCharCode(Number.parseInt(unit, 16)))
    .replace(/\s+/g, '')

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** How often a character of a text is escaped in what is written. */
const escapesIn = (quotes: readonly Quote[], write: (text: string) => string): Record<string, number> =>
  Object.fromEntries(
    quotes
      .map(([name, text]) => [name, write(text).match(/\\u[0-9a-f]{4}/g)?.length ?? 0] as const)
      .filter(([, count]) => count > 0),
  )

/** What is escaped, how many characters of it, and in which dialects. */
type Escapes = readonly (readonly [name: string, count: number, dialects: readonly string[]])[]

const escapesOf = (escapes: Escapes, dialect: string): Record<string, number> =>
  Object.fromEntries(
    escapes.filter(([, , dialects]) => dialects.includes(dialect)).map(([name, count]) => [name, count]),
  )

const JSON_TOOLS = ['json-tools', 'json-tools-gemini', 'json-tools-openai']
const BARE_JSON = ['generic-json', 'llama3-json', 'prompted', 'theta', ...JSON_TOOLS]

/** Results in the form of the dialect. A `<` is an entity there, or the text is a JSON string. */
const ESCAPED_RESULTS: Escapes = [
  ['source in Python', 1, ['pythonic']],
  ['a call in a log of Llama', 2, ['pythonic']],
]

/** Results without a form, where only what would open something is changed. */
const ESCAPED_CONTENTS: Escapes = [
  ...ESCAPED_RESULTS,
  [
    'a page about thoughts',
    1,
    [
      ...[
        'deepseek-dsml',
        'deepseek-v3',
        'deepseek-v31',
        'dots',
        'generic-json',
        'glm',
        'granite3',
        'hermes',
      ],
      ...['hy-v3', 'internlm2', 'k-exaone-2', 'kimi-k2', 'lfm2', 'longcat', 'minicpm5', 'minimax-m2'],
      ...['mistral-array', 'mistral-v11', 'nemotron-v2', 'olmo3', 'qwen3-coder', 'step3', 'tool-calls-array'],
      ...['prompted', 'xlam'],
    ],
  ],
  ['a call as XML', 1, ['function-calls', 'minimax-m2']],
  ['a search result with a name', 1, BARE_JSON],
  ['a package', 1, BARE_JSON],
  ['a call that was recorded', 1, BARE_JSON],
  ['a README about tool calls', 1, JSON_TOOLS],
  ['an issue', 2, JSON_TOOLS],
]

/** Messages of a transcript. A `<` before a letter is an entity there. */
const ESCAPED_MESSAGES: Escapes = [
  ['a README about tool calls', 1, JSON_TOOLS],
  ['logs', 1, JSON_TOOLS],
  ['a call of an offered tool in JSON', 2, JSON_TOOLS],
  ['half a call', 1, ['llama3-json', 'prompted', ...JSON_TOOLS]],
  ['a schema', 2, ['json-tools', 'json-tools-openai']],
  ['a script with functions that are named like tools', 2, ['pythonic']],
  ['a script with functions that are named like tools', 1, ['prompted']],
  ['a call of Llama 4 as python', 1, ['pythonic']],
  // It ends behind an opener.
  ['DeepSeek markers', 1, ['deepseek-v31']],
]

/** System texts that call a tool in one dialect. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  // Its calls are `<tool_call>NAME</tool_call>`.
  glm: ['what is never written'],
}

/** Answers behind which no call runs, as docs/security.md says, and whether `protectCode` makes it run. */
const KEPT: Readonly<Record<string, { readonly isCode: boolean; readonly dialects: readonly string[] }>> = {
  // A thought that does not end.
  'thoughts in prose': {
    isCode: true,
    dialects: [
      ...['deepseek-v3', 'deepseek-v31', 'dots', 'granite3', 'internlm2', 'k-exaone-2', 'lfm2', 'minicpm5'],
      ...['mistral-array', 'nemotron-v2', 'olmo3', 'prompted', 'step3', 'tool-calls-array', 'xlam'],
    ],
  },
  // A call that is no JSON.
  'a fence with a placeholder': {
    isCode: true,
    dialects: ['hermes', 'k-exaone-2', 'llama3-json', 'prompted', ...JSON_TOOLS],
  },
  // An element that is named like a tool.
  'a tag of HTML': {
    isCode: true,
    dialects: ['cline-xml', 'morph-xml', 'shorthand', 'sijawara', 'yaml-xml'],
  },
  // A call of `and`.
  'brackets of Mistral': { isCode: false, dialects: ['mistral-array', 'mistral-v11'] },
}

/** Its calls begin a response. */
const AT_START = ['generic-json', 'glm4', 'theta']

/** Its calls are code. */
const IN_CODE = ['command-r-plus']

test('there are a hundred of them', () => {
  expect([...USER, ...SYSTEM, ...DESCRIPTIONS, ...RESULTS, ...ANSWERS].length).toBeGreaterThan(99)
})

describe.each(ENTRIES)('$name', ({ name, dialect }) => {
  const call = renderCalls([{ id: 'functions.get_weather:0', ...OSLO }], { dialect, tools: TOOLS })
  const runsOf = (request: ModelRequest): unknown[] =>
    parse(call, promptRequest(request, { dialect }).parser)
      .toolCalls.filter((one) => isExecutable(one))
      .map(({ toolName, input }) => ({ toolName, input }))

  test('sends what a user pastes as it is, and the call that answers it runs', () => {
    for (const [what, text] of USER) {
      const request = { tools: TOOLS, messages: [said('user', text)] }
      expect(textOf(promptRequest(request, { dialect }).request), what).toBe(text)
      expect(runsOf(request), what).toEqual([OSLO])
    }
  })

  test('accepts what a system text says of formats', () => {
    for (const [what, text] of SYSTEM) {
      const send = () => promptRequest({ tools: TOOLS, messages: [said('system', text)] }, { dialect })
      if (REFUSED[name]?.includes(what))
        expect(send, what).toThrow(expect.objectContaining({ code: 'unsafe-prompt' }))
      else expect(send, what).not.toThrow()
    }
  })

  test('accepts what tools are described by', () => {
    for (const [what, description] of DESCRIPTIONS) {
      const tools = [TOOLS[0], { ...TOOLS[1], description }]
      const send = () => promptRequest({ tools, messages: [said('user', 'Go.')] }, { dialect })
      expect(send, what).not.toThrow()
    }
  })

  test('sends results readably, and the call that answers one runs', () => {
    const write = (content: string): string => textOf(promptRequest(answered(content), { dialect }).request)
    for (const [what, text] of RESULTS) {
      const written = readable(write(text))
      const forms = [text, inJson(text), inJson(inJson(text))].map(readable)
      expect(forms.some((form) => written.includes(form)) ? '' : written, what).toBe('')
      expect(runsOf(answered(text)), what).toEqual([OSLO])
    }
    expect(escapesIn(RESULTS, write)).toEqual(escapesOf(ESCAPED_RESULTS, name))
  })

  test('sends results readably where a server writes the prompt', () => {
    const write = (content: string): string => resultContent(content, { dialect, tools: TOOLS })
    for (const [what, text] of RESULTS) expect(readable(write(text)), what).toBe(readable(text))
    expect(escapesIn(RESULTS, write)).toEqual(escapesOf(ESCAPED_CONTENTS, name))
  })

  test('sends what participants of a transcript paste readably', () => {
    const write = (text: string): string =>
      transcriptOf({ tools: TOOLS, messages: [said('user', text)] }, { dialect }, {}).text
    for (const [what, text] of USER) expect(readable(write(text)), what).toContain(readable(text))
    expect(escapesIn(USER, write)).toEqual(escapesOf(ESCAPED_MESSAGES, name))
  })

  test('runs the call behind a quotation, and nothing else', () => {
    for (const protectCode of [false, true])
      for (const [what, quotation] of ANSWERS) {
        const text = `${quotation}\n\n${call}`
        const events = eventsOf({ text, dialect, tools: TOOLS, protectCode, ending: 'stop' })
        const kept = KEPT[what]
        const isKept =
          AT_START.includes(name) ||
          (protectCode && IN_CODE.includes(name)) ||
          (kept?.dialects.includes(name) && !(protectCode && kept.isCode)) ||
          // The response ends there.
          dialect.endOfTurn.some((marker) => quotation.includes(marker))
        expect(engineRuns(events), `${what}, protectCode: ${protectCode}`).toEqual(isKept ? [] : [OSLO])
      }
  })
})
