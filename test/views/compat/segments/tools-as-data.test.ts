import {
  ApiToolCallStreamingResponseHandler,
  extractSegments,
  ParserConfig,
  type ParserConfigOptions,
  parseCompleteResponse,
  type SegmentEvent,
  type SegmentToolDefinition,
  type SegmentTools,
  StreamingParser,
  TOOL_SYNTAX,
  ToolInvocationAdapter,
  ToolSyntaxRegistry,
} from 'sluice/segments'
import { describe, expect, it, test } from 'vitest'
import { everyCut, outline } from './outline.ts'

const tools = [
  {
    name: 'append_note',
    segmentType: 'note',
    streams: 'text',
    headlines: ['book'],
    requires: ['book'],
    markers: { start: '<<<', end: '>>>' },
    details: { page: { kind: 'positive', aliases: ['p'] } },
    shorthand: true,
    aliases: ['jot'],
  },
] as const satisfies SegmentTools

const run = 'run seg_1 append_note'

describe('a tool of a user behaves like the built-in ones', () => {
  test.each([
    [
      'as a tag',
      ['xml_tag'],
      '<append_note book="b" p="2">x\n</append_note>',
      ['seg_1 note {"book":"b","page":2} \'x\\n\'', `${run} {"book":"b","page":2,"text":"x\\n"}`],
    ],
    [
      'as a tag without what it is about',
      ['xml_tag'],
      '<append_note p="2">x</append_note>',
      ['seg_1 text \'<append_note p="2">x</append_note>\''],
    ],
    [
      'as a tool in XML, with markers',
      ['xml_tag'],
      '<tool name="Append_Note"><arg name="book">b</arg><arg name="text"><<<\nx </arg> <<\n>>></arg></tool>',
      [
        'seg_1 note {"tool_name":"Append_Note","book":"b"} \'x </arg> <<\\n\'',
        `${run} {"book":"b","text":"x </arg> <<\\n"}`,
      ],
    ],
    [
      'in JSON',
      ['json_tool'],
      '{"name": "append_note", "arguments": {"book": "b", "page": 2, "text": "x\\n"}}',
      [
        'seg_1 note {"tool_name":"append_note","book":"b"} \'x\\n\' end {"tool_name":"append_note","book":"b","page":2}',
        `${run} {"book":"b","page":2,"text":"x\\n"}`,
      ],
    ],
    [
      'as a sentinel',
      ['sentinel'],
      '[[SEG_START {"type":"append_note","book":"b"}]]x\n[[SEG_END]]',
      ['seg_1 note {"book":"b"} \'x\\n\'', `${run} {"book":"b","text":"x\\n"}`],
    ],
    [
      'as a sentinel, under its other name',
      ['sentinel'],
      '[[SEG_START {"type":"jot","book":"b"}]]x[[SEG_END]]',
      ['seg_1 note {"book":"b"} \'x\'', `${run} {"book":"b","text":"x"}`],
    ],
  ] as const)('%s', (_, strategyOrder, text, expected) => {
    for (const pieces of everyCut(text)) {
      const parser = new StreamingParser(new ParserConfig({ tools, strategyOrder }))
      const events = [...pieces.flatMap((piece) => parser.feed(piece)), ...parser.finalize()]
      expect(outline(events, { tools }), JSON.stringify(pieces)).toEqual(expected)
    }
  })

  function native(definitions: SegmentTools): string[] {
    const handler = new ApiToolCallStreamingResponseHandler({ segmentIdPrefix: '', tools: definitions })
    const delta = { index: 0, name: 'append_note', arguments_delta: '{"text":"x","book":"b"}' }
    handler.feed({ tool_calls: [delta] })
    handler.finalize()
    return outline(handler.getAllEvents(), { tools: definitions })
  }

  it('as a native call', () => {
    expect(native(tools)).toEqual([
      'seg_1 note {"tool_name":"append_note"} \'x\' end {"book":"b"}',
      `${run} {"text":"x","book":"b"}`,
    ])
  })

  it('as a native call, unless it says that it stays one', () => {
    expect(native([{ ...tools[0], api: false }])).toEqual([
      'seg_1 tool_call {"tool_name":"append_note"} \'{"text":"x","book":"b"}\'',
      `${run} {"text":"x","book":"b"}`,
    ])
  })
})

