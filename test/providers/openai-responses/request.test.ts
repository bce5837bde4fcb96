import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { foldEvents } from '../../../src/engine/message.ts'
import {
  anthropicRequest,
  appendResponse,
  appendResults,
  appendUser,
  type ConversationMessage,
  type ConversationPart,
  type ModelRequest,
  openaiResponsesRequest,
  readRequest,
  type Settings,
  type WrittenRequest,
  writeRequest,
} from '../../../src/providers/requests.ts'
import { eventsOf } from '../told.ts'

const read = (body: object): ModelRequest => readRequest(openaiResponsesRequest, body).request
const write = (request: ModelRequest): WrittenRequest => writeRequest(openaiResponsesRequest, request)
const hello = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] } as const
const answer = (...parts: ConversationPart[]): ConversationMessage => ({
  role: 'assistant',
  provider: 'openai-responses',
  parts,
})
const codes = ({ diagnostics }: WrittenRequest): string[] => diagnostics.map(({ code }) => code)

/** What a client sends to the Responses API, with everything that must come back as it was. */
const BODY = {
  model: 'gpt-5.4',
  instructions: 'Be brief.',
  input: [
    { role: 'developer', content: 'Use the tools.' },
    {
      type: 'message',
      role: 'system',
      content: [
        { type: 'input_text', text: 'A' },
        { type: 'input_text', text: 'B' },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is this?', prompt_cache_breakpoint: { mode: 'explicit' } },
        { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0=', detail: 'high' },
        { type: 'input_image', file_id: 'file_1', detail: 'auto' },
        { type: 'input_file', file_url: 'https://example.com/a.pdf' },
        { type: 'input_file', filename: 'b.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
        { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
        { type: 'input_video', video_url: 'https://example.com/c.mp4' },
      ],
    },
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [
        { type: 'summary_text', text: 'First' },
        { type: 'summary_text', text: 'then' },
      ],
      content: [{ type: 'reasoning_text', text: 'Hm.' }],
      encrypted_content: 'gAAAAABo',
      status: 'completed',
    },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      phase: 'commentary',
      content: [
        {
          type: 'output_text',
          text: 'I look.',
          annotations: [
            { type: 'url_citation', url: 'https://example.com', title: 'E', start_index: 0, end_index: 1 },
          ],
          logprobs: [],
        },
        { type: 'refusal', refusal: 'Not all of it.' },
      ],
    },
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'look',
      arguments: '{ "at": "image" }',
      status: 'completed',
      namespace: 'eyes',
      caller: { type: 'program', caller_id: 'prog_1' },
    },
    { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_2', name: 'run', input: 'ls -l' },
    { type: 'function_call', call_id: 'call_3', name: 'look', arguments: '{"at":' },
    {
      type: 'function_call_output',
      id: 'fco_1',
      call_id: 'call_1',
      output: [
        { type: 'input_text', text: 'A cat.' },
        { type: 'input_image', image_url: 'https://example.com/cat.png', detail: 'low' },
      ],
      status: 'completed',
      caller: { type: 'program', caller_id: 'prog_1' },
    },
    { type: 'custom_tool_call_output', call_id: 'call_2', output: 'total 0' },
    { type: 'function_call_output', call_id: 'call_3', output: 'Not JSON.' },
    { role: 'assistant', content: 'One', phase: 'commentary' },
    { role: 'assistant', content: 'Two' },
    { role: 'user', content: 'And now?' },
    { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAAAABp' },
    {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'cats', sources: [{ type: 'url', url: 'https://example.com' }] },
    },
    {
      type: 'file_search_call',
      id: 'fs_1',
      status: 'completed',
      queries: ['cats'],
      results: [{ file_id: 'file_2', score: 0.5, text: 'Cats' }],
    },
    {
      type: 'code_interpreter_call',
      id: 'ci_1',
      status: 'completed',
      code: 'print(1)',
      container_id: 'cntr_1',
      outputs: [{ type: 'logs', logs: '1' }],
    },
    {
      type: 'image_generation_call',
      id: 'ig_1',
      status: 'completed',
      result: 'iVBORw0=',
      revised_prompt: 'A cat',
    },
    { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'docs', tools: [] },
    {
      type: 'mcp_call',
      id: 'mcp_1',
      server_label: 'docs',
      name: 'docs.search',
      arguments: '{"q": 1}',
      output: '{"found":1}',
      approval_request_id: 'mcpr_0',
    },
    {
      type: 'mcp_call',
      id: 'mcp_2',
      server_label: 'docs',
      name: 'docs.search',
      arguments: '{}',
      error: { type: 'mcp_protocol_error', code: 1, message: 'No' },
    },
    {
      type: 'mcp_approval_request',
      id: 'mcpr_1',
      server_label: 'docs',
      name: 'delete',
      arguments: '{"id":1}',
    },
    { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
    {
      type: 'shell_call',
      id: 'sh_1',
      call_id: 'call_4',
      status: 'completed',
      action: { commands: ['ls'] },
      environment: { type: 'container_reference', container_id: 'cntr_1' },
    },
    {
      type: 'shell_call_output',
      id: 'sho_1',
      call_id: 'call_4',
      output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
    {
      type: 'computer_call',
      id: 'cu_1',
      call_id: 'call_5',
      status: 'completed',
      action: { type: 'click', x: 1, y: 2, button: 'left' },
      pending_safety_checks: [{ id: 'sc_1', code: 'c', message: 'm' }],
    },
    {
      type: 'computer_call_output',
      call_id: 'call_5',
      output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,iVBORw0=' },
      acknowledged_safety_checks: [{ id: 'sc_1', code: 'c', message: 'm' }],
    },
    {
      type: 'computer_call',
      id: 'cu_2',
      call_id: 'call_6',
      status: 'completed',
      actions: [{ type: 'screenshot' }],
      pending_safety_checks: [],
    },
    {
      type: 'computer_call_output',
      call_id: 'call_6',
      output: { type: 'computer_screenshot', file_id: 'file_3' },
    },
    { type: 'shell_call', call_id: 'call_7', action: { commands: ['pwd'] }, status: 'completed' },
    {
      type: 'shell_call_output',
      call_id: 'call_7',
      output: [{ stdout: '/', stderr: '', outcome: { type: 'timeout' } }],
      max_output_length: 100,
    },
    {
      type: 'local_shell_call',
      id: 'lsh_1',
      call_id: 'call_8',
      status: 'completed',
      action: { type: 'exec', command: ['ls'], env: {} },
    },
    { type: 'local_shell_call_output', id: 'call_8', output: '{"stdout":""}' },
    {
      type: 'apply_patch_call',
      id: 'apc_1',
      call_id: 'call_9',
      status: 'completed',
      operation: { type: 'delete_file', path: 'a' },
    },
    { type: 'apply_patch_call_output', call_id: 'call_9', status: 'failed', output: 'No such file' },
    {
      type: 'tool_search_call',
      id: 'tsc_1',
      call_id: null,
      status: 'completed',
      execution: 'server',
      arguments: { q: 'x' },
    },
    {
      type: 'tool_search_output',
      id: 'tso_1',
      call_id: null,
      status: 'completed',
      execution: 'server',
      tools: [{ type: 'function', name: 'f' }],
    },
    { type: 'program', id: 'prog_1', call_id: 'call_10', code: 'look()', fingerprint: 'f' },
    { type: 'program_output', id: 'progo_1', call_id: 'call_10', result: '1', status: 'completed' },
    { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAAABq' },
    { type: 'item_reference', id: 'msg_9' },
    { role: 'user', content: 'Thanks.' },
  ],
  tools: [
    {
      type: 'function',
      name: 'look',
      description: 'Looks.',
      parameters: { type: 'object', properties: { at: { type: 'string' } }, $defs: {} },
      strict: true,
      defer_loading: true,
    },
    { type: 'function', name: 'unsaid', parameters: { type: 'object', properties: {} } },
    { type: 'custom', name: 'run', format: { type: 'grammar', syntax: 'lark', definition: 'start: /.*/' } },
    { type: 'web_search', search_context_size: 'low' },
    {
      type: 'namespace',
      name: 'crm',
      description: 'C',
      tools: [{ type: 'function', name: 'f', parameters: {} }],
    },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: false,
  stream: true,
  max_output_tokens: 2048,
  temperature: 0.5,
  top_p: 0.9,
  top_logprobs: 3,
  include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
  text: {
    format: {
      type: 'json_schema',
      name: 'answer',
      schema: { type: 'object' },
      strict: true,
      description: 'D',
    },
    verbosity: 'low',
  },
  reasoning: { effort: 'low', summary: 'auto' },
  store: false,
  truncation: 'auto',
  background: false,
  metadata: { user: 'u1' },
  prompt: { id: 'pmpt_1', version: '2' },
  prompt_cache_key: 'k',
  a_field_of_tomorrow: { as: ['it', 'is'] },
}

describe("a request of OpenAI's Responses", () => {
  test('goes back to OpenAI as it came', () => {
    const { body, path, toolNames, diagnostics } = write(read(BODY))
    expect(body).toEqual(BODY)
    expect(path).toBe('/v1/responses')
    expect(toolNames).toEqual({})
    expect(diagnostics).toEqual([])
  })

  test('is detected', () => {
    expect(openaiResponsesRequest.detect(BODY)).toBe(true)
    expect(openaiResponsesRequest.detect({ messages: [] })).toBe(false)
  })

  test('is read into parts, with the items of a response as one message', () => {
    const { messages, settings, providerOptions } = read(BODY)
    expect(messages.slice(0, 9).map(({ role }) => role)).toEqual([
      ...['system', 'system', 'system', 'user', 'assistant', 'tool', 'assistant', 'assistant', 'user'],
    ])
    expect(messages[4]).toEqual({
      role: 'assistant',
      provider: 'openai-responses',
      parts: [
        {
          type: 'reasoning',
          text: 'First',
          metadata: { 'openai-responses': { itemId: 'rs_1', status: 'completed' } },
        },
        {
          type: 'reasoning',
          text: 'then',
          metadata: { 'openai-responses': { itemId: 'rs_1', status: 'completed' } },
        },
        {
          type: 'reasoning',
          text: 'Hm.',
          metadata: {
            'openai-responses': {
              itemId: 'rs_1',
              status: 'completed',
              type: 'reasoning_text',
              encryptedContent: 'gAAAAABo',
            },
          },
        },
        {
          type: 'text',
          text: 'I look.',
          metadata: {
            'openai-responses': {
              itemId: 'msg_1',
              phase: 'commentary',
              status: 'completed',
              content: { annotations: [expect.objectContaining({ type: 'url_citation' })], logprobs: [] },
            },
          },
        },
        {
          type: 'text',
          text: 'Not all of it.',
          metadata: {
            'openai-responses': { itemId: 'msg_1', phase: 'commentary', status: 'completed', refusal: true },
          },
        },
        {
          type: 'call',
          id: 'call_1',
          toolName: 'look',
          input: { at: 'image' },
          metadata: {
            'openai-responses': {
              itemId: 'fc_1',
              status: 'completed',
              namespace: 'eyes',
              caller: { type: 'program', caller_id: 'prog_1' },
              arguments: '{ "at": "image" }',
            },
          },
        },
        {
          type: 'call',
          id: 'call_2',
          toolName: 'run',
          input: 'ls -l',
          metadata: { 'openai-responses': { itemId: 'ctc_1' } },
        },
        {
          type: 'call',
          id: 'call_3',
          toolName: 'look',
          input: '{"at":',
          metadata: { 'openai-responses': { arguments: '{"at":' } },
        },
      ],
    })
    const hosted = messages.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.type === 'call' && part.providerExecuted ? [[part.toolName, part.input]] : [],
      ),
    )
    expect(hosted).toEqual(
      expect.arrayContaining([
        ['web_search', { action: expect.objectContaining({ query: 'cats' }) }],
        ['code_interpreter', { code: 'print(1)' }],
        ['docs.search', { q: 1 }],
        ['shell', { commands: ['ls'] }],
      ]),
    )
    expect(settings).toEqual({
      maxOutputTokens: 2048,
      temperature: 0.5,
      topP: 0.9,
      reasoning: { effort: 'low' },
      output: { schema: { type: 'object' }, name: 'answer', strict: true, description: 'D' },
      parallelToolCalls: false,
      logprobs: 3,
    })
    expect(providerOptions).toEqual({
      'openai-responses': {
        include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
        text: { verbosity: 'low' },
        reasoning: { summary: 'auto' },
        store: false,
        truncation: 'auto',
        background: false,
        metadata: { user: 'u1' },
        prompt: { id: 'pmpt_1', version: '2' },
        prompt_cache_key: 'k',
        a_field_of_tomorrow: { as: ['it', 'is'] },
      },
    })
  })
})

describe('the spellings of clients', () => {
  test.each<[field: string, body: object, wanted: object]>([
    ['text', { input: 'Hello' }, { messages: [hello] }],
    [
      'a list of one text',
      { input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }] },
      { messages: [hello] },
    ],
    ['no input', { prompt: { id: 'pmpt_1' } }, { messages: [] }],
    ['a choice', { input: 'Hello', tool_choice: 'required' }, { messages: [hello], toolChoice: 'required' }],
    ['a choice of none', { input: 'Hello', tool_choice: 'none' }, { messages: [hello], toolChoice: 'none' }],
    [
      'a format as for Chat Completions',
      { input: 'Hello', tool_choice: { type: 'function', function: { name: 'look' } } },
      { messages: [hello], toolChoice: { toolName: 'look' } },
    ],
    ['JSON', { input: 'Hello', text: { format: { type: 'json_object' } } }, { settings: { output: {} } }],
    [
      'all log probabilities',
      { input: 'Hello', include: ['message.output_text.logprobs'] },
      { settings: { logprobs: true } },
    ],
    ['a kept response', { input: 'Hello', previous_response_id: 'resp_1' }, { previousResponseId: 'resp_1' }],
    [
      'a kept conversation',
      { input: 'Hello', conversation: { id: 'conv_1' } },
      { previousResponseId: 'conv_1' },
    ],
    [
      'an effort',
      { input: 'Hello', reasoning: { effort: 'none' } },
      { settings: { reasoning: { effort: 'none' } } },
    ],
  ])('%s', (_, body, wanted) => {
    expect(read(body)).toMatchObject(wanted)
  })

  const TOOLS = [
    { type: 'function', name: 'look', parameters: { type: 'object', properties: {} }, strict: false },
    { type: 'custom', name: 'run' },
  ]
  test.each([
    { tool_choice: { type: 'function', name: 'look' } },
    { tool_choice: { type: 'custom', name: 'run' } },
    {
      tool_choice: {
        type: 'allowed_tools',
        mode: 'required',
        tools: [
          { type: 'function', name: 'look' },
          { type: 'custom', name: 'run' },
        ],
      },
    },
    {
      tool_choice: {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [
          { type: 'function', name: 'look' },
          { type: 'mcp', server_label: 'docs' },
        ],
      },
    },
    { tool_choice: { type: 'mcp', server_label: 'docs', name: 'search' } },
    { tool_choice: { type: 'web_search_preview' } },
    { tool_choice: { type: 'apply_patch' } },
    { text: { format: { type: 'text' } } },
    { text: { format: { type: 'json_object' }, verbosity: 'high' } },
    { text: { format: { type: 'json_schema', name: 'a', schema: {}, of_tomorrow: 1 } } },
    { top_logprobs: 2 },
    { previous_response_id: 'resp_1' },
    { conversation: 'conv_1' },
    { conversation: { id: 'conv_1' } },
    { conversation: 'conv_1', previous_response_id: 'resp_1' },
    { input: [{ role: 'user', content: [{ type: '' }] }] },
    { input: [{ role: 'user', content: [{}, { type: 'of_tomorrow', a: 1 }] }] },
    { input: [{ role: 'developer', content: [{ type: 'input_of_tomorrow', a: 1 }] }] },
    { stream_options: { include_obfuscation: false }, stream: false },
  ])('%j goes back as it came', (fields) => {
    const body = { input: [{ role: 'user', content: 'Hello' }], tools: TOOLS, ...fields }
    const { body: written, diagnostics } = write(read(body))
    expect(written).toEqual(body)
    expect(diagnostics).toEqual([])
  })

  test('only the results of a response that the server has kept', () => {
    const body = {
      previous_response_id: 'resp_1',
      input: [
        { type: 'function_call_output', call_id: 'call_1', output: 'Sunny' },
        { type: 'custom_tool_call_output', call_id: 'call_2', output: 'Rainy' },
        { role: 'user', content: 'And?' },
      ],
    }
    expect(write(read(body))).toMatchObject({ body, diagnostics: [] })
  })

  test('only the results of calls that are referred to', () => {
    const body = {
      input: [
        { role: 'user', content: 'Hello' },
        { type: 'item_reference', id: 'rs_1' },
        { type: 'item_reference', id: 'fc_1' },
        { type: 'function_call_output', call_id: 'call_1', output: 'Sunny' },
      ],
    }
    expect(write(read(body))).toMatchObject({ body, diagnostics: [] })
  })

  test.each([
    [{ input: 7 }, "'input' must be a string or a list."],
    [{ input: ['Hello'] }, "'input[0]' must be an object."],
    [
      { input: [{ role: 'tool', content: '' }] },
      '\'role\' of a message is user, assistant, system or developer, not "tool".',
    ],
  ])('%j is refused with a sentence', (body, message) => {
    expect(() => read(body)).toThrow(message)
  })
})

describe('a response that is appended', () => {
  const fixture = readFileSync(new URL('../fixtures/openai-responses.sse', import.meta.url))
  const CITY = { type: 'function', name: 'get_weather', parameters: { type: 'object' }, strict: false }

  test('is written as the items that it was made of', () => {
    const request = read({ model: 'gpt-5-mini', store: false, input: 'Weather?', tools: [CITY] })
    const response = foldEvents(eventsOf([fixture]))
    const next = appendResults(appendResponse(request, response), [
      { id: 'call_oslo', content: 'Rain' },
      { id: 'call_paris', content: 'Sun' },
    ])
    const { body, diagnostics } = write(next)
    expect(body).toMatchObject({
      model: 'gpt-5-mini',
      store: false,
      tools: [CITY],
      input: [
        { role: 'user', content: 'Weather?' },
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'Two cities, two calls.' }],
          encrypted_content: 'gAAAAABo',
        },
        { role: 'assistant' },
        {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call_paris',
          name: 'get_weather',
          arguments: '{"city":"Paris","days":2}',
        },
        {
          type: 'function_call',
          id: 'fc_2',
          call_id: 'call_oslo',
          name: 'get_weather',
          arguments: '{"city":"Oslo","days":1}',
        },
        { type: 'function_call_output', call_id: 'call_paris', output: 'Sun' },
        { type: 'function_call_output', call_id: 'call_oslo', output: 'Rain' },
      ],
    })
    expect(diagnostics).toEqual([])
  })

  test('is left out of a request to another provider where it is encrypted, with a diagnostic', () => {
    const request = appendUser(
      appendResponse(read({ input: 'Weather?' }), foldEvents(eventsOf([fixture]))),
      'And?',
    )
    const { body, diagnostics } = writeRequest(anthropicRequest, {
      ...request,
      settings: { maxOutputTokens: 9 },
    })
    expect(JSON.stringify(body)).not.toContain('gAAAAABo')
    expect(diagnostics.map(({ code }) => code)).toEqual([
      ...['call-without-result', 'call-without-result', 'part-left-out'],
    ])
  })

  /** What the reader makes of a message with an id, and of annotations. */
  test('has its annotations, its phase and its ids', () => {
    const metadata = { 'openai-responses': { itemId: 'msg_1', phase: 'final_answer' } }
    const { body } = write({
      messages: [
        hello,
        answer(
          { type: 'text', text: 'One', metadata },
          { type: 'custom', kind: 'annotation', value: { type: 'file_path', file_id: 'f', index: 0 } },
          { type: 'text', text: 'Two', metadata },
          { type: 'text', text: 'Three', metadata: { 'openai-responses': { itemId: 'msg_2' } } },
        ),
      ],
    })
    expect((body.input as unknown[]).slice(1)).toEqual([
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        phase: 'final_answer',
        content: [
          { type: 'output_text', text: 'One', annotations: [{ type: 'file_path', file_id: 'f', index: 0 }] },
          { type: 'output_text', text: 'Two', annotations: [] },
        ],
      },
      {
        type: 'message',
        id: 'msg_2',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Three', annotations: [] }],
      },
    ])
  })

  test('gives back what the provider ran, with its results', () => {
    const ran = (type: string, id: string, toolName: string, input: object, more: object = {}) =>
      ({
        type: 'call',
        id,
        toolName,
        input,
        providerExecuted: true,
        metadata: { 'openai-responses': { type, ...more } },
      }) as ConversationPart
    const { body, diagnostics } = write({
      messages: [
        hello,
        answer(
          ran('code_interpreter_call', 'ci_1', 'code_interpreter', { code: '1' }, { containerId: 'cntr_1' }),
          ran('mcp_call', 'mcp_1', 'search', { q: 1 }, { serverLabel: 'docs' }),
          { type: 'result', id: 'mcp_1', content: '[1]' },
          ran('mcp_approval_request', 'mcpr_1', 'delete', {}, { serverLabel: 'docs' }),
          {
            type: 'custom',
            kind: 'mcp_approval_request',
            value: {
              type: 'mcp_approval_request',
              id: 'mcpr_1',
              server_label: 'docs',
              name: 'delete',
              arguments: '{}',
            },
          },
        ),
        {
          role: 'user',
          parts: [
            {
              type: 'custom',
              kind: 'mcp_approval_response',
              value: { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: false },
            },
          ],
        },
      ],
    })
    expect((body.input as unknown[]).slice(1)).toEqual([
      {
        type: 'code_interpreter_call',
        id: 'ci_1',
        status: 'completed',
        code: '1',
        container_id: 'cntr_1',
        outputs: null,
      },
      {
        type: 'mcp_call',
        id: 'mcp_1',
        server_label: 'docs',
        name: 'search',
        arguments: '{"q":1}',
        output: '[1]',
      },
      { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'docs', name: 'delete', arguments: '{}' },
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: false },
    ])
    expect(diagnostics).toEqual([])
  })
})

