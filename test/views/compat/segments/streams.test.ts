import {
  type AgentEvent,
  AgentEventStream,
  EditFileContentStreamer,
  JsonStringFieldExtractor,
  QueueStreamer,
  StreamingResponseHandler,
  WriteFileContentStreamer,
} from 'sluice/segments'
import { describe, expect, it } from 'vitest'

describe('fields of growing JSON', () => {
  it('are told as they grow, or when they are whole', () => {
    const extractor = new JsonStringFieldExtractor(['content'], ['path'])
    expect(extractor.feed('{"path": "a.t')).toEqual({ deltas: {}, completed: {} })
    expect(extractor.feed('s", "content": "x\\')).toEqual({
      deltas: { content: 'x' },
      completed: { path: 'a.ts' },
    })
    expect(extractor.feed('ny"}')).toEqual({ deltas: { content: '\ny' }, completed: { content: 'x\ny' } })
  })

  it('are those of the outermost object only', () => {
    const extractor = new JsonStringFieldExtractor(['path'])
    expect(extractor.feed('{"opts": {"path": "no"}, "path": "yes"}')).toEqual({
      deltas: { path: 'yes' },
      completed: { path: 'yes' },
    })
  })

  it('count once: the first that is there', () => {
    const extractor = new JsonStringFieldExtractor(['text'])
    expect(extractor.feed('{"text": "a", "text": "b"}')).toEqual({
      deltas: { text: 'a' },
      completed: { text: 'a' },
    })
  })

  it('may have any name', () => {
    const extractor = new JsonStringFieldExtractor(['__proto__', 'constructor'])
    const { deltas, completed } = extractor.feed('{"__proto__": "a", "constructor": "b"}')
    const both = [
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]
    expect([Object.entries(deltas), Object.entries(completed)]).toEqual([both, both])
  })

  it('are a list', () => {
    expect(() => new JsonStringFieldExtractor('text')).toThrow(/'the fields' takes a list, not "text"/)
  })

  it.each([
    [new WriteFileContentStreamer(), 'content'],
    [new EditFileContentStreamer(), 'patch'],
  ])('are the content of a file', (file, key) => {
    const text = `{"${key}": "caf\\u00e9 \\ud83d\\ude00", "path": "/p"}`
    const updates = text.split('').map((character) => file.feed(character))
    expect(updates.map(({ contentDelta }) => contentDelta).join('')).toBe('café 😀')
    expect(updates.flatMap(({ contentComplete }) => contentComplete ?? [])).toEqual(['café 😀'])
    expect(updates.flatMap(({ path }) => path ?? [])).toEqual(['/p'])
  })
})

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('a queue', () => {
  it('gives everything in order, whether it came before or after it was asked for', async () => {
    const queue = new QueueStreamer<number>()
    void queue.put(1)
    void queue.put(2)
    const read = all(queue)
    await Promise.resolve()
    void queue.put(3)
    queue.close()
    expect(await read).toEqual([1, 2, 3])
  })

  it('lets whoever fills it wait while it is full', async () => {
    const queue = new QueueStreamer<number>({ capacity: 2 })
    const done: number[] = []
    const filling = (async () => {
      for (const item of [1, 2, 3, 4]) {
        await queue.put(item)
        done.push(item)
      }
      queue.close()
    })()
    await Promise.resolve()
    await Promise.resolve()
    expect([queue.size, done]).toEqual([2, [1]])
    expect(await all(queue)).toEqual([1, 2, 3, 4])
    await filling
    expect(done).toEqual([1, 2, 3, 4])
  })

  it('tells of a failure behind the last item', async () => {
    const queue = new QueueStreamer<number>()
    void queue.put(1)
    queue.fail(new Error('gone'))
    const seen: number[] = []
    await expect(
      (async () => {
        for await (const item of queue) seen.push(item)
      })(),
    ).rejects.toThrow('gone')
    expect(seen).toEqual([1])
  })

  it('lets go of whoever fills it when the reader leaves', async () => {
    const queue = new QueueStreamer<number>({ capacity: 1 })
    const put = queue.put(1)
    for await (const item of queue) {
      expect(item).toBe(1)
      break
    }
    await put
    await expect(queue.put(2)).rejects.toThrow(/closed/)
  })

  it('is for one reader, and has a size that makes sense', async () => {
    const queue = new QueueStreamer<number>()
    queue.close()
    await all(queue)
    await expect(all(queue)).rejects.toThrow(/already has a reader/)
    expect(() => new QueueStreamer({ capacity: 0 })).toThrow(/at least 1/)
  })
})

