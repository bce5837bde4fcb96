import {
  ApiToolCallStreamingResponseHandler,
  ChunkResponse,
  ParserConfig,
  ParsingStreamingResponseHandler,
  PassThroughStreamingResponseHandler,
  type SegmentEvent,
  StreamingResponseHandler,
  type ToolInvocation,
} from 'sluice/segments'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { outline } from './outline.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

describe('a handler', () => {
  it('takes chunks and plain text, and gives what became of each', () => {
    const handler = new StreamingResponseHandler()
    const first = handler.feed(new ChunkResponse({ content: "Hello <write_file path='/a.ts'>" }))
    expect(first.map((event) => event.toDict())).toEqual([
      { type: 'SEGMENT_START', segment_id: 'seg_1', segment_type: 'text', payload: {} },
      { type: 'SEGMENT_CONTENT', segment_id: 'seg_1', payload: { delta: 'Hello ' } },
      { type: 'SEGMENT_END', segment_id: 'seg_1', payload: {} },
      {
        type: 'SEGMENT_START',
        segment_id: 'seg_2',
        segment_type: 'write_file',
        payload: { metadata: { path: '/a.ts' } },
      },
    ])
    const second = handler.feed("print('hi')</write_file>")
    expect(second.map((event) => event.toDict())).toEqual([
      { type: 'SEGMENT_CONTENT', segment_id: 'seg_2', payload: { delta: "print('hi')" } },
      { type: 'SEGMENT_END', segment_id: 'seg_2', payload: { metadata: { path: '/a.ts' } } },
    ])
    expect(handler.finalize()).toEqual([])
    expect(handler.getAllEvents()).toEqual([...first, ...second])
    expect(handler.getAllInvocations()).toEqual([
      { id: 'seg_2', name: 'write_file', arguments: { path: '/a.ts', content: "print('hi')" } },
    ])
  })

  it('tells of each event, then of what is to be run', () => {
    const told: string[] = []
    const handler = new ParsingStreamingResponseHandler({
      onSegmentEvent: (event) => told.push(event.type),
      onToolInvocation: (invocation) => told.push(invocation.name),
    })
    handler.feed('<run_bash>ls</run_bash>')
    expect(told).toEqual(['SEGMENT_START', 'SEGMENT_CONTENT', 'SEGMENT_END', 'run_bash'])
  })

  it('goes on when a callback throws', () => {
    const errors: unknown[] = []
    const handler = new StreamingResponseHandler({
      onSegmentEvent: () => {
        throw new Error('no')
      },
      onCallbackError: (error) => errors.push((error as Error).message),
    })
    handler.feed('hi')
    expect(outline([...handler.getAllEvents(), ...handler.finalize()])).toEqual(["seg_1 text 'hi'"])
    expect(errors).toEqual(['no', 'no', 'no'])
  })

  it('says on the console what a callback threw if nobody else wants to know', () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const handler = new StreamingResponseHandler({
      onToolInvocation: () => {
        throw new Error('no')
      },
    })
    handler.feed('<run_bash>ls</run_bash>')
    expect(said).toHaveBeenCalledOnce()
  })

  it('goes on when the callback for what callbacks throw does so itself', () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const handler = new StreamingResponseHandler({
      onSegmentEvent: () => {
        throw new Error('no')
      },
      onCallbackError: () => {
        throw new Error('not that either')
      },
    })
    handler.feed('hi')
    expect(outline([...handler.getAllEvents(), ...handler.finalize()])).toEqual(["seg_1 text 'hi'"])
    expect(said).toHaveBeenCalledWith(new Error('not that either'))
  })

  it('hears of what a callback throws later', async () => {
    const errors: unknown[] = []
    const handler = new StreamingResponseHandler({
      onToolInvocation: async ({ name }) => {
        throw new Error(name)
      },
      onCallbackError: (error) => errors.push(error),
    })
    handler.feed('<run_bash>ls</run_bash>')
    await Promise.resolve()
    await Promise.resolve()
    expect(errors).toEqual([new Error('run_bash')])
  })

  it.each<[string, (handler: StreamingResponseHandler) => void, string[]]>([
    [
      'fed',
      (handler) => handler.feed('<run_bash>pwd</run_bash>'),
      [
        "seg_1 text 'a '",
        "seg_2 run_bash 'ls'",
        "seg_3 text ' b'",
        "seg_4 run_bash 'pwd'",
        'run seg_2 run_bash {"command":"ls"}',
        'run seg_4 run_bash {"command":"pwd"}',
      ],
    ],
    [
      'finalized',
      (handler) => handler.finalizeInterrupted('enough'),
      [
        "seg_1 text 'a '",
        "seg_2 run_bash 'ls'",
        'seg_3 text \' b\' end {"status":"interrupted","reason":"enough"}',
        'run seg_2 run_bash {"command":"ls"}',
      ],
    ],
    ['reset', (handler) => handler.reset(), []],
  ])('may be %s in a callback, and does so when it has read its chunk', (_, act, expected) => {
    let hasActed = false
    const handler = new StreamingResponseHandler({
      onSegmentEvent: ({ segment_type }) => {
        if (hasActed || segment_type !== 'run_bash') return
        hasActed = true
        act(handler)
      },
    })
    handler.feed('a <run_bash>ls</run_bash> b')
    expect(outline(handler.getAllEvents())).toEqual(expected)
  })

  it('keeps nothing if it is not wanted', () => {
    const handler = new StreamingResponseHandler({ keepEvents: false })
    expect(handler.feed('<run_bash>ls</run_bash>')).toHaveLength(3)
    expect([handler.getAllEvents(), handler.getAllInvocations()]).toEqual([[], []])
  })

  it('can be finalized twice, but not be fed after that', () => {
    const handler = new StreamingResponseHandler()
    handler.finalize()
    expect(handler.finalize()).toEqual([])
    expect(handler.finalizeFailed('x')).toEqual([])
    expect(() => handler.feed('more')).toThrow(/Cannot feed a handler that was finalized/)
  })

  it('begins anew after a reset, with new ids', () => {
    const handler = new StreamingResponseHandler({ config: new ParserConfig({ segmentIdPrefix: 'p:' }) })
    handler.feed('one <run_bash>')
    handler.reset()
    expect(handler.getAllEvents()).toEqual([])
    handler.feed('two')
    handler.finalize()
    expect(outline(handler.getAllEvents())).toEqual(["p:seg_3 text 'two'"])
  })

  it('understands native calls beside text in any strategy', () => {
    const handler = new StreamingResponseHandler()
    handler.feed({ content: '<run_bash>a</run_bash>' })
    handler.feed({ tool_calls: [{ index: 0, call_id: 'c', name: 'f', arguments_delta: '{}' }] })
    expect(handler.getAllInvocations().map(({ id }) => id)).toEqual(['seg_1', 'c'])
  })

  it('passes over what makes no sense in a chunk, and refuses what is none', () => {
    const handler = new StreamingResponseHandler()
    const odd = {
      content: 5,
      reasoning: {},
      tool_calls: [null, 3, { index: 'x', name: 7, arguments_delta: true }],
    }
    expect(handler.feed(odd as never)).toEqual([])
    expect(handler.feed({ tool_calls: 'no' } as never)).toEqual([])
    expect(() => handler.feed(null as never)).toThrow(/takes chunks or text, not null/)
    expect(() => handler.feed(7 as never)).toThrow(/takes chunks or text, not 7/)
  })

  it('takes its strategy from the environment', () => {
    vi.stubEnv('AUTOBYTEUS_STREAM_PARSER', 'sentinel')
    const handler = new StreamingResponseHandler()
    handler.feed('<run_bash>a</run_bash>[[SEG_START {"type":"run_bash"}]]b[[SEG_END]]')
    expect(handler.getAllInvocations().map((run) => run.arguments)).toEqual([{ command: 'b' }])
  })
})