describe('what OpenAI enforces', () => {
  const about = (metadata: object) => ({ metadata: { 'openai-responses': metadata } })

  test('an id begins as its type wants, or is left out', () => {
    const { body } = write({
      messages: [
        hello,
        answer(
          { type: 'reasoning', text: '', ...about({ itemId: 'item_1', encryptedContent: 'e' }) },
          { type: 'text', text: 'Well.', ...about({ itemId: 'item_2' }) },
          { type: 'call', id: 'a', toolName: 'ls', input: {}, ...about({ itemId: 'item_3' }) },
        ),
        { role: 'tool', parts: [{ type: 'result', id: 'a', content: '' }] },
      ],
    })
    expect(body.input).toEqual([
      { role: 'user', content: 'Hello' },
      { type: 'reasoning', summary: [], encrypted_content: 'e' },
      { role: 'assistant', content: 'Well.' },
      { type: 'function_call', call_id: 'a', name: 'ls', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: '' },
    ])
  })

  test('reasoning that nothing follows is left out', () => {
    const written = write({
      messages: [
        hello,
        answer({ type: 'reasoning', text: 'Hm', ...about({ itemId: 'rs_1', encryptedContent: 'e' }) }),
        hello,
      ],
    })
    expect(written.body.input).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'user', content: 'Hello' },
    ])
    expect(codes(written)).toEqual(['part-left-out'])
  })

  test.each([
    ['is kept by its id where the server has it', {}, ['reasoning', 'fc_1', undefined], []],
    [
      'and what it belongs to lose their ids where it has not',
      { store: false },
      [undefined, undefined],
      ['part-left-out'],
    ],
  ])('reasoning that is not encrypted %s', (_, options, ids, reported) => {
    const written = write({
      messages: [
        answer(
          { type: 'reasoning', text: 'Hm', ...about({ itemId: 'rs_1' }) },
          { type: 'call', id: 'a', toolName: 'ls', input: {}, ...about({ itemId: 'fc_1' }) },
        ),
        { role: 'tool', parts: [{ type: 'result', id: 'a', content: '' }] },
      ],
      providerOptions: { 'openai-responses': options },
    })
    const items = written.body.input as { type: string; id?: string }[]
    expect(items.map(({ type, id }) => (type === 'reasoning' ? type : id))).toEqual(ids)
    expect(codes(written)).toEqual(reported)
  })

  test('reasoning, files and calls of another provider are left out', () => {
    const written = write({
      messages: [
        hello,
        {
          role: 'assistant',
          provider: 'anthropic',
          parts: [
            { type: 'reasoning', text: 'signed', metadata: { anthropic: { signature: 's' } } },
            { type: 'call', id: 'srv', toolName: 'web_search', input: {}, providerExecuted: true },
            { type: 'result', id: 'srv', content: '[]' },
            { type: 'file', mediaType: 'image/png', content: { base64: 'iVBORw0=' } },
            { type: 'text', text: 'Well.' },
          ],
        },
        { role: 'user', parts: [{ type: 'file', mediaType: 'video/mp4', content: { url: 'https://a/b' } }] },
      ],
    })
    expect(written.body.input).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Well.' },
    ])
    expect(codes(written)).toEqual([...Array<string>(4).fill('part-left-out')])
  })

  test('what the application changed is written, not what the model wrote', () => {
    const request = read({
      input: [
        { type: 'function_call', call_id: 'a', name: 'ls', arguments: '{ "key": "secret" }' },
        { type: 'function_call_output', call_id: 'a', output: '' },
      ],
    })
    const [message, ...rest] = request.messages
    const messages = [{ ...message!, parts: message!.parts.map((part) => ({ ...part, input: {} })) }, ...rest]
    expect(write({ ...request, messages } as ModelRequest).body.input).toMatchObject([
      { arguments: '{}' },
      {},
    ])
  })

  test('a tool of free text, a tool without a schema and one with a name that it does not take', () => {
    const { body, toolNames } = write({
      messages: [
        {
          role: 'assistant',
          parts: [
            { type: 'call', id: 'a', toolName: 'run', input: { input: 'ls' } },
            { type: 'call', id: 'b', toolName: 'fs.read', input: null },
          ],
        },
        {
          role: 'tool',
          parts: [
            { type: 'result', id: 'a', content: 'A' },
            { type: 'result', id: 'b', content: 'B' },
          ],
        },
      ],
      tools: [{ type: 'custom', name: 'run' }, { name: 'fs.read' }],
      toolChoice: { toolNames: ['run', 'fs.read'], mode: 'auto' },
    })
    expect(toolNames).toEqual({ fs_read: 'fs.read' })
    expect(body.tools).toEqual([
      { type: 'custom', name: 'run' },
      { type: 'function', name: 'fs_read', parameters: { type: 'object', properties: {} }, strict: false },
    ])
    expect(body.tool_choice).toEqual({
      type: 'allowed_tools',
      mode: 'auto',
      tools: [
        { type: 'custom', name: 'run' },
        { type: 'function', name: 'fs_read' },
      ],
    })
    expect(body.input).toEqual([
      { type: 'custom_tool_call', call_id: 'a', name: 'run', input: 'ls' },
      { type: 'function_call', call_id: 'b', name: 'fs_read', arguments: '{}' },
      { type: 'custom_tool_call_output', call_id: 'a', output: 'A' },
      { type: 'function_call_output', call_id: 'b', output: 'B' },
    ])
  })

  test.each<[what: string, settings: Settings, wanted: object, reported: number]>([
    ['no stop sequences, no seed', { stopSequences: ['END'], seed: 1, topK: 2 }, {}, 3],
    ['no budget', { reasoning: { budgetTokens: 1024 } }, {}, 1],
    ['the highest effort', { reasoning: { effort: 'max' } }, { reasoning: { effort: 'xhigh' } }, 0],
    ['one answer', { candidates: 1 }, {}, 0],
    [
      'a name for a schema',
      { output: { schema: { type: 'object' } } },
      { text: { format: { type: 'json_schema', name: 'response', schema: { type: 'object' } } } },
      0,
    ],
    ['log probabilities', { logprobs: 2 }, { include: ['message.output_text.logprobs'], top_logprobs: 2 }, 0],
  ])('%s', (_, settings, wanted, reported) => {
    const { body, diagnostics } = write({ messages: [hello], settings })
    expect(body).toEqual({ input: [{ role: 'user', content: 'Hello' }], ...wanted })
    expect(diagnostics).toHaveLength(reported)
  })

  test('text of a file is sent as a file, and an error as its text', () => {
    const written = write({
      messages: [
        {
          role: 'system',
          parts: [
            { type: 'text', text: 'A' },
            { type: 'text', text: 'B' },
          ],
        },
        {
          role: 'user',
          parts: [{ type: 'file', mediaType: 'text/plain', content: { text: 'Grüß' }, name: 'a.txt' }],
        },
        { role: 'assistant', parts: [{ type: 'call', id: 'a', toolName: 'ls', input: {} }] },
        { role: 'tool', parts: [{ type: 'result', id: 'a', content: 'No', isError: true }] },
      ],
    })
    expect(written.body.input).toEqual([
      {
        role: 'system',
        content: [
          { type: 'input_text', text: 'A' },
          { type: 'input_text', text: 'B' },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'input_file', filename: 'a.txt', file_data: 'data:text/plain;base64,R3LDvMOf' }],
      },
      { type: 'function_call', call_id: 'a', name: 'ls', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'No' },
    ])
    expect(written.diagnostics).toEqual([
      {
        code: 'part-left-out',
        message: "'openai-responses' has no mark for results that are errors: only their text is sent.",
      },
    ])
  })

  test('tools that OpenAI defines are answered in their own form', () => {
    const call = (id: string, type: string, toolName: string, input: object): ConversationPart =>
      ({
        type: 'call',
        id,
        toolName,
        input,
        ...about({ type, caller: { type: 'direct' } }),
      }) as ConversationPart
    const { body } = write({
      messages: [
        answer(
          call('a', 'shell_call', 'shell', { commands: ['ls'] }),
          call('b', 'apply_patch_call', 'apply_patch', { type: 'delete_file', path: 'a' }),
          call('c', 'computer_call', 'computer', { actions: [] }),
        ),
        {
          role: 'tool',
          parts: [
            { type: 'result', id: 'a', content: 'No', isError: true },
            { type: 'result', id: 'b', content: 'Done' },
            {
              type: 'result',
              id: 'c',
              content: [{ type: 'file', mediaType: 'image/png', content: { base64: 'iVBORw0=' } }],
            },
          ],
        },
      ],
    })
    const caller = { type: 'direct' }
    expect((body.input as unknown[]).slice(3)).toEqual([
      {
        type: 'shell_call_output',
        call_id: 'a',
        caller,
        output: [{ stdout: 'No', stderr: '', outcome: { type: 'exit', exit_code: 1 } }],
      },
      { type: 'apply_patch_call_output', call_id: 'b', caller, status: 'completed', output: 'Done' },
      {
        type: 'computer_call_output',
        call_id: 'c',
        caller,
        output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,iVBORw0=' },
      },
    ])
  })

  test('a call of a computer without a screenshot is left out, with the reasoning before it', () => {
    const written = write({
      messages: [
        hello,
        answer(
          { type: 'reasoning', text: '', ...about({ itemId: 'rs_1', encryptedContent: 'e' }) },
          { type: 'call', id: 'a', toolName: 'computer', input: {}, ...about({ type: 'computer_call' }) },
        ),
      ],
    })
    expect(written.body.input).toEqual([{ role: 'user', content: 'Hello' }])
    expect(codes(written)).toEqual(['call-without-result', 'part-left-out', 'part-left-out'])
  })

  test('a kept conversation is refused by a protocol that does not have it', () => {
    expect(() => writeRequest(anthropicRequest, read({ input: 'Hello', conversation: 'conv_1' }))).toThrow(
      "'anthropic' cannot go on from the response 'conv_1', which another server has kept",
    )
  })
})
