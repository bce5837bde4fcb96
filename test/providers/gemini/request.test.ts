import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { foldEvents } from '../../../src/engine/message.ts'
import {
  anthropicRequest,
  appendResponse,
  appendResults,
  type ConversationMessage,
  geminiRequest,
  type ModelRequest,
  readRequest,
  type Settings,
  type WrittenRequest,
  writeRequest,
} from '../../../src/providers/requests.ts'
import { eventsOf } from '../told.ts'

const PATH = '/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse'
const read = (body: object, path?: string): ModelRequest =>
  readRequest(geminiRequest, body, path === undefined ? {} : { path }).request
const write = (request: ModelRequest): WrittenRequest => writeRequest(geminiRequest, request)
const hello = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] } as const
const codes = ({ diagnostics }: WrittenRequest): string[] => diagnostics.map(({ code }) => code)

/** What a client sends to `generateContent`, with everything that must come back as it was. */
const BODY = {
  systemInstruction: { role: 'system', parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
  contents: [
    {
      role: 'user',
      parts: [
        { text: 'What is this?' },
        { inlineData: { mimeType: 'image/png', data: 'iVBORw0=' }, mediaResolution: { level: 'HIGH' } },
        { fileData: { mimeType: 'video/mp4', fileUri: 'gs://a/b.mp4' }, videoMetadata: { fps: 1 } },
        { fileData: { fileUri: 'https://www.youtube.com/watch?v=1' } },
        { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=', displayName: 'a.pdf' } },
      ],
    },
    {
      role: 'model',
      parts: [
        { text: 'Let me look.', thought: true },
        { text: 'I look.', thoughtSignature: 'c2lnLTE=' },
        { functionCall: { id: 'fn_1', name: 'look', args: { at: 'image' } }, thoughtSignature: 'c2lnLTI=' },
        { functionCall: { id: 'fn_2', name: 'look', args: {}, of_tomorrow: 1 } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'fn_1', name: 'look', response: { output: 'A cat.' } } },
        {
          functionResponse: {
            id: 'fn_2',
            name: 'look',
            response: { error: 'Too dark.' },
            parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0=' } }],
            scheduling: 'SILENT',
          },
        },
        { text: 'And now?' },
      ],
    },
    {
      role: 'model',
      parts: [
        { executableCode: { language: 'PYTHON', code: 'print(1)' }, thoughtSignature: 'c2lnLTM=' },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' }, thoughtSignature: 'c2lnLTQ=' },
        { executableCode: { language: 'PYTHON', code: 'x', id: 'code_2' } },
        { codeExecutionResult: { outcome: 'OUTCOME_DEADLINE_EXCEEDED', id: 'code_2' } },
        { toolCall: { toolType: 'GOOGLE_SEARCH', id: 't1', args: {} }, thoughtSignature: 'c2lnLTU=' },
        { inlineData: { mimeType: 'image/png', data: 'iVBORw0=' }, thoughtSignature: 'c2lnLTY=' },
        { text: '', thoughtSignature: 'c2lnLTc=' },
        { thoughtSignature: 'c2lnLTg=' },
      ],
    },
    { role: 'user', parts: [{ text: 'Both again.' }] },
    {
      role: 'model',
      parts: [
        { functionCall: { name: 'look', args: { at: 1 } }, thoughtSignature: 'c2lnLTk=' },
        { functionCall: { name: 'list', args: { at: 2 } } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'look', response: { output: { a: [1] }, more: null } } },
        { functionResponse: { name: 'list', response: {} } },
      ],
    },
  ],
  tools: [
    {
      functionDeclarations: [
        {
          name: 'look',
          description: 'Looks.',
          parameters: {
            type: 'OBJECT',
            properties: {
              at: { type: 'STRING', nullable: true, enum: ['image'] },
              all: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '1' },
            },
            propertyOrdering: ['at', 'all'],
          },
          response: { type: 'STRING' },
          behavior: 'BLOCKING',
        },
        {
          name: 'list',
          parametersJsonSchema: { type: 'object', properties: {}, $defs: { a: { const: 1 } } },
        },
        { name: 'none' },
      ],
    },
    { googleSearch: {} },
    { codeExecution: {} },
  ],
  toolConfig: {
    functionCallingConfig: { mode: 'AUTO', streamFunctionCallArguments: true },
    retrievalConfig: { languageCode: 'de' },
  },
  generationConfig: {
    maxOutputTokens: 100,
    temperature: 0.5,
    topP: 0.9,
    topK: 40,
    seed: 7,
    presencePenalty: 0.1,
    frequencyPenalty: 0.2,
    stopSequences: ['END'],
    candidateCount: 2,
    responseLogprobs: true,
    logprobs: 3,
    responseMimeType: 'application/json',
    responseSchema: { type: 'OBJECT', properties: { a: { type: 'NUMBER' } } },
    thinkingConfig: { thinkingLevel: 'LOW', includeThoughts: true },
    responseModalities: ['TEXT'],
  },
  safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
  labels: { team: 'a' },
  a_field_of_tomorrow: { as: ['it', 'is'] },
}