describe('an argument that a tool requires', () => {
  const needy = [{ name: 'note', streams: 'text', headlines: ['book'], requires: ['book', 'text'] }]
  const failed = '"status":"failed","error":"The argument \'book\' is missing."}'

  test.each<[string, ParserConfigOptions, string, string[]]>([
    [
      'whose segments have no type of their own',
      { tools: needy },
      '<tool name="note"><arg name="text">x</arg></tool>',
      [`seg_1 tool_call {"tool_name":"note"} 'x' end {"tool_name":"note",${failed}`],
    ],
    [
      'that is called as any other',
      { tools: needy, strategyOrder: ['sentinel'] },
      '[[SEG_START {"type":"tool","tool_name":"note","text":"x"}]][[SEG_END]]',
      [`seg_1 tool_call {"tool_name":"note","text":"x"} '' end {"tool_name":"note","text":"x",${failed}`],
    ],
    [
      'and that is its content',
      { tools: needy },
      '<tool name="note"><arg name="book">b</arg></tool>',
      ['seg_1 tool_call {"tool_name":"note","book":"b"} \'\''],
    ],
  ])('must be there: %s', (_, options, text, expected) => {
    expect(outline(parseCompleteResponse(text, new ParserConfig(options)), { tools: needy })).toEqual(
      expected,
    )
  })

  it('must be there in a native call that is shown by its arguments', () => {
    const config = new ParserConfig({ streamFiles: false })
    const handler = new ApiToolCallStreamingResponseHandler({ config })
    handler.feed({ tool_calls: [{ index: 0, call_id: 'c', name: 'write_file', arguments_delta: '{}' }] })
    handler.finalize()
    expect(outline(handler.getAllEvents())).toEqual([
      'c tool_call {"tool_name":"write_file"} \'{}\' end {"tool_name":"write_file","status":"failed","error":"The argument \'path\' is missing."}',
    ])
  })
})

describe('an argument that is called like the verdict on a segment', () => {
  const tickets = [
    { name: 'note', segmentType: 'note', streams: 'text', headlines: ['status'], shorthand: true },
    { name: 'close' },
  ] satisfies SegmentTools

  test.each<[string, string, string[]]>([
    [
      'of a tag',
      '<note status="failed">x</note>',
      ['seg_1 note {"status":"failed"} \'x\' end', 'run seg_1 note {"status":"failed","text":"x"}'],
    ],
    [
      'of a sentinel',
      '[[SEG_START {"type":"tool","tool_name":"close","status":"closed","error":"none"}]][[SEG_END]]',
      [
        'seg_1 tool_call {"tool_name":"close","status":"closed","error":"none"} \'\' end {"tool_name":"close"}',
        'run seg_1 close {"status":"closed","error":"none"}',
      ],
    ],
    [
      'of a call that is cut off',
      '<note status="done">x',
      ['seg_1 note {"status":"done"} \'x\' end {"status":"incomplete"}'],
    ],
  ])('%s is an argument', (_, text, expected) => {
    const config = new ParserConfig({ tools: tickets, strategyOrder: ['xml_tag', 'sentinel'] })
    expect(outline(parseCompleteResponse(text, config), { tools: tickets })).toEqual(expected)
  })
})

describe('the same call', () => {
  const shown = (events: readonly SegmentEvent[]) => [
    extractSegments(events).map(({ type, content, metadata }) => [type, content, metadata.path]),
    new ToolInvocationAdapter().processEvents(events).map(({ name, arguments: args }) => [name, args]),
  ]
  const content = 'if (a) {\n  "é" // 😀\n}\n'
  const args = JSON.stringify({ path: '/p', content })
  const read = (strategyOrder: ParserConfigOptions['strategyOrder'], call: string) =>
    parseCompleteResponse(`So:${call}.`, new ParserConfig({ ...(strategyOrder && { strategyOrder }) }))

  it('is shown and run the same, in whatever way it is written', () => {
    const handler = new ApiToolCallStreamingResponseHandler()
    handler.feed({ content: 'So:' })
    handler.feed({ tool_calls: [{ index: 0, name: 'write_file', arguments_delta: args }] })
    handler.feed({ content: '.' })
    handler.finalize()
    const ways = [
      read(['xml_tag'], `<write_file path="/p">${content}</write_file>`),
      read(
        ['xml_tag'],
        `<tool name="write_file"><arg name="path">/p</arg><arg name="content">${content}</arg></tool>`,
      ),
      read(['json_tool'], `{"tool": {"function": "write_file", "parameters": ${args}}}`),
      read(['sentinel'], `[[SEG_START {"type": "write_file", "path": "/p"}]]${content}[[SEG_END]]`),
      handler.getAllEvents(),
    ]
    for (const way of ways)
      expect(shown(way)).toEqual([
        [
          ['text', 'So:', undefined],
          ['write_file', content, '/p'],
          ['text', '.', undefined],
        ],
        [['write_file', { path: '/p', content }]],
      ])
  })
})