describe('reasoning beside the text', () => {
  const feed = (handler: StreamingResponseHandler): SegmentEvent[] => {
    handler.feed({ reasoning: 'so ' })
    handler.feed({ reasoning: 'what', content: 'Well' })
    handler.feed({ content: ', no.' })
    handler.feed({ reasoning: 'or yes' })
    handler.feed({ tool_calls: [{ index: 0, call_id: 'c', name: 'f', arguments_delta: '{}' }] })
    handler.finalize()
    return handler.getAllEvents()
  }

  it('is a segment until something else begins', () => {
    const handler = new ApiToolCallStreamingResponseHandler({ segmentIdPrefix: '' })
    expect(outline(feed(handler))).toEqual([
      "seg_1 reasoning 'so what'",
      "seg_2 text 'Well, no.'",
      "seg_3 reasoning 'or yes'",
      'c tool_call {"tool_name":"f"} \'{}\'',
      'run c f {}',
    ])
  })

  it('is never text, even where all text is one segment', () => {
    const handler = new PassThroughStreamingResponseHandler({ segmentIdPrefix: '' })
    expect(outline(feed(handler))).toEqual([
      "seg_1 reasoning 'so what'",
      "seg_2 text 'Well, no.'",
      "seg_3 reasoning 'or yes'",
    ])
  })
})

