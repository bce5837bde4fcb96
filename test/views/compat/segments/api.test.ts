import {
  ApiToolCallStreamingResponseHandler,
  type ApiToolCallStreamingResponseHandlerOptions,
  type ChunkResponseFields,
  ParserConfig,
  type SegmentEvent,
  type ToolCallDelta,
} from 'sluice/segments'
import { describe, expect, it, test } from 'vitest'
import { outline } from './outline.ts'

const deferred = new ParserConfig({ segmentStart: 'deferred' })

function handle(
  chunks: readonly ChunkResponseFields[],
  options: ApiToolCallStreamingResponseHandlerOptions = {},
): SegmentEvent[] {
  const handler = new ApiToolCallStreamingResponseHandler({ segmentIdPrefix: '', ...options })
  for (const chunk of chunks) handler.feed(chunk)
  handler.finalize()
  return handler.getAllEvents()
}

const calls = (...deltas: ToolCallDelta[]): ChunkResponseFields => ({ tool_calls: deltas })

/** The arguments of each delta in single characters, the rest with the first of them. */
function inCharacters(chunks: readonly ChunkResponseFields[]): ChunkResponseFields[] {
  return chunks.flatMap((chunk) =>
    chunk.tool_calls == null
      ? [chunk]
      : chunk.tool_calls.flatMap((delta) => {
          const text = delta.arguments_delta
          if (typeof text !== 'string' || text === '') return [calls(delta)]
          return [...text.split('')].map((character, index) =>
            calls(
              index === 0
                ? { ...delta, arguments_delta: character }
                : { index: delta.index, arguments_delta: character },
            ),
          )
        }),
  )
}

/** The arguments of one delta cut in two at every place. */
function everyCut(chunks: readonly ChunkResponseFields[]): ChunkResponseFields[][] {
  return chunks.flatMap((chunk, number) => {
    const [delta] = chunk.tool_calls ?? []
    const text = delta?.arguments_delta
    if (delta === undefined || typeof text !== 'string' || chunk.tool_calls?.length !== 1) return []
    return Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => [
      ...chunks.slice(0, number),
      calls({ ...delta, arguments_delta: text.slice(0, index + 1) }),
      calls({ index: delta.index, arguments_delta: text.slice(index + 1) }),
      ...chunks.slice(number + 1),
    ])
  })
}

type Row = readonly [behaviour: string, chunks: readonly ChunkResponseFields[], expected: readonly string[]]

function check(options: ApiToolCallStreamingResponseHandlerOptions, rows: readonly Row[]): void {
  test.each(rows)('%s', (_, chunks, expected) => {
    for (const cut of [chunks, inCharacters(chunks), ...everyCut(chunks)])
      expect(outline(handle(cut, options)), JSON.stringify(cut)).toEqual(expected)
  })
}

