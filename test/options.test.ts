import { describe, expect, it } from 'vitest'
import { hermes } from '../src/dialects/index.ts'
import { createParser } from '../src/index.ts'
import { checkOption, checkOptions } from '../src/options.ts'
import { createGuard, createPolicy, guardEvents, within } from '../src/policy/index.ts'
import { createProviderParser, createWriter, readProvider, writeProvider } from '../src/providers/index.ts'
import { parseRecording, RecordingWriter, replay } from '../src/recording/index.ts'
import { render } from '../src/render.ts'
import { coerceValue, validate } from '../src/schema/index.ts'
import { SluiceStream, sluice } from '../src/stream.ts'
import { createTerminalView } from '../src/terminal/index.ts'
import { createBlocksView, createSpeaker, speak, speakSync } from '../src/views/blocks/index.ts'
import {
  createCallFollower,
  createOrderView,
  createProgressView,
  createTruncationView,
  EventBuilder,
  followCalls,
  IncrementalArgParser,
  TurnCoordinator,
} from '../src/views/progress/index.ts'
import {
  AgentEventStream,
  ApiToolCallStreamingResponseHandler,
  createSegmentsView,
  createStreamingParser,
  ParserConfig,
  ParsingStreamingResponseHandler,
  PassThroughStreamingResponseHandler,
  parseCompleteResponse,
  QueueStreamer,
  StreamingParser,
  StreamingResponseHandler,
  StreamingResponseHandlerFactory,
  ToolInvocationAdapter,
} from '../src/views/segments/index.ts'
import { readElements, readValue, renderElements, valueOfElements } from '../src/xml/index.ts'

const nothing = (): void => {}
const policy = createPolicy({ rules: [] })
const recording = parseRecording('{"sluice-recording":1,"kind":"text"}\n')
const renderer = { register: nothing, complete: nothing }

const PARSER =
  'dialect, tools, start, stop, protectCode, calls, reasoning, malformed, limits, generateId, emit'
const CALLBACKS = 'onSegmentEvent, onToolInvocation, onCallbackError, keepEvents'
const SPEECH = 'unit, code, links, summarise, maxLength, abbreviations'
const CONFIG = 'parseToolCalls, parseReasoning, strategyOrder, segmentIdPrefix, tools'

/** Whatever takes options, called with some that need not be right; and the options that there are. */
const TAKERS: readonly [name: string, call: (options: never) => unknown, options: string][] = [
  ['createParser', (options) => createParser(options), PARSER],
  ['sluice', (options) => sluice('', options), `${PARSER}, signal`],
  ['SluiceStream', (options) => new SluiceStream(options), `${PARSER}, signal`],
  ['render', (options) => render([], options), 'dialect, tools'],
  ['renderElements', (options) => renderElements('a', 1, options), 'escape, indent'],
  ['readElements', (options) => readElements('', options), 'entities, isText, onProblem'],
  ['readValue', (options) => readValue('', options), 'schema, root, entities, numbers'],
  ['valueOfElements', (options) => valueOfElements([], options), 'schema, root, entities, numbers'],
  ['coerceValue', (options) => coerceValue(1, {}, options), 'root, relaxed'],
  ['validate', (options) => validate(1, {}, options), 'root, onSkippedPattern'],
  [
    'createProviderParser',
    (options) => createProviderParser(nothing, options),
    `${PARSER}, provider, onIgnored`,
  ],
  ['readProvider', (options) => readProvider('', options), `${PARSER}, provider, onIgnored, signal`],
  ['createWriter', (options) => createWriter('openai-chat', options), 'id, model, created'],
  ['replay', (options) => replay(recording, options), 'speed, signal, clock'],
  ['createTerminalView', (options) => createTerminalView(options), 'colour, write, tools'],
  [
    'createBlocksView',
    (options) => createBlocksView(options),
    'onChunk, onBlock, onContentBlockUpdate, whole',
  ],
  ['createSpeaker', (options) => createSpeaker(nothing, options), SPEECH],
  ['createCallFollower', (options) => createCallFollower(options, nothing), 'tools'],
  ['IncrementalArgParser', (options) => new IncrementalArgParser(options), 'mode, limits'],
  ['EventBuilder', (options) => new EventBuilder(options), 'mode, limits, onCall, onWarning'],
  [
    'TurnCoordinator',
    (options) => new TurnCoordinator(options),
    'mode, limits, renderer, persist, progress, onWarning',
  ],
  ['createPolicy', (options) => createPolicy(options), 'rules, otherwise, tools'],
  ['createGuard', (options) => createGuard(options), 'policy, emit, onDecision, stop'],
  ['within', (options) => within('/home/app', options), 'base, system, ignoreCase, decodePercent'],
  [
    'createSegmentsView',
    (options) => createSegmentsView(nothing, options),
    'tools, start, metadataUpdates, stripMarkers, streamFiles',
  ],
  ['ParserConfig', (options) => new ParserConfig(options), CONFIG],
  ['ParserConfig.with', (options) => new ParserConfig().with(options), CONFIG],
  ['createStreamingParser', (options) => createStreamingParser(options), 'config, parserName'],
  [
    'StreamingResponseHandler',
    (options) => new StreamingResponseHandler(options),
    `${CALLBACKS}, config, parserName`,
  ],
  [
    'ParsingStreamingResponseHandler',
    (options) => new ParsingStreamingResponseHandler(options),
    `${CALLBACKS}, config, parserName`,
  ],
  [
    'PassThroughStreamingResponseHandler',
    (options) => new PassThroughStreamingResponseHandler(options),
    `${CALLBACKS}, segmentIdPrefix`,
  ],
  [
    'ApiToolCallStreamingResponseHandler',
    (options) => new ApiToolCallStreamingResponseHandler(options),
    `${CALLBACKS}, segmentIdPrefix, tools, config`,
  ],
  [
    'StreamingResponseHandlerFactory.create',
    (options) => StreamingResponseHandlerFactory.create(options),
    'parseToolCalls, parseReasoning, segmentIdPrefix, tools',
  ],
  ['ToolInvocationAdapter', (options) => new ToolInvocationAdapter(options), 'tools, invokeIncomplete'],
  ['QueueStreamer', (options) => new QueueStreamer(options), 'capacity'],
  ['AgentEventStream', (options) => new AgentEventStream(options), 'agentId, buffer'],
]

