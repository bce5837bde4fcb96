import { describe, expect, it } from 'vitest'
import type { SluiceEvent } from '../../../src/base/event.ts'
import {
  formatRecording,
  parseRecording,
  type Recording,
  RecordingWriter,
} from '../../../src/runs/recording/index.ts'

const TEXT = `{"sluice-recording":1,"kind":"text","dialect":"hermes","note":"a call","temperature":0.7}
[0,"Let me look. <tool"]
[38,"_call>\\n"]
[112.5,{"end":"failed","error":"socket hang up"}]
`

const RECORDING: Recording = {
  kind: 'text',
  header: { dialect: 'hermes', note: 'a call', temperature: 0.7 },
  chunks: [
    { at: 0, chunk: 'Let me look. <tool' },
    { at: 38, chunk: '_call>\n' },
  ],
  end: { at: 112.5, reason: 'failed', error: 'socket hang up' },
}

describe('a recording of text', () => {
  it('is read from its file', () => {
    expect(parseRecording(TEXT)).toEqual(RECORDING)
  })

  it('is written to its file', () => {
    expect(formatRecording(RECORDING)).toBe(TEXT)
  })

  it.each<[what: string, input: string | string[]]>([
    ['its lines', TEXT.split('\n')],
    ['lines that keep their newlines', TEXT.split(/(?<=\n)/)],
    ['a file from Windows', TEXT.replaceAll('\n', '\r\n')],
    ['a file with blank lines', `\n${TEXT.replaceAll('\n', '\n\n')}`],
    ['a file with a byte order mark', `\ufeff${TEXT}`],
  ])('is read from %s', (_, input) => {
    expect(parseRecording(input)).toEqual(RECORDING)
  })

  it('may hold nothing, and need not say how it ended', () => {
    expect(parseRecording('{"sluice-recording":1,"kind":"text"}')).toEqual({
      kind: 'text',
      header: {},
      chunks: [],
    })
  })

  it('keeps half a surrogate pair', () => {
    const recording: Recording = {
      kind: 'text',
      header: {},
      chunks: [
        { at: 0, chunk: '\ud83d' },
        { at: 1, chunk: '\ude00' },
      ],
    }
    expect(parseRecording(formatRecording(recording))).toEqual(recording)
  })
})

describe('a recording of bytes', () => {
  it('is readable where the bytes are, and base64 where they are not', () => {
    const bytes = new TextEncoder().encode('data: ö\n\n')
    const recording: Recording = {
      kind: 'bytes',
      header: { provider: 'openai' },
      chunks: [
        { at: 0, chunk: bytes },
        { at: 5, chunk: bytes.subarray(0, 7) },
        { at: 5, chunk: bytes.subarray(7) },
        { at: 9, chunk: Uint8Array.of(0xef, 0xbb, 0xbf, 0x61) },
        { at: 9, chunk: new Uint8Array() },
      ],
      end: { at: 9, reason: 'finished' },
    }
    const text = `{"sluice-recording":1,"kind":"bytes","provider":"openai"}
[0,"data: ö\\n\\n"]
[5,{"b":"ZGF0YTogww=="}]
[5,{"b":"tgoK"}]
[9,"\ufeffa"]
[9,""]
[9,{"end":"finished"}]
`
    expect(formatRecording(recording)).toBe(text)
    expect(parseRecording(text)).toEqual(recording)
  })

  it('may be large', () => {
    const chunk = Uint8Array.from({ length: 20_000 }, (_, index) => index % 256)
    const [read] = parseRecording(
      formatRecording({ kind: 'bytes', header: {}, chunks: [{ at: 0, chunk }] }),
    ).chunks
    expect(read?.chunk).toEqual(chunk)
  })
})

