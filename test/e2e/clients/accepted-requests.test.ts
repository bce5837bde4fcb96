/**
 * Requests and the providers' own clients: what is written has the shape that the types of a client demand, and what a
 * client sends is read and goes back as it came.
 */

import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createOpenAI } from '@ai-sdk/openai'
import {
  FunctionCallingConfigMode,
  type GenerateContentParameters,
  GoogleGenAI,
  ThinkingLevel,
  Type,
} from '@google/genai'
import { generateText, jsonSchema, type ModelMessage } from 'ai6'
import OpenAI from 'openai'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { foldEvents } from '../../../src/message.ts'
import {
  appendResponse,
  appendResults,
  geminiRequest,
  type ModelRequest,
  openaiResponsesRequest,
  type RequestFormat,
  readRequest,
  writeRequest,
} from '../../../src/providers/requests.ts'
import { eventsOf } from '../../providers/told.ts'
import { NO_KEY } from './client.ts'

// ── what is written ──────────────────────────────────────────────────────────────────────────────

const fixture = (name: string) => readFileSync(new URL(`../../providers/fixtures/${name}`, import.meta.url))

/** A conversation with something of everything, which begins with another provider. */
const REQUEST: ModelRequest = {
  model: 'gpt-5',
  stream: true,
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'What is this?' },
        { type: 'file', mediaType: 'image/png', content: { base64: 'iVBORw0=' } },
        { type: 'file', mediaType: 'image/*', content: { url: 'https://example.com/a.png' } },
        { type: 'file', mediaType: 'application/pdf', content: { base64: 'JVBERi0=' }, name: 'a.pdf' },
        { type: 'file', mediaType: 'text/plain', content: { text: 'Hello' } },
      ],
    },
    {
      role: 'assistant',
      provider: 'anthropic',
      parts: [
        { type: 'reasoning', text: 'Hm.', metadata: { anthropic: { signature: 's' } } },
        { type: 'text', text: 'I look.' },
        { type: 'call', id: 'toolu_1', toolName: 'fs.read', input: { path: 'a' } },
        { type: 'call', id: 'toolu_2', toolName: 'run', input: 'ls' },
      ],
    },
    {
      role: 'tool',
      parts: [
        { type: 'result', id: 'toolu_1', content: 'No such file', isError: true },
        {
          type: 'result',
          id: 'toolu_2',
          content: [
            { type: 'text', text: 'a.png' },
            { type: 'file', mediaType: 'image/png', content: { base64: 'iVBORw0=' } },
          ],
        },
      ],
    },
    { role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Weather?' }] },
  ],
  tools: [
    {
      name: 'fs.read',
      description: 'Reads.',
      inputSchema: { type: 'object', properties: { path: { const: 'a' } }, additionalProperties: false },
    },
    { type: 'custom', name: 'run' },
    { name: 'get_weather', strict: true, inputSchema: { type: 'object', properties: {} } },
  ],
  toolChoice: { toolNames: ['fs.read', 'get_weather'], mode: 'auto' },
  settings: {
    maxOutputTokens: 100,
    temperature: 0.5,
    topP: 0.9,
    topK: 40,
    seed: 1,
    stopSequences: ['END'],
    reasoning: { effort: 'low' },
    output: { schema: { type: 'object', properties: {} }, name: 'an answer' },
    parallelToolCalls: true,
    candidates: 1,
    logprobs: 2,
  },
}

/** The same, with a response of the provider's own and the results of its calls. */
function bodyOf(format: RequestFormat, stream: string): object {
  const response = foldEvents(eventsOf([fixture(stream)]))
  const results = response.toolCalls.map(({ id }) => ({ id, content: 'Sun' }))
  return writeRequest(format, appendResults(appendResponse(REQUEST, response), results)).body
}