describe('native calls', () => {
  check({}, [
    ['may be none at all', [{ content: 'So' }, { content: ' be it' }], ["seg_1 text 'So be it'"]],
    [
      'are shown by their arguments as they come, and end without them',
      [
        calls({ index: 0, call_id: 'c1', name: 'look' }),
        calls({ index: 0, arguments_delta: '{"at":' }),
        calls({ index: 0, arguments_delta: '"elk"}' }),
      ],
      ['c1 tool_call {"tool_name":"look"} \'{"at":"elk"}\'', 'run c1 look {"at":"elk"}'],
    ],
    [
      'may come side by side, and each is run when it is complete',
      [
        calls({ index: 0, call_id: 'c1', name: 'f' }, { index: 1, call_id: 'c2', name: 'g' }),
        calls({ index: 1, arguments_delta: '{"n":2}' }),
        calls({ index: 0, arguments_delta: '{"m":1}' }),
      ],
      [
        'c1 tool_call {"tool_name":"f"} \'{"m":1}\'',
        'c2 tool_call {"tool_name":"g"} \'{"n":2}\'',
        'run c2 g {"n":2}',
        'run c1 f {"m":1}',
      ],
    ],
    [
      'may have an id that a segment could have, or has',
      [
        { content: 'a' },
        calls({ index: 0, call_id: 'seg_1', name: 'f', arguments_delta: '{"n":1}' }),
        calls({ index: 1, call_id: 'seg_3', name: 'g', arguments_delta: '{"n":2}' }),
        { content: 'b' },
      ],
      [
        "seg_1 text 'a'",
        'seg_2 tool_call {"tool_name":"f"} \'{"n":1}\'',
        'seg_3 tool_call {"tool_name":"g"} \'{"n":2}\'',
        "seg_4 text 'b'",
        'run seg_2 f {"n":1}',
        'run seg_3 g {"n":2}',
      ],
    ],
    [
      'are not run with a list for arguments',
      [calls({ index: 0, call_id: 'c1', name: 'look', arguments_delta: '[1]' })],
      [
        'c1 tool_call {"tool_name":"look"} \'[1]\' end {"tool_name":"look","status":"failed","error":"The arguments are not an object."}',
      ],
    ],
    [
      'may have their name later than their id',
      [
        calls({ index: 0, call_id: 'c1' }),
        calls({ index: 0, name: 'look' }),
        calls({ index: 0, arguments_delta: '{}' }),
      ],
      ['c1 tool_call {"tool_name":"look"} \'{}\'', 'run c1 look {}'],
    ],
    [
      'may have their name together with their arguments',
      [calls({ index: 0, call_id: 'c1' }), calls({ index: 0, name: 'look', arguments_delta: '{"at":1}' })],
      ['c1 tool_call {"tool_name":"look"} \'{"at":1}\'', 'run c1 look {"at":1}'],
    ],
    [
      'may have their name after their arguments',
      [
        calls({ index: 0, call_id: 'c1', arguments_delta: '{"path":"/a","content":"x"}' }),
        calls({ index: 0, name: 'write_file' }),
      ],
      [
        'c1 write_file {"tool_name":"write_file"} \'x\' end {"path":"/a"}',
        'run c1 write_file {"path":"/a","content":"x"}',
      ],
    ],
    [
      'that are cut off show what came, and are not run',
      [calls({ index: 0, call_id: 'c1', name: 'wipe', arguments_delta: '{"disk":"sd' })],
      ['c1 tool_call {"tool_name":"wipe"} \'{"disk":"sd\' end {"tool_name":"wipe","status":"incomplete"}'],
    ],
    [
      'may take the index of one that is over',
      [
        calls({ index: 0, call_id: 'c1', name: 'f', arguments_delta: '{"m":1}' }),
        calls({ index: 0, call_id: 'c2', name: 'g', arguments_delta: '{"n":2}' }),
      ],
      [
        'c1 tool_call {"tool_name":"f"} \'{"m":1}\'',
        'c2 tool_call {"tool_name":"g"} \'{"n":2}\'',
        'run c1 f {"m":1}',
        'run c2 g {"n":2}',
      ],
    ],
    [
      'may have an empty id, or none',
      [
        calls({ index: 0, call_id: '', name: 'f', arguments_delta: '{}' }),
        calls({ index: 1, name: 'g', arguments_delta: '{}' }),
      ],
      [
        'seg_1 tool_call {"tool_name":"f"} \'{}\'',
        'seg_2 tool_call {"tool_name":"g"} \'{}\'',
        'run seg_1 f {}',
        'run seg_2 g {}',
      ],
    ],
    [
      'may have no arguments',
      [calls({ index: 0, call_id: 'c1', name: 'now' })],
      ['c1 tool_call {"tool_name":"now"} \'\'', 'run c1 now {}'],
    ],
    [
      'stand between two segments of text',
      [
        { content: 'before' },
        calls({ index: 0, call_id: 'c1', name: 'f', arguments_delta: '{}' }),
        { content: 'after' },
      ],
      ["seg_1 text 'before'", 'c1 tool_call {"tool_name":"f"} \'{}\'', "seg_2 text 'after'", 'run c1 f {}'],
    ],
    [
      'of commands stay what they are',
      [calls({ index: 0, call_id: 'c1', name: 'run_bash', arguments_delta: '{"command":"ls"}' })],
      ['c1 tool_call {"tool_name":"run_bash"} \'{"command":"ls"}\'', 'run c1 run_bash {"command":"ls"}'],
    ],
    [
      'take nothing that comes behind their arguments',
      [calls({ index: 0, call_id: 'c1', name: 'f', arguments_delta: '{"m":1}}}' })],
      ['c1 tool_call {"tool_name":"f"} \'{"m":1}\'', 'run c1 f {"m":1}'],
    ],
    [
      'do not run again if their name comes again without arguments',
      [calls({ index: 0, name: 'f', arguments_delta: '{"m":1}' }), calls({ index: 0, name: 'f' })],
      [
        'seg_1 tool_call {"tool_name":"f"} \'{"m":1}\'',
        'seg_2 tool_call {"tool_name":"f"} \'\' end {"tool_name":"f","status":"incomplete"}',
        'run seg_1 f {"m":1}',
      ],
    ],
    [
      'run again if their name comes again with arguments',
      [
        calls({ index: 0, name: 'f', arguments_delta: '{"m":1}' }),
        calls({ index: 0, name: 'f' }),
        calls({ index: 0, arguments_delta: '{"n":2}' }),
      ],
      [
        'seg_1 tool_call {"tool_name":"f"} \'{"m":1}\'',
        'seg_2 tool_call {"tool_name":"f"} \'{"n":2}\'',
        'run seg_1 f {"m":1}',
        'run seg_2 f {"n":2}',
      ],
    ],
    [
      'with a key twice fail, and are not run',
      [calls({ index: 0, call_id: 'c1', name: 'f', arguments_delta: '{"m":1,"m":2}' })],
      [
        'c1 tool_call {"tool_name":"f"} \'{"m":1,"m":2}\' end {"tool_name":"f","status":"failed","error":"The arguments have the key \'m\' twice."}',
      ],
    ],
  ])
})