describe('a recording of events', () => {
  it('gives back the same events', () => {
    const events: SluiceEvent[] = [
      { type: 'text-delta', id: 't', delta: 'a' },
      { type: 'argument-end', id: 'c', path: ['edits', 0, 'path'], value: 'main.rs' },
      { type: 'error', error: { name: 'TypeError', message: 'fetch failed' } },
      { type: 'error', error: { name: 'ResponseError', message: 'Slow down.', code: 'x', status: 429 } },
      { type: 'finish', reason: 'error' },
    ]
    const text = formatRecording({
      kind: 'events',
      header: {},
      chunks: events.map((chunk) => ({ at: 1, chunk })),
    })
    expect(text).toBe(`{"sluice-recording":1,"kind":"events"}
[1,{"type":"text-delta","id":"t","delta":"a"}]
[1,{"type":"argument-end","id":"c","path":["edits",0,"path"],"value":"main.rs"}]
[1,{"type":"error","error":{"name":"TypeError","message":"fetch failed"}}]
[1,{"type":"error","error":{"name":"ResponseError","message":"Slow down.","code":"x","status":429}}]
[1,{"type":"finish","reason":"error"}]
`)
    const read = parseRecording(text).chunks.map(({ chunk }) => chunk as SluiceEvent)
    expect(read).toEqual(events)
  })

  it('gives an error as a record, whatever was written for it', () => {
    const text = '{"sluice-recording":1,"kind":"events"}\n[1,{"type":"error","error":"plain"}]\n'
    expect(parseRecording(text).chunks[0]?.chunk).toEqual({
      type: 'error',
      error: { name: 'Error', message: 'plain' },
    })
  })

  it('takes no event that JSON cannot hold', () => {
    const chunk: SluiceEvent = { type: 'custom', kind: 'counter', value: 1n }
    expect(() => formatRecording({ kind: 'events', header: {}, chunks: [{ at: 0, chunk }] })).toThrow(
      "The event 'custom' holds a value that JSON cannot represent; leave it out of the recording.",
    )
  })
})