/** The same in the other spelling, where the protocol has two. */
function inSnakeCase(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => inSnakeCase(one, key))
  // Keys of the application's own.
  if (
    typeof value !== 'object' ||
    value === null ||
    /^(args|response|parameters.*|responseSchema)$/.test(key)
  )
    return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      inSnakeCase(inner, name),
    ]),
  )
}

describe("a request of Gemini's", () => {
  test('goes back to Gemini as it came', () => {
    const { body, path, diagnostics } = write(read(BODY, PATH))
    expect(body).toEqual(BODY)
    expect(path).toBe(PATH)
    expect(diagnostics).toEqual([])
    expect(geminiRequest.detect(BODY)).toBe(true)
  })

  test('is read in snake case, too', () => {
    const { messages, settings, toolChoice, tools } = read(inSnakeCase(BODY) as object, PATH)
    const camel = read(BODY, PATH)
    expect(settings).toEqual(camel.settings)
    expect(toolChoice).toEqual(camel.toolChoice)
    expect((tools as unknown[]).slice(0, 3)).toEqual((camel.tools as unknown[]).slice(0, 3))
    const kinds = (list: readonly ConversationMessage[]) =>
      list.map(({ parts }) => parts.map(({ type }) => type))
    expect(kinds(messages)).toEqual(kinds(camel.messages))
    expect(messages[2]).toEqual(camel.messages[2])
  })

  test('is read into parts, with responses of functions as a message of their own', () => {
    const { model, stream, messages, tools, settings, toolChoice, providerOptions } = read(BODY, PATH)
    expect([model, stream, toolChoice]).toEqual(['gemini-3-flash', true, 'auto'])
    expect(messages.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'tool', 'user', 'assistant', 'user', 'assistant', 'tool'],
    ])
    expect(messages[2]).toEqual({
      role: 'assistant',
      provider: 'gemini',
      parts: [
        { type: 'reasoning', text: 'Let me look.' },
        { type: 'text', text: 'I look.', metadata: { gemini: { thoughtSignature: 'c2lnLTE=' } } },
        {
          type: 'call',
          id: 'fn_1',
          toolName: 'look',
          input: { at: 'image' },
          metadata: { gemini: { thoughtSignature: 'c2lnLTI=' } },
        },
        {
          type: 'call',
          id: 'fn_2',
          toolName: 'look',
          input: {},
          metadata: { gemini: { functionCall: { of_tomorrow: 1 } } },
        },
      ],
    })
    expect(messages[3]!.parts).toEqual([
      { type: 'result', id: 'fn_1', toolName: 'look', content: 'A cat.' },
      {
        type: 'result',
        id: 'fn_2',
        toolName: 'look',
        content: [
          { type: 'text', text: 'Too dark.' },
          { type: 'file', mediaType: 'image/png', content: { base64: 'iVBORw0=' } },
        ],
        isError: true,
        metadata: { gemini: { functionResponse: { scheduling: 'SILENT' } } },
      },
    ])
    expect((tools as readonly { inputSchema?: unknown }[])[0]?.inputSchema).toEqual({
      type: 'object',
      properties: {
        at: { type: ['string', 'null'], enum: ['image'] },
        all: { type: 'array', items: { type: 'integer' }, minItems: 1 },
      },
    })
    expect(settings).toEqual({
      maxOutputTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      stopSequences: ['END'],
      candidates: 2,
      logprobs: 3,
      reasoning: { effort: 'low' },
      output: { schema: { type: 'object', properties: { a: { type: 'number' } } } },
    })
    expect(providerOptions?.gemini).toMatchObject({
      toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } },
      generationConfig: { thinkingConfig: { includeThoughts: true }, responseModalities: ['TEXT'] },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      a_field_of_tomorrow: { as: ['it', 'is'] },
    })
  })

  const TOOLS = [{ functionDeclarations: [{ name: 'a' }, { name: 'b' }] }]
  const calling = (functionCallingConfig: object) => ({ tools: TOOLS, toolConfig: { functionCallingConfig } })
  test.each<[fields: object, wanted: object]>([
    [calling({ mode: 'NONE' }), { toolChoice: 'none' }],
    [calling({ mode: 'ANY' }), { toolChoice: 'required' }],
    [calling({ mode: 'ANY', allowedFunctionNames: ['a'] }), { toolChoice: { toolName: 'a' } }],
    [
      calling({ mode: 'ANY', allowedFunctionNames: ['a', 'b'] }),
      { toolChoice: { toolNames: ['a', 'b'], mode: 'required' } },
    ],
    [
      calling({ mode: 'VALIDATED', allowedFunctionNames: ['a'] }),
      { toolChoice: { toolNames: ['a'], mode: 'auto' } },
    ],
    [calling({ mode: 'VALIDATED' }), {}],
    [
      { generationConfig: { thinkingConfig: { thinkingBudget: 1024 } } },
      { settings: { reasoning: { budgetTokens: 1024 } } },
    ],
    [
      { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
      { settings: { reasoning: { effort: 'none' } } },
    ],
    [{ generationConfig: { thinkingConfig: { thinkingBudget: -1, includeThoughts: true } } }, {}],
    [{ generationConfig: { responseLogprobs: false } }, { settings: { logprobs: false } }],
    [{ generationConfig: { responseLogprobs: true } }, { settings: { logprobs: true } }],
    [{ generationConfig: { responseMimeType: 'application/json' } }, { settings: { output: {} } }],
    [
      { generationConfig: { responseMimeType: 'application/json', responseJsonSchema: { const: 1 } } },
      { settings: { output: { schema: { const: 1 } } } },
    ],
    [
      {
        generationConfig: {
          responseMimeType: 'text/x.enum',
          responseSchema: { type: 'STRING', enum: ['a'] },
        },
      },
      {},
    ],
    [{ cachedContent: 'cachedContents/1' }, { previousResponseId: 'cachedContents/1' }],
  ])('%j is read and written back', (fields, wanted) => {
    const body = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }], ...fields }
    const { messages, tools, providerOptions, ...rest } = read(body)
    expect(messages).toEqual([hello])
    expect(rest).toEqual(wanted)
    expect(write(read(body))).toMatchObject({ body, diagnostics: [] })
    expect(write(read(body)).body).toEqual(body)
  })

  test.each([
    ['/v1beta/models/gemini-3-flash:generateContent', { model: 'gemini-3-flash' }],
    [
      '/v1/projects/p/locations/l/publishers/google/models/gemini-3-pro:streamGenerateContent',
      { model: 'gemini-3-pro', stream: true },
    ],
    ['/v1beta/tunedModels/mine:generateContent', { model: 'tunedModels/mine' }],
    [undefined, {}],
  ])('is sent to %s', (path, wanted) => {
    expect(read({ contents: [] }, path)).toEqual({ messages: [], ...wanted })
  })

  test.each([
    [{ messages: [hello], model: 'gemini-3-flash' }, '/v1beta/models/gemini-3-flash:generateContent'],
    [
      { messages: [hello], model: 'models/gemini-3-flash', stream: true },
      '/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse',
    ],
    [{ messages: [hello], model: 'tunedModels/mine' }, '/v1beta/tunedModels/mine:generateContent'],
  ])('%j has a path', (request, path) => {
    expect(write(request).path).toBe(path)
  })

  test.each([
    ['../../v1/files', '..%2F..%2Fv1%2Ffiles'],
    ['a b?key=1#c', 'a%20b%3Fkey%3D1%23c'],
    ['mine:latest', 'mine%3Alatest'],
    ['été', '%C3%A9t%C3%A9'],
    ['50%', '50%25'],
  ])('the model %s is one segment of its path, and is read again', (model, segment) => {
    const { path, body } = write({ messages: [hello], model })
    expect(path).toBe(`/v1beta/models/${segment}:generateContent`)
    expect(read(body, path).model).toBe(model)
  })

  test('a model whose name is no text that can be sent has a path all the same', () => {
    expect(write({ messages: [hello], model: 'a\ud83d' }).path).toBe(
      '/v1beta/models/a%EF%BF%BD:generateContent',
    )
    expect(read({ contents: [] }, '/v1beta/models/50%:generateContent').model).toBe('50%')
  })

  test.each([
    [{ contents: 'Hello' }, "'contents' must be a list."],
    [{ contents: [7] }, "'contents[0]' must be an object."],
    [{ contents: [{ role: 'system' }] }, '\'role\' of a content is user or model, not "system".'],
  ])('%j is refused with a sentence', (body, message) => {
    expect(() => read(body)).toThrow(message)
  })
})