/** The same for those that say it when they are asked for the first thing. */
const LOOPS: readonly [name: string, call: (options: never) => AsyncIterable<unknown>, options: string][] = [
  ['writeProvider', (options) => writeProvider([], 'openai-chat', options), 'id, model, created'],
  ['speak', (options) => speak([], options), `${SPEECH}, pauseAfter, timer`],
  ['followCalls', (options) => followCalls([], options), 'tools'],
  ['guardEvents', (options) => guardEvents([], options), 'policy, emit, onDecision, stop'],
  ['AgentEventStream.subscribe', (options) => new AgentEventStream().subscribe(options), 'after, signal'],
]

async function readAll(loop: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of loop);
}

describe('options that there are not', () => {
  it.each(TAKERS)('%s refuses them, and says which there are', (_, call, options) => {
    expect(() => call({ colr: 'red' } as never)).toThrow(
      expect.objectContaining({
        code: 'invalid-option',
        message: expect.stringContaining(`There is no option 'colr'; there are ${options}`),
      }),
    )
  })

  it.each(LOOPS)('%s refuses them when its loop begins', async (_, call, options) => {
    await expect(readAll(call({ colr: 'red' } as never))).rejects.toThrow(
      expect.objectContaining({
        code: 'invalid-option',
        message: expect.stringContaining(`There is no option 'colr'; there are ${options}`),
      }),
    )
  })

  it('speakSync refuses them, too', () => {
    expect(() => [...speakSync([], { unt: 'clause' } as never)]).toThrow(
      `There is no option 'unt'; there are ${SPEECH}.`,
    )
  })

  it('the options of a whole turn are options of a view of blocks', () => {
    const turn = { onChunk: nothing, onToolCalls: async () => [], maxToolDepth: 3 }
    expect(createBlocksView(turn).blockIndex).toBe(0)
  })
})