describe('a wrong recording', () => {
  const HEADER = '{"sluice-recording":1,"kind":"text"}'
  it.each<[what: string, text: string, message: string]>([
    ['that is empty', '', 'The recording is empty; the first line of a recording is its header.'],
    [
      'that is another file',
      '{"model":"x"}',
      'Line 1 is not the header of a recording, which looks like {"sluice-recording":1,"kind":"text"}.',
    ],
    [
      'that is the stream itself',
      'data: {"choices":[]}\n\n',
      'Line 1 is not the header of a recording, which looks like {"sluice-recording":1,"kind":"text"}.',
    ],
    [
      'of a later version',
      '{"sluice-recording":2,"kind":"text"}',
      'Line 1 says version 2 of the format, and this is a reader of version 1; update sluice, or record the stream again.',
    ],
    [
      'of an unknown kind',
      '{"sluice-recording":1,"kind":"video"}',
      "Line 1 has the kind \"video\"; a recording is of the kind 'text', 'bytes' or 'events'.",
    ],
    [
      'that was cut off',
      `${HEADER}\n[0,"a"]\n[3,"b`,
      'Line 3 is not JSON; if the recording was cut off while it was written, remove this line.',
    ],
    [
      'with a line that is no entry',
      `${HEADER}\n\n"a"`,
      'Line 3 is not of the form [milliseconds, payload].',
    ],
    [
      'with a time that is none',
      `${HEADER}\n["0","a"]`,
      'Line 2 has the time "0"; a time is a number of milliseconds.',
    ],
    [
      'with a time before the start',
      `${HEADER}\n[-1,"a"]`,
      'Line 2 has the time -1; a time is a number of milliseconds.',
    ],
    [
      'whose time runs backwards',
      `${HEADER}\n[5,"a"]\n[4,"b"]`,
      'Line 3 has the time 4, which is before the 5 of the line above.',
    ],
    [
      'of text with bytes in it',
      `${HEADER}\n[0,{"b":"YQ=="}]`,
      "Line 2 has a payload that does not belong into a recording of the kind 'text'.",
    ],
    [
      'of bytes that are not base64',
      '{"sluice-recording":1,"kind":"bytes"}\n[0,{"b":"%"}]',
      "Line 2 has a payload that does not belong into a recording of the kind 'bytes'.",
    ],
    [
      'of events with text in it',
      '{"sluice-recording":1,"kind":"events"}\n[0,"a"]',
      'Line 2 is not an event, but a string.',
    ],
    ...(
      [
        ['without a type', '{"delta":"a"}', 'is an event without a type'],
        ['of an unknown type', '{"type":"shout"}', 'has the type "shout", which is not an event type'],
        [
          'of a type that every object has',
          '{"type":"constructor"}',
          'has the type "constructor", which is not an event type',
        ],
        ['without its text', '{"type":"text-delta","id":"a"}', "is a 'text-delta' whose 'delta' is missing"],
        [
          'with an id that is none',
          '{"type":"text-delta","id":1,"delta":"a"}',
          "is a 'text-delta' whose 'id' must be a text, not a number",
        ],
        [
          'with a path that is none',
          '{"type":"argument-delta","id":"a","path":[{}],"delta":"a"}',
          "is a 'argument-delta' whose 'path' must be a list of at most 1000 keys and indices, not a list",
        ],
        [
          'with a verdict that is none',
          '{"type":"tool-call","id":"a","toolName":"f","input":{},"status":"fine","repairs":[]}',
          "is a 'tool-call' whose 'status' must be one of complete, repaired, truncated, invalid, not a string",
        ],
        [
          'with repairs that are none',
          '{"type":"tool-call","id":"a","toolName":"f","input":{},"status":"repaired","repairs":[null]}',
          "is a 'tool-call' whose 'repairs' must be a list of repairs, not a list",
        ],
        [
          'with an error that is none',
          '{"type":"tool-call","id":"a","toolName":"f","input":{},"status":"invalid","repairs":[],"error":"x"}',
          "is a 'tool-call' whose 'error' must be an error with a code, a message and an offset, not a string",
        ],
        [
          'whose place is none',
          '{"type":"diagnostic","code":"x","message":"x","span":{"start":0}}',
          "is a 'diagnostic' whose 'span' must be an object with a start and an end, not an object",
        ],
        [
          'with a reason that is none',
          '{"type":"finish","reason":{}}',
          "is a 'finish' whose 'reason' must be one of stop, length, tool-calls, content-filter, error, aborted, other, not an object",
        ],
        [
          'that is nested too deeply',
          `{"type":"custom","kind":"x","value":${'['.repeat(2000)}${']'.repeat(2000)}}`,
          "is a 'custom' that is nested deeper than 1000 levels",
        ],
      ] as const
    ).map(([what, event, problem]): [string, string, string] => [
      `of an event ${what}`,
      `{"sluice-recording":1,"kind":"events"}\n[0,{"type":"text-start","id":"a"}]\n[1,${event}]`,
      `Line 3 ${problem}.`,
    ]),
    [
      'that goes on after its end',
      `${HEADER}\n[0,{"end":"finished"}]\n[1,"a"]`,
      'Line 3 comes after the end of the recording; remove it, or the line with the end.',
    ],
    [
      'with an unknown end',
      `${HEADER}\n[0,{"end":"happily"}]`,
      "Line 2 has the end \"happily\"; an end is 'finished', 'interrupted' or 'failed'.",
    ],
  ])('%s is refused', (_, text, message) => {
    expect(() => parseRecording(text)).toThrow(
      expect.objectContaining({ code: 'invalid-recording', message }),
    )
  })

  it('is named where it has a name', () => {
    expect(() => parseRecording(`${HEADER}\n7`, 'chat.jsonl')).toThrow(
      'Line 2 of chat.jsonl is not of the form',
    )
    expect(() => parseRecording('', 'chat.jsonl')).toThrow('chat.jsonl is empty;')
  })
})