describe('a response that is appended', () => {
  const fixture = readFileSync(new URL('../fixtures/gemini.sse', import.meta.url))
  const asked = { model: 'gemini-3-flash', messages: [hello] }

  test('is written with its thoughts, and its signature on the call that has it', () => {
    const next = appendResults(appendResponse(asked, foldEvents(eventsOf([fixture]))), [
      { id: 'call_oslo', content: 'Rain' },
      { id: 'call_paris', content: 'Sun' },
    ])
    const { body, diagnostics } = write(next)
    expect(body).toEqual({
      contents: [
        { role: 'user', parts: [{ text: 'Hello' }] },
        {
          role: 'model',
          parts: [
            { text: 'Two cities, two calls.', thought: true },
            { text: "I'll look at both 🌦." },
            {
              functionCall: { id: 'call_paris', name: 'get_weather', args: { city: 'Paris', days: 2 } },
              thoughtSignature: 'CiQBVKhc7g==',
            },
            { functionCall: { id: 'call_oslo', name: 'get_weather', args: { city: 'Oslo', days: 1 } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'call_paris', name: 'get_weather', response: { output: 'Sun' } } },
            { functionResponse: { id: 'call_oslo', name: 'get_weather', response: { output: 'Rain' } } },
          ],
        },
      ],
    })
    expect(diagnostics).toEqual([])
  })

  const chunk = (...parts: object[]) => ({
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', groundingMetadata: { a: 1 } }],
    responseId: 'r1',
  })
  test.each<[what: string, parts: readonly object[]]>([
    ['text', [{ text: 'Sunny.', thoughtSignature: 'c2ln' }]],
    ['a call', [{ functionCall: { id: 'fn_1', name: 'ls', args: {} }, thoughtSignature: 'c2ln' }]],
    ['a thought', [{ text: 'Hm.', thought: true, thoughtSignature: 'c2ln' }, { text: 'Sunny.' }]],
    ['an image', [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0=' }, thoughtSignature: 'c2ln' }]],
    [
      'a program',
      [
        { executableCode: { language: 'PYTHON', code: 'print(1)' }, thoughtSignature: 'c2ln' },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } },
      ],
    ],
    ['nothing else', [{ thoughtSignature: 'c2ln' }]],
  ])('keeps a signature on %s', (_, parts) => {
    const { body } = write(
      appendResponse(asked, foldEvents(eventsOf([chunk(...parts)], { provider: 'gemini' }))),
    )
    expect((body.contents as object[])[1]).toEqual({ role: 'model', parts })
  })
})