describe('options of another type', () => {
  it.each<[name: string, make: () => unknown, message: string]>([
    ['sluice', () => sluice('', { calls: 'no' } as never), '\'calls\' takes a boolean, not "no".'],
    [
      'a provider',
      () => readProvider('', { onIgnored: true } as never),
      "'onIgnored' takes a function, not true.",
    ],
    [
      'a parser of a provider without a sink',
      () => createProviderParser({ provider: 'ollama' } as never),
      "'sink' takes a function, not an object.",
    ],
    [
      'a writer',
      () => createWriter('ollama', { created: new Date() } as never),
      "'created' takes a number, not an object.",
    ],
    [
      'render with the name of a dialect',
      () => render([], { dialect: 'hermes' } as never),
      "'dialect' takes one dialect, such as hermes from 'sluice/dialects'; it says how calls are written.",
    ],
    [
      'render with several dialects',
      () => render([], { dialect: [hermes] } as never),
      "'dialect' takes one dialect, such as hermes from 'sluice/dialects'; it says how calls are written.",
    ],
    [
      'render without options',
      () => render([], undefined as never),
      "'options' takes an object, not undefined.",
    ],
    [
      'render of a text',
      () => render('hi' as never, { dialect: hermes }),
      '\'parts\' takes a list, not "hi".',
    ],
    [
      'render of a part of another type',
      () => render([{ type: 'txt' } as never], { dialect: hermes }),
      'A part of a message is text, reasoning, call or result, not "txt".',
    ],
    [
      'render of no part',
      () => render([null as never], { dialect: hermes }),
      'A part of a message is text, reasoning, call or result, not undefined.',
    ],
    [
      'render of a result that is no text',
      () =>
        render([{ type: 'text', text: '' }, { type: 'result', content: 5 } as never], { dialect: hermes }),
      "'content' of part 2 is a string, not 5.",
    ],
    [
      'a terminal that cannot write',
      () => createTerminalView({ colour: true } as never),
      "'write' takes a function, not undefined.",
    ],
    ['blocks', () => createBlocksView({ onChunk: [] } as never), "'onChunk' takes a function, not a list."],
    [
      'a speaker without a voice',
      () => createSpeaker({ unit: 'clause' } as never),
      "'say' takes a function, not an object.",
    ],
    [
      'a speaker',
      () => createSpeaker(nothing, { abbreviations: 'approx' } as never),
      '\'abbreviations\' takes a list, not "approx".',
    ],
    [
      'segments without a sink',
      () => createSegmentsView({ tools: [] } as never),
      "'sink' takes a function, not an object.",
    ],
    [
      'segments',
      () => createSegmentsView(nothing, { start: 'later' } as never),
      "'start' is 'immediate' or 'deferred', not \"later\".",
    ],
    [
      'segments with tools by name',
      () => createSegmentsView(nothing, { tools: { ls: {} } } as never),
      "'tools' takes a list, not an object.",
    ],
    [
      'a configuration',
      () => new ParserConfig({ jsonProfile: 'mistral' } as never),
      "'jsonProfile' is 'openai', 'gemini', 'default' or 'any', not \"mistral\".",
    ],
    [
      'a parser of segments',
      () => new StreamingParser({ strategyOrder: ['json_tool'] } as never),
      "'config' takes a ParserConfig; make one with new ParserConfig({ … }).",
    ],
    [
      'a whole response as segments',
      () => parseCompleteResponse('', {} as never),
      "'config' takes a ParserConfig; make one with new ParserConfig({ … }).",
    ],
    [
      'a handler',
      () => new StreamingResponseHandler({ config: { strategyOrder: ['json_tool'] } as never }),
      "'config' takes a ParserConfig; make one with new ParserConfig({ … }).",
    ],
    [
      'progress',
      () => createProgressView({ emit: nothing } as never),
      "'emit' takes a function, not an object.",
    ],
    [
      'truncations',
      () => createTruncationView(undefined as never),
      "'report' takes a function, not undefined.",
    ],
    ['the order', () => createOrderView([], null as never), "'report' takes a function, not null."],
    [
      'whoever follows calls',
      () => createCallFollower({}, undefined as never),
      "'onCall' takes a function, not undefined.",
    ],
    [
      'a limit that there is not',
      () => new EventBuilder({ limits: { cal: 10 } } as never),
      "There is no limit 'cal'; there are undecided, name, tag, call, depth, keys, number, bare, repairs, payload, diagnostics.",
    ],
    [
      'a turn',
      () => new TurnCoordinator({ persist: nothing } as never),
      "'renderer' takes an object, not undefined.",
    ],
    [
      'a turn with a word for progress',
      () => new TurnCoordinator({ renderer, progress: 'yes' } as never),
      '\'progress\' takes a boolean, not "yes".',
    ],
    ['a guard', () => createGuard({ policy } as never), "'emit' takes a function, not undefined."],
    [
      'a folder',
      () => within('/home/app', { system: 'Windows' } as never),
      "'system' is 'posix' or 'windows', not \"Windows\".",
    ],
    ['a recording', () => new RecordingWriter(null as never, 'text'), "'write' takes a function, not null."],
  ])('%s refuses them', (_, make, message) => {
    expect(make).toThrow(expect.objectContaining({ code: 'invalid-option', message }))
  })
})

describe('the check itself', () => {
  it('takes what is undefined for not given', () => {
    expect(() => checkOptions({ loop: undefined }, { loop: 'boolean' })).not.toThrow()
  })

  it('takes no names from the prototype', () => {
    expect(() => checkOptions({ toString: 1 } as object, {})).toThrow("There is no option 'toString'")
  })

  it.each<[value: unknown, shown: string]>([
    ['a"b', '"a\\"b"'],
    [Object.create(null), 'an object'],
    [[1], 'a list'],
    [() => 1, 'a function'],
    [null, 'null'],
    [12n, '12'],
    [Symbol('a'), 'Symbol(a)'],
  ])('shows %o', (value, shown) => {
    expect(() => checkOption('loop', value, 'boolean')).toThrow(`'loop' takes a boolean, not ${shown}.`)
  })
})