describe('a recording that is written while its stream runs', () => {
  function write(kind: 'text' | 'bytes' | 'events', act: (writer: RecordingWriter) => void): string {
    let text = ''
    const writer = new RecordingWriter((line) => {
      text += line
    }, kind)
    act(writer)
    return text
  }

  it('has each line as soon as its chunk has come', () => {
    const lines: string[] = []
    const writer = new RecordingWriter((line) => lines.push(line), 'text', { note: 'n' })
    expect(lines).toEqual(['{"sluice-recording":1,"kind":"text","note":"n"}\n'])
    writer.append(1.23456, 'a')
    expect(lines.slice(1)).toEqual(['[1.235,"a"]\n'])
    writer.end(3, 'failed', new Error('no'))
    expect(lines.slice(2)).toEqual(['[3,{"end":"failed","error":"no"}]\n'])
  })

  it('never goes back in time, whatever the clock does', () => {
    const text = write('text', (writer) => {
      for (const at of [5, 3, Number.NaN, -1, 6]) writer.append(at, 'a')
    })
    expect(parseRecording(text).chunks.map(({ at }) => at)).toEqual([5, 5, 5, 5, 6])
  })

  it('cannot be made to look like another version or kind by its header', () => {
    const header = { kind: 'events', 'sluice-recording': 9 }
    expect(formatRecording({ kind: 'text', header, chunks: [] })).toBe(
      '{"sluice-recording":1,"kind":"text"}\n',
    )
  })

  it.each<[kind: 'text' | 'bytes' | 'events', chunk: unknown, message: string]>([
    ['text', Uint8Array.of(1), "A recording of the kind 'text' takes strings, not bytes."],
    ['bytes', { type: 'finish' }, "A recording of the kind 'bytes' takes bytes, not an event."],
    ['events', 'a', "A recording of the kind 'events' takes events, not a string."],
    ['events', null, "A recording of the kind 'events' takes events, not null."],
  ])('of %s takes nothing else', (kind, chunk, message) => {
    expect(() => write(kind, (writer) => writer.append(0, chunk))).toThrow(message)
  })

  it('takes nothing after its end', () => {
    expect(() =>
      write('text', (writer) => {
        writer.end(0)
        writer.append(1, 'a')
      }),
    ).toThrow(expect.objectContaining({ code: 'push-after-end' }))
  })

  it('is of a kind there is', () => {
    expect(() => new RecordingWriter(() => {}, 'video' as 'text')).toThrow(
      "A recording is of the kind 'text', 'bytes' or 'events', not \"video\".",
    )
  })
})

describe('the file of a run', () => {
  it('is a recording of what arrived, with the events beside it', () => {
    const recording = parseRecording(`{"sluice-recording":1,"kind":"bytes","provider":"openai-chat"}
[0,"data: {}",[{"type":"text-start","id":"text-1"}]]
[5,{"end":"finished"},[{"type":"finish","reason":"stop"}]]`)
    expect(recording.chunks).toEqual([{ at: 0, chunk: new TextEncoder().encode('data: {}') }])
    expect(recording.end).toEqual({ at: 5, reason: 'finished' })
  })

  it('is a recording of events where what arrived was not kept', () => {
    const recording = parseRecording(`{"sluice-recording":1,"kind":"events"}
[0,[{"type":"text-start","id":"a"},{"type":"text-delta","id":"a","delta":"Hi"}]]
[5,{"end":"finished"},[{"type":"text-end","id":"a"},{"type":"finish","reason":"stop"}]]`)
    expect(recording.chunks.map(({ at, chunk }) => [at, (chunk as SluiceEvent).type])).toEqual([
      [0, 'text-start'],
      [0, 'text-delta'],
      [5, 'text-end'],
      [5, 'finish'],
    ])
  })

  it('is refused where a line has a third field that is no list', () => {
    expect(() => parseRecording('{"sluice-recording":1,"kind":"text"}\n[0,"a","b"]')).toThrow('Line 2')
  })
})