/** What a compiler has against the lines of a program. */
function complaints(...lines: readonly string[]): string[] {
  const name = fileURLToPath(new URL('written-down.ts', import.meta.url))
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (file, ...rest) =>
    file === name ? ts.createSourceFile(name, lines.join('\n'), ts.ScriptTarget.ES2022) : read(file, ...rest)
  const program = ts.createProgram([name], options, host)
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(name))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

const literal = (value: unknown): string => JSON.stringify(value)

const OPENAI = "import type { ResponseCreateParams } from 'openai/resources/responses/responses'"

/** Google's types have enumerations where the protocol has their words. */
const GOOGLE = `import type { Content, GenerationConfig, Tool, ToolConfig } from '@google/genai'
type Words<T> = T extends string ? (string extends T ? T : \`\${T}\`)
  : T extends readonly (infer One)[] ? Words<One>[]
  : T extends object ? { [Field in keyof T]: Words<T[Field]> } : T
interface Body {
  contents: Words<Content>[]; systemInstruction?: Words<Content>; tools?: Words<Tool>[]
  toolConfig?: Words<ToolConfig>; generationConfig?: Words<GenerationConfig>
}`

describe('what is written has the shape that the types demand', () => {
  test('of OpenAI', () => {
    const body = bodyOf(openaiResponsesRequest, 'openai-responses.sse')
    const wrong = { ...body, input: [{ type: 'function_call_output', id: 'call_1', content: 'Sun' }] }
    expect(
      complaints(
        OPENAI,
        `export const body: ResponseCreateParams = ${literal(body)}`,
        '// @ts-expect-error',
        `export const wrong: ResponseCreateParams = ${literal(wrong)}`,
        '// @ts-expect-error',
        `export const other: ResponseCreateParams = ${literal({ ...body, tool_choice: { name: 'look' } })}`,
      ),
    ).toEqual([])
  })

  test('of Google', () => {
    const body = bodyOf(geminiRequest, 'gemini.sse')
    const wrong = { ...body, contents: [{ role: 'model', parts: [{ function_call: {} }] }] }
    expect(
      complaints(
        GOOGLE,
        `export const body: Body = ${literal(body)}`,
        '// @ts-expect-error',
        `export const wrong: Body = ${literal(wrong)}`,
        '// @ts-expect-error',
        `export const other: Body = ${literal({ ...body, generationConfig: { max_tokens: 1 } })}`,
      ),
    ).toEqual([])
  })
})

// ── what clients send ────────────────────────────────────────────────────────────────────────────

let server: Server
let url: string
let sent: { readonly path: string; readonly body: object } | undefined

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      sent = {
        path: request.url ?? '',
        body: JSON.parse(Buffer.concat(chunks).toString()) as object,
      }
      // Only the request counts.
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"Seen"}}')
    })
  })
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

async function sentBy(ask: () => PromiseLike<unknown>): Promise<{ path: string; body: object }> {
  sent = undefined
  await expect(Promise.resolve(ask())).rejects.toThrow()
  return sent!
}

function writtenAgain(format: RequestFormat, { path, body }: { path: string; body: object }) {
  const { request } = readRequest(format, body, { path })
  const { diagnostics, ...written } = writeRequest(format, request)
  return { request, diagnostics, ...written }
}

test("what OpenAI's client sends goes back as it came", async () => {
  const got = await sentBy(() =>
    new OpenAI({ ...NO_KEY, baseURL: `${url}/v1` }).responses.create({
      model: 'gpt-5',
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'Hello' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'e' },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'ls', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'a' },
      ],
      tools: [
        { type: 'function', name: 'ls', parameters: { type: 'object' }, strict: false },
        { type: 'web_search' },
      ],
      tool_choice: { type: 'function', name: 'ls' },
      text: { format: { type: 'json_object' } },
      reasoning: { effort: 'low', summary: 'auto' },
      store: false,
      stream: true,
    }),
  )
  expect(writtenAgain(openaiResponsesRequest, got)).toMatchObject({ ...got, diagnostics: [] })
  expect(writtenAgain(openaiResponsesRequest, got).body).toEqual(got.body)
})