describe('what Gemini enforces', () => {
  test('the roles alternate, and results stand directly behind their calls', () => {
    const written = write({
      messages: [
        { role: 'system', parts: [{ type: 'text', text: 'A' }] },
        hello,
        hello,
        { role: 'assistant', parts: [{ type: 'text', text: '' }] },
        hello,
        { role: 'assistant', parts: [{ type: 'call', id: 'a', toolName: 'ls', input: null }] },
        hello,
        { role: 'system', parts: [{ type: 'text', text: 'B' }] },
        { role: 'tool', parts: [{ type: 'result', id: 'a', content: 'No', isError: true }] },
      ],
    })
    expect(written.body).toEqual({
      systemInstruction: { parts: [{ text: 'A' }, { text: 'B' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Hello' }, { text: 'Hello' }, { text: 'Hello' }] },
        { role: 'model', parts: [{ functionCall: { id: 'a', name: 'ls', args: {} } }] },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'a', name: 'ls', response: { error: 'No' } } },
            { text: 'Hello' },
          ],
        },
      ],
    })
    expect(codes(written)).toEqual(['message-moved'])
  })

  test.each([
    ['gemini-3-pro', 'skip_thought_signature_validator'],
    ['gemini-2.5-pro', undefined],
  ])('calls that another model made in the turn that goes on are accepted by %s', (model, signature) => {
    const round = (id: string) =>
      [
        {
          role: 'assistant',
          parts: [
            { type: 'call', id, toolName: 'ls', input: {} },
            { type: 'call', id: `${id}2`, toolName: 'ls', input: {} },
          ],
        },
        {
          role: 'tool',
          parts: [
            { type: 'result', id, content: '' },
            { type: 'result', id: `${id}2`, content: '' },
          ],
        },
      ] as const
    const { body } = write({ model, messages: [hello, ...round('a'), hello, ...round('b'), ...round('c')] })
    const signatures = (body.contents as { parts: { functionCall?: object; thoughtSignature?: string }[] }[])
      .flatMap(({ parts }) => parts)
      .flatMap(({ functionCall, thoughtSignature }) => (functionCall ? [thoughtSignature] : []))
    expect(signatures).toEqual([undefined, undefined, signature, undefined, signature, undefined])
  })

  test('names begin with a letter, and schemas go where all of JSON Schema is taken', () => {
    const inputSchema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      additionalProperties: false,
    }
    const { body, toolNames } = write({
      messages: [hello],
      tools: [{ name: '2fast', inputSchema }, { name: 'fs.read:all' }, { type: 'custom', name: 'run' }],
      toolChoice: { toolName: '2fast' },
    })
    expect(toolNames).toEqual({ _fast: '2fast' })
    expect(body.tools).toEqual([
      {
        functionDeclarations: [
          { name: '_fast', parametersJsonSchema: inputSchema },
          { name: 'fs.read:all' },
          {
            name: 'run',
            parametersJsonSchema: {
              type: 'object',
              properties: { input: { type: 'string' } },
              required: ['input'],
            },
          },
        ],
      },
    ])
    expect(body.toolConfig).toEqual({
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['_fast'] },
    })
  })

  test('a schema that the application changed is written instead of the one that came', () => {
    const request = read(BODY)
    const tools = [{ ...(request.tools as object[])[0], inputSchema: { type: 'object' } }]
    const { body } = write({
      ...request,
      tools,
      settings: { output: { schema: { type: 'array' } } },
    } as unknown as ModelRequest)
    expect(body.tools).toMatchObject([
      { functionDeclarations: [{ parametersJsonSchema: { type: 'object' } }] },
    ])
    expect(JSON.stringify(body.tools)).not.toContain('"parameters"')
    expect(body.generationConfig).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'array' },
      responseModalities: ['TEXT'],
      thinkingConfig: { includeThoughts: true },
    })
  })

  test.each<[model: string, settings: Settings, wanted: object | undefined, reported: number]>([
    [
      'gemini-2.5-flash',
      { reasoning: { effort: 'medium' } },
      { thinkingConfig: { thinkingBudget: 8192 } },
      0,
    ],
    [
      'gemini-3-flash',
      { reasoning: { effort: 'medium' } },
      { thinkingConfig: { thinkingLevel: 'MEDIUM' } },
      0,
    ],
    ['gemini-3-flash', { reasoning: { effort: 'xhigh' } }, { thinkingConfig: { thinkingLevel: 'HIGH' } }, 1],
    ['gemini-3-flash', { reasoning: { effort: 'none' } }, { thinkingConfig: { thinkingBudget: 0 } }, 0],
    ['gemini-3-flash', { minP: 0.1, parallelToolCalls: false }, undefined, 2],
    ['gemini-3-flash', { parallelToolCalls: true }, undefined, 0],
    [
      'gemini-3-flash',
      { stopSequences: ['a', 'b', 'c', 'd', 'e', 'f'] },
      { stopSequences: ['a', 'b', 'c', 'd', 'e'] },
      1,
    ],
  ])('%s is asked with %j', (model, settings, wanted, reported) => {
    const { body, diagnostics } = write({ model, messages: [hello], settings })
    expect(body.generationConfig).toEqual(wanted)
    expect(diagnostics).toHaveLength(reported)
  })

  test('files are sent as they can be, and what other providers keep is left out', () => {
    const written = write({
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'file', mediaType: 'image/*', content: { url: 'https://a/b.png' } },
            { type: 'file', mediaType: 'image/*', content: { base64: '/9j/4AAQ' } },
            { type: 'file', mediaType: 'text/plain', content: { text: 'Grüß' }, name: 'a.txt' },
            { type: 'file', mediaType: 'image/png', content: { id: 'file_1', provider: 'anthropic' } },
          ],
        },
        {
          role: 'assistant',
          provider: 'anthropic',
          parts: [
            { type: 'reasoning', text: 'Hm', metadata: { anthropic: { signature: 's' } } },
            { type: 'call', id: 'a', toolName: 'web_search', input: {}, providerExecuted: true },
            { type: 'result', id: 'a', content: '[]' },
            { type: 'custom', kind: 'fallback', value: { type: 'fallback' } },
          ],
        },
      ],
    })
    expect(written.body.contents).toEqual([
      {
        role: 'user',
        parts: [
          { fileData: { fileUri: 'https://a/b.png' } },
          { inlineData: { mimeType: 'image/jpeg', data: '/9j/4AAQ' } },
          { inlineData: { mimeType: 'text/plain', data: 'R3LDvMOf' } },
        ],
      },
    ])
    expect(codes(written)).toEqual([...Array<string>(5).fill('part-left-out')])
  })

  test('signatures are not sent to another provider', () => {
    const request = { ...read(BODY), settings: { maxOutputTokens: 9 } }
    const { body, diagnostics } = writeRequest(anthropicRequest, request)
    expect(JSON.stringify(body)).not.toContain('c2ln')
    expect(diagnostics.length).toBeGreaterThan(0)
  })

  test('what is cached cannot be written for a protocol that does not have it, nor here what another server kept', () => {
    const cached = read({ contents: [], cachedContent: 'cachedContents/1' })
    expect(() => writeRequest(anthropicRequest, cached)).toThrow(
      "'anthropic' cannot go on from the response 'cachedContents/1'",
    )
    expect(() => write({ messages: [hello], previousResponseId: 'resp_1' })).toThrow(
      "'gemini' cannot go on from the response 'resp_1', which another server has kept; send the messages themselves.",
    )
  })
})

test('an effort is sent without a budget, since the API takes one of them', () => {
  const { body, diagnostics } = writeRequest(geminiRequest, {
    model: 'gemini-3-flash',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    settings: { reasoning: { effort: 'high', budgetTokens: 2000 } },
  })
  expect(body.generationConfig).toEqual({ thinkingConfig: { thinkingLevel: 'HIGH' } })
  expect(diagnostics.map(({ code }) => code)).toEqual(['setting-left-out'])
})

test('a conversation that the model begins gets a beginning', () => {
  const { body, diagnostics } = writeRequest(geminiRequest, {
    messages: [{ role: 'assistant', parts: [{ type: 'text', text: 'Hi.' }] }],
  })
  expect(body.contents).toEqual([
    { role: 'user', parts: [{ text: '…' }] },
    { role: 'model', parts: [{ text: 'Hi.' }] },
  ])
  expect(diagnostics.map(({ code }) => code)).toEqual(['message-added'])
})