describe('native calls of file tools', () => {
  check({}, [
    [
      'start at once, and have their path at the end',
      [
        calls({
          index: 0,
          call_id: 'c1',
          name: 'write_file',
          arguments_delta: '{"path":"/p","content":"1"}',
        }),
      ],
      [
        'c1 write_file {"tool_name":"write_file"} \'1\' end {"path":"/p"}',
        'run c1 write_file {"path":"/p","content":"1"}',
      ],
    ],
    [
      'may be patches',
      [
        calls({
          index: 0,
          call_id: 'c1',
          name: 'patch_file',
          arguments_delta: '{"path":"/p","patch":"@@\\n"}',
        }),
      ],
      [
        'c1 patch_file {"tool_name":"patch_file"} \'@@\\n\' end {"path":"/p"}',
        'run c1 patch_file {"path":"/p","patch":"@@\\n"}',
      ],
    ],
    [
      'keep all their arguments',
      [
        calls({
          index: 0,
          call_id: 'c1',
          name: 'write_file',
          arguments_delta: '{"path":"/p","content":"1","mode":"a","deep":[{"n":null}]}',
        }),
      ],
      [
        'c1 write_file {"tool_name":"write_file"} \'1\' end {"path":"/p"}',
        'run c1 write_file {"path":"/p","content":"1","mode":"a","deep":[{"n":null}]}',
      ],
    ],
    [
      'know a path from one that lies deeper',
      [
        calls({
          index: 0,
          call_id: 'c1',
          name: 'write_file',
          arguments_delta: '{"meta":{"path":"x","content":"y"},"path":"/p","content":"1"}',
        }),
      ],
      [
        'c1 write_file {"tool_name":"write_file"} \'1\' end {"path":"/p"}',
        'run c1 write_file {"meta":{"path":"x","content":"y"},"path":"/p","content":"1"}',
      ],
    ],
    [
      'decode what JSON escapes, however it is cut',
      [
        calls({
          index: 0,
          call_id: 'c1',
          name: 'write_file',
          arguments_delta:
            '{"path":"/p","content":"caf\\u00e9 \\ud83d\\ude00 \\b\\f\\t\\u003cb\\u003e \\/ \\\\"}',
        }),
      ],
      [
        `c1 write_file {"tool_name":"write_file"} 'café 😀 \b\f\t<b> / \\\\' end {"path":"/p"}`,
        'run c1 write_file {"path":"/p","content":"café 😀 \\b\\f\\t<b> / \\\\"}',
      ],
    ],
    [
      'without a path fail, and are not run',
      [calls({ index: 0, call_id: 'c1', name: 'write_file', arguments_delta: '{"content":"1"}' })],
      [
        'c1 write_file {"tool_name":"write_file"} \'1\' end {"status":"failed","error":"The argument \'path\' is missing."}',
      ],
    ],
    [
      'show a content that is no text as the JSON it is',
      [
        calls({
          index: 0,
          call_id: 'c1',
          name: 'write_file',
          arguments_delta: '{"path":"/p","content":{"a":1}}',
        }),
      ],
      [
        'c1 write_file {"tool_name":"write_file"} \'{"a":1}\' end {"path":"/p"}',
        'run c1 write_file {"path":"/p","content":{"a":1}}',
      ],
    ],
  ])
})