/** What the AI SDK's users have in their history. */
const HISTORY: ModelMessage[] = [
  { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
  {
    role: 'assistant',
    content: [
      {
        type: 'reasoning',
        text: 'Hm.',
        providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'e' } },
      },
      { type: 'text', text: 'I look.', providerOptions: { openai: { itemId: 'msg_1' } } },
      {
        type: 'tool-call',
        toolCallId: 'call_1',
        toolName: 'ls',
        input: { path: '.' },
        providerOptions: { openai: { itemId: 'fc_1' } },
      },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'call_1', toolName: 'ls', output: { type: 'text', value: 'a' } },
    ],
  },
]

test.each([true, false])(
  'what the AI SDK sends goes back, with responses that are kept: %s',
  async (store) => {
    const got = await sentBy(() =>
      generateText({
        model: createOpenAI({ apiKey: 'none', baseURL: `${url}/v1` }).responses('gpt-5'),
        system: 'Be brief.',
        messages: HISTORY,
        tools: { ls: { description: 'Lists.', inputSchema: jsonSchema({ type: 'object', properties: {} }) } },
        maxRetries: 0,
        providerOptions: { openai: { store, reasoningEffort: 'low' } },
      }),
    )
    const again = writtenAgain(openaiResponsesRequest, got)
    expect(again).toMatchObject({ path: got.path, diagnostics: [] })
    const types = (body: object) =>
      (body as { input: { type?: string; role?: string; id?: string; call_id?: string }[] }).input.map(
        ({ type, role, id, call_id }) => [role ?? type, id, call_id],
      )
    expect(types(again.body)).toEqual(types(got.body))
    const { input: _mine, ...mine } = again.body
    const { input: _theirs, ...theirs } = got.body as { input: unknown }
    expect(mine).toEqual(theirs)
  },
)

const TO_GOOGLE: GenerateContentParameters = {
  model: 'gemini-3-flash',
  contents: [
    { role: 'user', parts: [{ text: 'Hello' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0=' } }] },
    {
      role: 'model',
      parts: [
        { text: 'Hm.', thought: true },
        { functionCall: { id: 'a', name: 'ls', args: { path: '.' } }, thoughtSignature: 'c2ln' },
        { functionCall: { name: 'ls', args: {} } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'a', name: 'ls', response: { output: 'a.txt' } } },
        { functionResponse: { name: 'ls', response: { files: ['a.txt'] } } },
      ],
    },
  ],
  config: {
    systemInstruction: 'Be brief.',
    tools: [
      {
        functionDeclarations: [
          { name: 'ls', parameters: { type: Type.OBJECT, properties: { path: { type: Type.STRING } } } },
        ],
      },
      { googleSearch: {} },
    ],
    toolConfig: {
      functionCallingConfig: { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: ['ls'] },
    },
    temperature: 0.5,
    maxOutputTokens: 100,
    stopSequences: ['END'],
    responseMimeType: 'application/json',
    responseSchema: { type: Type.OBJECT, properties: { a: { type: Type.NUMBER } } },
    thinkingConfig: { thinkingLevel: ThinkingLevel.LOW, includeThoughts: true },
  },
}

test.each(['generateContent', 'generateContentStream'] as const)(
  "what Google's client sends goes back as it came: %s",
  async (method) => {
    const google = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } })
    const got = await sentBy(() => google.models[method](TO_GOOGLE))
    const again = writtenAgain(geminiRequest, got)
    expect(again).toMatchObject({ path: got.path, diagnostics: [] })
    expect(again.body).toEqual(got.body)
    expect(again.request).toMatchObject({
      model: 'gemini-3-flash',
      toolChoice: { toolName: 'ls' },
      settings: { temperature: 0.5, maxOutputTokens: 100, reasoning: { effort: 'low' } },
    })
  },
)