describe('reasoning beside the text, in pieces,', () => {
  it('is never said by halves of a character', () => {
    const handler = new StreamingResponseHandler()
    const chunks = [
      { reasoning: 'a\ud83d' },
      { content: '' },
      { reasoning: '\ude00' },
      { reasoning: '\ud83d' },
    ]
    const events = chunks.flatMap((chunk) => handler.feed(chunk))
    expect(events.map(({ payload }) => payload.delta)).toEqual([undefined, 'a', '😀'])
    expect(outline([...events, ...handler.finalize()])).toEqual(["seg_1 reasoning 'a😀\ud83d'"])
  })

  it('is a segment of its own beside one that a sentinel opened', () => {
    const handler = new StreamingResponseHandler({ parserName: 'sentinel' })
    handler.feed('[[SEG_START {"type":"reasoning"}]]a')
    handler.feed({ reasoning: 'b' })
    handler.feed('c[[SEG_END]]')
    handler.finalize()
    expect(outline(handler.getAllEvents())).toEqual(["seg_1 reasoning 'ac'", "seg_2 reasoning 'b'"])
  })
})

describe('a handler that looks for nothing', () => {
  it('shows everything as one text, and runs nothing', () => {
    const runs: ToolInvocation[] = []
    const handler = new PassThroughStreamingResponseHandler({
      segmentIdPrefix: '',
      onToolInvocation: (run) => runs.push(run),
    })
    handler.feed('<think>a</think><run_')
    handler.feed({
      content: 'bash>ls</run_bash>',
      tool_calls: [{ index: 0, name: 'f', arguments_delta: '{}' }],
    })
    handler.finalize()
    expect(outline(handler.getAllEvents())).toEqual(["seg_1 text '<think>a</think><run_bash>ls</run_bash>'"])
    expect(runs).toEqual([])
  })

  it.each([PassThroughStreamingResponseHandler, ApiToolCallStreamingResponseHandler])(
    'has ids that nobody else has',
    (Handler) => {
      const [first, second] = [new Handler(), new Handler()].map(
        (handler) => handler.feed('x')[0]!.segment_id,
      )
      expect(first).toMatch(/^(pt|turn)_[0-9a-f]{32}:seg_1$/)
      expect(first).not.toBe(second)
    },
  )
})

describe('a response that ends too early', () => {
  const write = { index: 0, call_id: 'c', name: 'write_file', arguments_delta: '{"path":"/a","content":"x' }

  it('is interrupted: all that is open says so, and what was held back is shown', () => {
    const handler = new StreamingResponseHandler()
    handler.feed('hello <wri')
    handler.finalizeInterrupted('user stopped')
    expect(outline(handler.getAllEvents())).toEqual([
      'seg_1 text \'hello <wri\' end {"status":"interrupted","reason":"user stopped"}',
    ])
  })

  it('fails: the calls in it are not run', () => {
    const handler = new ApiToolCallStreamingResponseHandler({ segmentIdPrefix: '' })
    handler.feed({
      tool_calls: [
        { index: 0, call_id: 'd', name: 'f', arguments_delta: '{}' },
        { ...write, index: 1 },
      ],
    })
    handler.finalizeFailed(new Error('connection lost'))
    expect(outline(handler.getAllEvents())).toEqual([
      'd tool_call {"tool_name":"f"} \'{}\'',
      'c write_file {"tool_name":"write_file"} \'x\' end {"path":"/a","status":"failed","error":"connection lost"}',
      'run d f {}',
    ])
  })

  it.each([
    ['finalize', 'incomplete'],
    ['finalizeInterrupted', 'interrupted'],
    ['finalizeFailed', 'failed'],
  ] as const)('has a verdict on an open call after %s', (end, status) => {
    for (const text of [
      '<run_bash>rm',
      '<tool name="f"><a>',
      '<tool name="write_file"><arg name="content">x</a',
    ]) {
      const handler = new StreamingResponseHandler()
      handler.feed(text)
      const last = handler[end]().at(-1)
      expect(last?.payload.metadata?.status, text).toBe(status)
      expect(handler.getAllInvocations()).toEqual([])
    }
  })

  it.each([
    ['finalizeInterrupted', null, 'interrupted'],
    ['finalizeInterrupted', '', 'interrupted'],
    ['finalizeInterrupted', {}, 'interrupted'],
    ['finalizeInterrupted', { path: '/tmp' }, 'interrupted'],
    ['finalizeFailed', null, 'failed'],
    ['finalizeFailed', '', 'failed'],
    ['finalizeFailed', {}, 'failed'],
    ['finalizeFailed', { path: '/tmp' }, 'failed'],
  ] as const)(
    'runs no native call whose arguments may not all have come: %s after %j',
    (end, arrived, status) => {
      const handler = new ApiToolCallStreamingResponseHandler()
      handler.feed({ tool_calls: [{ index: 0, call_id: 'c', name: 'rm', arguments_delta: arrived }] })
      handler[end]()
      expect(handler.getAllEvents().at(-1)?.payload).toEqual({ metadata: { tool_name: 'rm', status } })
      expect(handler.getAllInvocations()).toEqual([])
    },
  )
})