describe('the registry', () => {
  it('knows the built-in tools by name and by shorthand, in any case', () => {
    const registry = new ToolSyntaxRegistry()
    expect(registry.get('WRITE_FILE')).toBe(TOOL_SYNTAX.WRITE_FILE)
    expect(registry.get('Write_File')).toBe(TOOL_SYNTAX.WRITE_FILE)
    expect(registry.get('RUN_TERMINAL_CMD')?.name).toBe('run_bash')
    expect(registry.get('run_bash')?.streams).toBe('command')
    expect(registry.get('lookup')).toBeUndefined()
    expect(registry.all.map(({ name }) => name)).toEqual([
      'write_file',
      'edit_file',
      'patch_file',
      'run_bash',
    ])
  })

  it('lets a user change a built-in tool', () => {
    const registry = new ToolSyntaxRegistry([{ name: 'run_bash', api: true, entities: false }])
    expect(registry.get('run_bash')).toEqual({ ...TOOL_SYNTAX.RUN_TERMINAL_CMD, api: true, entities: false })
  })

  it('shows a tool that is called like a built-in one by the arguments it has', () => {
    const withArguments = (name: string, ...keys: string[]) => ({
      name,
      inputSchema: { type: 'object', properties: Object.fromEntries(keys.map((key) => [key, {}])) } as const,
    })
    const tools: SegmentTools = [
      withArguments('write_file', 'file_path', 'content'),
      withArguments('run_bash', 'script'),
      withArguments('edit_file', 'path', 'patch'),
    ]
    const text = `<tool name="write_file"><arg name="file_path">/f</arg><arg name="content">c</arg></tool>
<write_file path="/f">c</write_file>
<tool name="run_bash"><script>ls</script></tool>
<run_bash>ls</run_bash>
<tool name="edit_file"><arg name="path">/f</arg><arg name="patch">p</arg></tool>`
    expect(outline(parseCompleteResponse(text, new ParserConfig({ tools })), { tools })).toEqual([
      'seg_1 write_file {"tool_name":"write_file"} \'c\'',
      'seg_2 text \'\\n<write_file path="/f">c</write_file>\\n\'',
      'seg_3 tool_call {"tool_name":"run_bash"} \'<script>ls</script>\'',
      "seg_4 text '\\n<run_bash>ls</run_bash>\\n'",
      'seg_5 edit_file {"tool_name":"edit_file","path":"/f"} \'p\'',
      'run seg_1 write_file {"file_path":"/f","content":"c"}',
      'run seg_3 run_bash {"script":"ls"}',
      'run seg_5 edit_file {"path":"/f","patch":"p"}',
    ])
  })

  it('takes tools in the forms of providers, and leaves those alone that have no content', () => {
    const registry = new ToolSyntaxRegistry([
      { type: 'function', function: { name: 'log' }, streams: 'line' },
      { name: 'find' },
    ])
    expect(registry.get('log')?.streams).toBe('line')
    expect(registry.get('find')).toBeUndefined()
    expect(registry.table.names).toEqual(['log', 'find'])
  })

  it.each<[SegmentToolDefinition, RegExp]>([
    [{ name: 'a', shorthand: 'yes' as never }, /`shorthand` of the tool 'a' must be true or false/],
    [{ name: 'a b', shorthand: true, streams: 'c' }, /its name cannot be a tag/],
    [{ name: 'tool', shorthand: true, streams: 'c' }, /its name cannot be a tag/],
    [{ name: 'a', shorthand: true }, /The tool 'a' has a shorthand, but no `streams`/],
    [{ name: 'a', segmentType: 'b' }, /The tool 'a' has a segmentType, but no `streams`/],
    [{ name: 'a', streams: 'c', segmentType: 'text' }, /cannot be of the type 'text'/],
    [
      { name: 'a', streams: 'c', requires: 'c' as never },
      /`requires` of the tool 'a' must be a list of names/,
    ],
    [{ name: 'a', streams: 'c', details: { d: null as never } }, /The detail 'd' of the tool 'a' is 'text'/],
    [{ name: 'a', details: { d: { kind: 'text', aliases: 'e' as never } } }, /The aliases of the detail 'd'/],
    [
      { name: 'a', streams: 'c', details: { d: { kind: 'number' as never } } },
      /The detail 'd' of the tool 'a' is 'text', 'flag' or 'positive', not "number"/,
    ],
  ])('refuses what cannot work: %j', (tool, message) => {
    expect(() => new ToolSyntaxRegistry([tool])).toThrow(message)
  })
})