describe('native calls of file tools that wait for their path', () => {
  check({ config: deferred }, [
    [
      'start with it',
      [
        calls({
          index: 0,
          call_id: 'c1',
          name: 'write_file',
          arguments_delta: '{"path":"/p","content":"1\\',
        }),
        calls({ index: 0, arguments_delta: 'n\\"2\\""}' }),
      ],
      [
        'c1 write_file {"tool_name":"write_file","path":"/p"} \'1\\n"2"\' end {"path":"/p"}',
        'run c1 write_file {"path":"/p","content":"1\\n\\"2\\""}',
      ],
    ],
    [
      'keep a content that comes first until then',
      [
        calls({
          index: 0,
          call_id: 'c1',
          name: 'write_file',
          arguments_delta: '{"content":"1","path":"/p"}',
        }),
      ],
      [
        'c1 write_file {"tool_name":"write_file","path":"/p"} \'1\' end {"path":"/p"}',
        'run c1 write_file {"content":"1","path":"/p"}',
      ],
    ],
    [
      'may be edits',
      [calls({ index: 0, call_id: 'c1', name: 'edit_file', arguments_delta: '{"path":"/p","patch":"-a"}' })],
      [
        'c1 edit_file {"tool_name":"edit_file","path":"/p"} \'-a\' end {"path":"/p"}',
        'run c1 edit_file {"path":"/p","patch":"-a"}',
      ],
    ],
    [
      'invent no content',
      [calls({ index: 0, call_id: 'c1', name: 'write_file', arguments_delta: '{"path":"/p"}' })],
      [
        'c1 write_file {"tool_name":"write_file","path":"/p"} \'\' end {"path":"/p"}',
        'run c1 write_file {"path":"/p"}',
      ],
    ],
  ])

  it('say nothing before it', () => {
    const handler = new ApiToolCallStreamingResponseHandler({ config: deferred })
    const delta = { index: 0, call_id: 'c1', name: 'write_file', arguments_delta: '{"content":"1' }
    expect(handler.feed(calls(delta))).toEqual([])
    const events = handler.feed(calls({ index: 0, arguments_delta: '2","path":"/p"' }))
    expect(events.map((event) => event.type)).toEqual(['SEGMENT_START', 'SEGMENT_CONTENT'])
  })
})