describe('the events of an agent', () => {
  function turn(agent: AgentEventStream): void {
    const handler = new StreamingResponseHandler(agent.callbacks())
    handler.feed('Go <run_bash>ls</run_bash>')
    handler.finalize()
    const [run] = handler.getAllInvocations()
    agent.requestApproval(run!)
    agent.approval(run!.id, true)
    agent.executionStarted(run!)
    agent.executionSucceeded(run!.id, 'a.ts')
    agent.executionFailed(run!.id, new Error('no'))
    agent.error('lost')
  }

  it('tell the whole story of a turn, under one id', async () => {
    const agent = new AgentEventStream({ agentId: 'a1' })
    const reading = all(agent.subscribe())
    turn(agent)
    agent.close()
    const events = await reading
    expect(events.map(({ type }) => type)).toEqual([
      ...Array(6).fill('segment'),
      'tool_invocation',
      'tool_approval_requested',
      'tool_approval',
      'tool_execution_started',
      'tool_execution_succeeded',
      'tool_execution_failed',
      'error',
    ])
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
    const ids = events.flatMap((event) => ('invocation_id' in event ? [event.invocation_id] : []))
    expect(new Set(ids)).toEqual(new Set(['seg_2']))
    expect(events[7]).toEqual({
      sequence: 8,
      agent_id: 'a1',
      type: 'tool_approval_requested',
      invocation_id: 'seg_2',
      tool_name: 'run_bash',
      arguments: { command: 'ls' },
    })
    expect(JSON.parse(JSON.stringify(events[0]))).toEqual({
      sequence: 1,
      agent_id: 'a1',
      type: 'segment',
      event: { type: 'SEGMENT_START', segment_id: 'seg_1', segment_type: 'text', payload: {} },
    })
  })

  it('are the same for everyone, however slowly they read and however late they come', async () => {
    const agent = new AgentEventStream()
    const early = agent.subscribe()
    const first = await (async () => {
      turn(agent)
      return early.next()
    })()
    agent.close()
    const [slow, late, resumed] = await Promise.all([
      all(early),
      all(agent.subscribe()),
      all(agent.subscribe({ after: 3 })),
    ])
    expect([first.value, ...slow]).toEqual(late)
    expect(resumed).toEqual(late.slice(3))
  })

  it('never make the agent wait: who falls too far behind is told', async () => {
    const agent = new AgentEventStream({ buffer: 3 })
    const slow = agent.subscribe()
    const first = slow.next()
    for (let count = 1; count <= 5; count++) agent.error(`e${count}`)
    // What was asked for before anything came is there, and the next event is gone.
    await expect(first.then(() => slow.next())).rejects.toThrow(
      /event 1 is gone, the oldest that is kept is 3/,
    )
    agent.close()
    const kept: AgentEvent[] = await all(agent.subscribe({ after: 2 }))
    expect(kept.map(({ sequence }) => sequence)).toEqual([3, 4, 5])
  })

  it('keep no more than they are told to', async () => {
    const agent = new AgentEventStream({ buffer: 10 })
    for (let count = 0; count < 1000; count++) agent.error('e')
    agent.close()
    expect(agent.latest).toBe(1000)
    expect(await all(agent.subscribe({ after: 990 }))).toHaveLength(10)
    await expect(all(agent.subscribe({ after: 989 }))).rejects.toThrow(/too far behind/)
  })

  it.each([
    [2, /'after' is the number of an event, 0 to 1, not 2/],
    [-1, /not -1/],
    [0.5, /not 0.5/],
    [Number.NaN, /not NaN/],
  ])('are not told from a place that they never had: %j', async (after, message) => {
    const agent = new AgentEventStream()
    agent.error('e')
    await expect(agent.subscribe({ after }).next()).rejects.toThrow(message)
  })

  it('stop for those who go away', async () => {
    const agent = new AgentEventStream()
    const leaving = new AbortController()
    const reading = all(agent.subscribe({ signal: leaving.signal }))
    agent.error('e')
    await Promise.resolve()
    leaving.abort()
    expect((await reading).length).toBeLessThanOrEqual(1)
  })

  it('are refused when they come too late, or with a buffer that holds nothing', () => {
    const agent = new AgentEventStream()
    agent.close()
    expect(() => agent.error('x')).toThrow(/closed/)
    expect(() => new AgentEventStream({ buffer: 0 })).toThrow(/at least 1/)
  })
})
