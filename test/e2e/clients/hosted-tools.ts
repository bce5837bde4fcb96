/** Streams with every tool that a provider runs itself, and its results, as the providers' own clients type them. */

const response = (type: string, fields: object): object => ({ type: `response.${type}`, ...fields })
const items = (...list: readonly object[]): object[] =>
  list.map((item, output_index) =>
    response('output_item.done', { output_index, item: { status: 'completed', ...item } }),
  )
const block = (index: number, content_block: object, ...deltas: object[]): object[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
/** Anthropic sends the input of its own tools in pieces, too. */
const serverTool = (index: number, content_block: object, partial_json: string): object[] =>
  block(index, { ...content_block, input: {} }, { type: 'input_json_delta', partial_json })

export const HOSTED_TOOLS: Readonly<Record<string, readonly object[]>> = {
  'tools that OpenAI runs': [
    response('created', { response: { id: 'resp_1', model: 'gpt-5', created_at: 1 } }),
    ...items(
      { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'x', queries: ['x'] } },
      { type: 'web_search_call', id: 'ws_2', action: { type: 'open_page', url: 'https://a.example' } },
      { type: 'file_search_call', id: 'fs_1', queries: ['x'], results: null },
      {
        type: 'file_search_call',
        id: 'fs_2',
        queries: ['x'],
        results: [{ attributes: {}, file_id: 'f', filename: 'a.md', score: 0.5, text: 'A' }],
      },
      { type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_1', code: '1', outputs: null },
      {
        type: 'code_interpreter_call',
        id: 'ci_2',
        container_id: 'cntr_1',
        code: 'print(1)',
        outputs: [{ type: 'logs', logs: '1' }],
      },
      { type: 'image_generation_call', id: 'ig_1', result: 'aW1hZ2U=' },
      {
        type: 'mcp_list_tools',
        id: 'mcpl_1',
        server_label: 'dice',
        tools: [{ name: 'roll', input_schema: {} }],
      },
      {
        type: 'mcp_call',
        id: 'mcp_1',
        name: 'roll',
        server_label: 'dice',
        arguments: '{"sides":6}',
        output: '4',
      },
      { type: 'mcp_call', id: 'mcp_2', name: 'roll', server_label: 'dice', arguments: '{}', error: 'no' },
      {
        type: 'shell_call',
        id: 'sh_1',
        call_id: 'call_1',
        action: { commands: ['ls'] },
        environment: { type: 'container_reference', container_id: 'cntr_1' },
      },
      {
        type: 'shell_call_output',
        id: 'sho_1',
        call_id: 'call_1',
        max_output_length: null,
        output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      },
      { type: 'tool_search_call', id: 'tsc_1', call_id: null, execution: 'server', arguments: {} },
      { type: 'tool_search_output', id: 'tso_1', call_id: null, execution: 'server', tools: [] },
      { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
    ),
    response('completed', {
      response: { status: 'completed', usage: { input_tokens: 8, output_tokens: 4 } },
    }),
  ],
  'tools that Anthropic runs': [
    { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 8, output_tokens: 1 } } },
    ...serverTool(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search' }, '{"query":"x"}'),
    ...block(1, {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [
        {
          type: 'web_search_result',
          url: 'https://a.example',
          title: 'A',
          encrypted_content: 'e',
          page_age: null,
        },
      ],
    }),
    ...serverTool(2, { type: 'server_tool_use', id: 'srvtoolu_2', name: 'web_fetch' }, '{"url":"u"}'),
    ...block(3, {
      type: 'web_fetch_tool_result',
      tool_use_id: 'srvtoolu_2',
      content: { type: 'web_fetch_tool_result_error', error_code: 'url_not_accessible' },
    }),
    ...serverTool(
      4,
      { type: 'server_tool_use', id: 'srvtoolu_3', name: 'bash_code_execution' },
      '{"command":"ls"}',
    ),
    ...block(5, {
      type: 'bash_code_execution_tool_result',
      tool_use_id: 'srvtoolu_3',
      content: {
        type: 'bash_code_execution_result',
        stdout: 'a',
        stderr: '',
        return_code: 0,
        content: [],
      },
    }),
    ...serverTool(6, { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'roll', server_name: 'dice' }, '{}'),
    ...block(7, {
      type: 'mcp_tool_result',
      tool_use_id: 'mcptoolu_1',
      is_error: false,
      content: [{ type: 'text', text: '4' }],
    }),
    ...block(8, { type: 'text', text: '' }, { type: 'text_delta', text: 'Done.' }),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } },
    { type: 'message_stop' },
  ],
  'tools that Google runs': [
    {
      candidates: [
        { content: { parts: [{ executableCode: { language: 'PYTHON', code: 'print(1)' } }] }, index: 0 },
      ],
    },
    {
      candidates: [
        {
          content: { parts: [{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }] },
          index: 0,
        },
      ],
    },
    { candidates: [{ content: { parts: [{ text: 'Done.' }] }, index: 0 }] },
    {
      candidates: [{ finishReason: 'STOP', groundingMetadata: { webSearchQueries: ['x'] } }],
      usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 4 },
    },
  ],
}