describe('native calls, by option', () => {
  const write = (text: string) => [
    calls({ index: 0, call_id: 'c1', name: 'write_file', arguments_delta: text }),
  ]

  it('are all shown by their arguments', () => {
    const config = new ParserConfig({ streamFiles: false })
    expect(outline(handle(write('{"path":"/p","content":"1"}'), { config }))).toEqual([
      'c1 tool_call {"tool_name":"write_file"} \'{"path":"/p","content":"1"}\'',
      'run c1 write_file {"path":"/p","content":"1"}',
    ])
  })

  it('tell of a path as soon as it is known', () => {
    const config = new ParserConfig({ metadataUpdates: true })
    const types = handle(write('{"path":"/p","content":"1"}'), { config }).map((event) => event.toDict())
    expect(types[1]).toEqual({
      type: 'SEGMENT_METADATA_UPDATED',
      segment_id: 'c1',
      payload: { metadata: { path: '/p' } },
    })
  })

  const marked = '  __START_CONTENT__\\nlet a __END_CONTENT__\\n__END_CONTENT__\\n'
  it.each([
    [true, 'let a __END_CONTENT__\\n'],
    [false, marked],
  ])('drop the markers around a content: %s', (stripMarkers, content) => {
    const config = new ParserConfig({ stripMarkers })
    for (const cut of [
      write(`{"path":"/p","content":"${marked}"}`),
      inCharacters(write(`{"path":"/p","content":"${marked}"}`)),
    ])
      expect(outline(handle(cut, { config }))).toEqual([
        `c1 write_file {"tool_name":"write_file"} '${content}' end {"path":"/p"}`,
        `run c1 write_file {"path":"/p","content":"${content}"}`,
      ])
  })

  it('are run although they were cut off', () => {
    const config = new ParserConfig({ invokeIncomplete: true })
    const handler = new ApiToolCallStreamingResponseHandler({ config })
    handler.feed(write('{"path":"/p","content":"1')[0]!)
    handler.finalize()
    expect(handler.getAllInvocations()).toEqual([
      { id: 'c1', name: 'write_file', arguments: { path: '/p', content: '1' } },
    ])
  })

  it('may be given whole, as objects', () => {
    const delta = { index: 0, call_id: 'c1', name: 'f', arguments_delta: { m: [1] } }
    expect(outline(handle([calls(delta)]))).toEqual([
      'c1 tool_call {"tool_name":"f"} \'{"m":[1]}\'',
      'run c1 f {"m":[1]}',
    ])
  })

  it.each(['{"n":2}', '{"m":[2]}', 'x'])('that were given whole do not run if %s follows them', (text) => {
    const handler = new ApiToolCallStreamingResponseHandler({ segmentIdPrefix: '' })
    handler.feed(calls({ index: 0, call_id: 'c1', name: 'f', arguments_delta: { m: [1] } }))
    handler.feed(calls({ index: 0, arguments_delta: text }))
    handler.finalize()
    expect(handler.getAllInvocations()).toEqual([])
  })

  it.each<[string, ChunkResponseFields]>([
    ['text', { content: 'So.' }],
    ['reasoning', { reasoning: 'So.' }],
    ['another call', calls({ index: 1, call_id: 'c2', name: 'g' })],
  ])('that were given whole, as objects, run when %s follows', (_, next) => {
    const handler = new ApiToolCallStreamingResponseHandler({ segmentIdPrefix: '' })
    handler.feed(calls({ index: 0, call_id: 'c1', name: 'f', arguments_delta: { m: [1] } }))
    expect(handler.getAllInvocations()).toEqual([])
    const [end, start] = handler.feed(next).map((event) => [event.type, event.segment_id])
    expect([end, start?.[0]]).toEqual([['SEGMENT_END', 'c1'], 'SEGMENT_START'])
    expect(handler.getAllInvocations()).toEqual([{ id: 'c1', name: 'f', arguments: { m: [1] } }])
  })
})
