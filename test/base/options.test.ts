import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createTerminal, createTerminalView } from '../../src/apps/terminal/index.ts'
import { checkOption, checkOptions } from '../../src/base/options.ts'
import {
  body,
  clineXml,
  dialect,
  elements,
  header,
  hermes,
  jsonMix,
  literalCall,
  morphXml,
  name,
  object,
  shorthand,
  tag,
  wire,
} from '../../src/dialects/index.ts'
import { yamlXml } from '../../src/dialects/yaml/index.ts'
import { render } from '../../src/engine/render.ts'
import { SluiceStream, sluice } from '../../src/engine/stream.ts'
import { createParser, isExecutable, parse, prepareCall } from '../../src/index.ts'
import {
  createProviderParser,
  createWriter,
  ollama,
  openaiChatWriter,
  readProvider,
  writeProvider,
} from '../../src/providers/index.ts'
import { callGrammar } from '../../src/requests/grammar/index.ts'
import { deriveDialect, detectDialect, dialectOfTemplate } from '../../src/requests/templates/index.ts'
import { parseRecording, RecordingWriter, replay } from '../../src/runs/recording/index.ts'
import { createGuard, createPolicy, guardEvents, within } from '../../src/turn/policy/index.ts'
import { createJsonParser, parseObject, safeParseJson, watchObject } from '../../src/values/json/index.ts'
import { coerceValue, validate } from '../../src/values/schema/index.ts'
import type { StandardSchemaV1 } from '../../src/values/schema/standard.ts'
import { readElements, readValue, renderElements, valueOfElements } from '../../src/values/xml/index.ts'
import { createToolMiddleware, requestOptions, sluiceTransform } from '../../src/views/ai-sdk/index.ts'
import { createBlocksView, createSpeaker, speak, speakSync } from '../../src/views/compat/blocks/index.ts'
import {
  createCallFollower,
  createOrderView,
  createProgressView,
  createTruncationView,
  EventBuilder,
  followCalls,
  IncrementalArgParser,
  TurnCoordinator,
} from '../../src/views/compat/progress/index.ts'
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
} from '../../src/views/compat/segments/index.ts'

/** What is there and what it is called in a message, for each kind of value. */
const VALUES: readonly [kind: string, value: unknown, shown: string][] = [
  ['boolean', true, 'true'],
  ['number', 5, '5'],
  ['string', 'other', '"other"'],
  ['function', () => 5, 'a function'],
  ['object', {}, 'an object'],
  ['list', [], 'a list'],
  ['null', null, 'null'],
]

const nothing = (): void => {}
const policy = createPolicy({ rules: [] })
const recording = parseRecording('{"sluice-recording":1,"kind":"text"}\n')
const _renderer = { register: nothing, complete: nothing }
const call = wire`<c ${name}>`

// ── the options of every function ────────────────────────────────────────────────────────────────

const PARSER =
  'dialect: any, tools: any, start: any, stop: list, protectCode: boolean, calls: any, reasoning: boolean, ' +
  'malformed: keep|text|drop, shown: object, limits: object, generateId: function, emit: object'
const PROVIDER = `${PARSER}, provider: any, onIgnored: function, onError: function`
const WRITER = 'id: string, model: string, created: number, allow: list'
const JSON_PARSER =
  'mode: strict|tolerant, duplicateKeys: last|first|error, stringClose: quote|delimiter, ' +
  'nonFinite: string|null|number|error, unwrapStringified: boolean, limits: object, onEvent: function'
const READING = `${JSON_PARSER}, hold: list, numbers: plain|formatted, unwrap: boolean, severalValues: first|last`
const ELEMENTS =
  'schema: any, root: any, entities: boolean, numbers: boolean, nameAttribute: string, wrapper: string, attributePrefix: string, textKey: string, empty: list, comments: boolean, instructions: boolean, padded: boolean, relaxed: function'
const SPEECH =
  'unit: sentence|clause, code: say|skip|summarise, links: say|skip|summarise, summarise: function, ' +
  'maxLength: number, abbreviations: list'
const ARG_PARSER = 'mode: strict|tolerant, limits: object'
const GUARD = 'policy: any, emit: function, onDecision: function, stop: function'
const CALLBACKS =
  'onSegmentEvent: function, onToolInvocation: function, onCallbackError: function, keepEvents: boolean'
const HANDLER = `${CALLBACKS}, config: any, parserName: any`
const PASS_THROUGH = `${CALLBACKS}, segmentIdPrefix: string`
const CONFIG_END =
  'jsonProfile: openai|gemini|default|any, jsonToolPatterns: list, jsonToolParser: object, ' +
  'segmentStart: immediate|deferred, metadataUpdates: boolean, stripMarkers: boolean, streamFiles: boolean, ' +
  'invokeIncomplete: boolean, protectCode: boolean, shown: object, limits: object'
const CONFIG = `parseToolCalls: boolean, parseReasoning: boolean, strategyOrder: list, segmentIdPrefix: string, tools: any, ${CONFIG_END}`

const ANYTHING: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
}

type Row<Result> = [name: string, call: (options: never) => Result, options: string, what?: string]

/** Every function that takes options, the options it knows in their order, and what a message calls them. */
const FUNCTIONS: readonly Row<unknown>[] = [
  ['createParser', (options) => createParser(options), PARSER],
  [
    'createParser, emit',
    (emit) => createParser({ emit }),
    'json: boolean, arguments: boolean, source: boolean, raw: boolean, input: boolean',
    'event to emit',
  ],
  ['sluice', (options) => sluice('', options), `${PARSER}, signal: any, onError: function`],
  ['SluiceStream', (options) => new SluiceStream(options), `${PARSER}, signal: any`],
  ['render', (options) => render([], options), 'dialect: any, tools: any, malformed: refuse|raw'],
  ['createJsonParser', (options) => createJsonParser(options), JSON_PARSER],
  ['safeParseJson', (options) => safeParseJson('{}', options), JSON_PARSER],
  ['watchObject', (options) => watchObject('{}', undefined, options), `${READING}, inPlace: boolean`],
  ['parseObject', (options) => parseObject('{}', ANYTHING, options), READING],
  [
    'renderElements',
    (options) => renderElements('a', 1, options),
    'escape: boolean, indent: number, attributePrefix: string, textKey: string',
  ],
  [
    'readElements',
    (options) => readElements('', options),
    'entities: boolean, isText: function, empty: list, comments: boolean, instructions: boolean, onProblem: function',
  ],
  ['readValue', (options) => readValue('', options), ELEMENTS],
  ['valueOfElements', (options) => valueOfElements([], options), ELEMENTS],
  [
    'coerceValue',
    (options) => coerceValue(1, {}, options),
    'root: any, relaxed: function, bigint: boolean, format: ignore|check',
  ],
  [
    'validate',
    (options) => validate(1, {}, options),
    'root: any, format: ignore|check, onUnknownFormat: function',
  ],
  [
    'callGrammar',
    (options) => callGrammar(options),
    'dialect: object, tools: any, toolChoice: any, parallelToolCalls: boolean, start: text|reasoning, reasoning: boolean, prompt: string',
  ],
  ['detectDialect', (options) => detectDialect('', options), 'thinking: boolean'],
  ['deriveDialect', (options) => deriveDialect('', options), 'thinking: boolean'],
  ['dialectOfTemplate', (options) => dialectOfTemplate('', options), 'thinking: boolean'],
  ['createProviderParser', (options) => createProviderParser(nothing, options), PROVIDER],
  ['readProvider', (options) => readProvider('', options), `${PROVIDER}, signal: any`],
  ['createWriter', (options) => createWriter(openaiChatWriter, options), WRITER],
  ['replay', (options) => replay(recording, options), 'speed: any, signal: object, clock: object'],
  [
    'createTerminalView',
    (options) => createTerminalView(options),
    'tools: any, display: any, foldReasoning: boolean, colour: boolean, write: function',
  ],
  [
    'createTerminal',
    (options) => createTerminal(options as never),
    'tools: any, display: any, foldReasoning: boolean, stdout: object, stderr: object, env: object, windowLines: number, linesAbove: number, clock: object, now: function, onStop: function, onLeave: function',
  ],
  [
    'createBlocksView',
    (options) => createBlocksView(options),
    'onChunk: function, onBlock: function, onContentBlockUpdate: function, whole: boolean, escapedResults: boolean',
  ],
  [
    'createToolMiddleware',
    (options) => createToolMiddleware(options),
    'dialect: any, placement: first|last, systemPrompt: function, formatResult: function, media: forward|placeholder, ' +
      'failures: object, onError: function, originalToolSchemas: object, streams: object, parser: object, generateId: function',
  ],
  [
    'sluiceTransform',
    (options) => sluiceTransform(options),
    'dialect: any, failures: object, onError: function, parser: object, generateId: function',
  ],
  ['requestOptions', (options) => requestOptions(options), 'originalToolSchemas: object, onError: function'],
  ['createSpeaker', (options) => createSpeaker(nothing, options), SPEECH],
  ['speakSync', (options) => [...speakSync([], options)], SPEECH],
  ['createCallFollower', (options) => createCallFollower(options, nothing), 'tools: any'],
  ['IncrementalArgParser', (options) => new IncrementalArgParser(options), ARG_PARSER],
  [
    'EventBuilder',
    (options) => new EventBuilder(options),
    `${ARG_PARSER}, onCall: function, onWarning: function`,
  ],
  [
    'TurnCoordinator',
    (options) => new TurnCoordinator(options),
    `${ARG_PARSER}, renderer: object, persist: function, progress: boolean, onWarning: function`,
  ],
  ['createPolicy', (options) => createPolicy(options), 'rules: any, otherwise: allow|ask|deny, tools: any'],
  ['createGuard', (options) => createGuard(options), GUARD],
  [
    'within',
    (options) => within('/home/app', options),
    'base: any, system: posix|windows, ignoreCase: boolean, decodePercent: boolean',
  ],
  [
    'createSegmentsView',
    (options) => createSegmentsView(nothing, options),
    'tools: any, start: immediate|deferred, metadataUpdates: boolean, stripMarkers: boolean, streamFiles: boolean',
  ],
  ['ParserConfig', (options) => new ParserConfig(options), CONFIG],
  ['ParserConfig.with', (options) => new ParserConfig().with(options), CONFIG],
  ['createStreamingParser', (options) => createStreamingParser(options), 'config: any, parserName: string'],
  ['StreamingResponseHandler', (options) => new StreamingResponseHandler(options), HANDLER],
  ['ParsingStreamingResponseHandler', (options) => new ParsingStreamingResponseHandler(options), HANDLER],
  [
    'PassThroughStreamingResponseHandler',
    (options) => new PassThroughStreamingResponseHandler(options),
    PASS_THROUGH,
  ],
  [
    'ApiToolCallStreamingResponseHandler',
    (options) => new ApiToolCallStreamingResponseHandler(options),
    `${PASS_THROUGH}, tools: any, config: any`,
  ],
  [
    'StreamingResponseHandlerFactory.create',
    (options) => StreamingResponseHandlerFactory.create(options),
    `parseToolCalls: boolean, parseReasoning: boolean, segmentIdPrefix: string, tools: list, ${CONFIG_END}, ` +
      `toolNames: list, provider: any, parserName: any, agentId: any, ${CALLBACKS}`,
  ],
  [
    'ToolInvocationAdapter',
    (options) => new ToolInvocationAdapter(options),
    'tools: any, invokeIncomplete: boolean, jsonToolParser: object',
  ],
  ['QueueStreamer', (options) => new QueueStreamer(options), 'capacity: number'],
  ['AgentEventStream', (options) => new AgentEventStream(options), 'agentId: string, buffer: number'],
  [
    'tag',
    (options) => tag('c', {}, options),
    'others: any, optional: list, isError: boolean, brackets: object',
    'option of a tag',
  ],
  ['header', (keys) => header(keys), 'name: list, arguments: string, others: list', 'key of a header'],
  [
    'elements',
    (options) => elements('c', options),
    'nameAttribute: string, wrapper: string, numbers: boolean, strings: boolean, trimmed: boolean, padded: boolean, prefix: string, once: boolean',
    'option of elements',
  ],
  [
    'object',
    (keys) => object(keys),
    'name: list, arguments: list, id: list, within: list, ignore: list, needsArguments: boolean',
    'key of an object',
  ],
  [
    'literalCall',
    (syntax) => literalCall('x', syntax),
    'open: string, close: string, separator: string, quote: string, quotesJson: boolean, end: string',
    'part of a literal call',
  ],
]

/** Those that reject options when the first value is read. */
const ITERABLES: readonly Row<AsyncIterable<unknown>>[] = [
  ['writeProvider', (options) => writeProvider([], openaiChatWriter, options), WRITER],
  ['speak', (options) => speak([], options), `${SPEECH}, pauseAfter: number, timer: function`],
  ['followCalls', (options) => followCalls([], options), 'tools: any'],
  // Its events go to the loop, whatever `emit` is.
  ['guardEvents', (options) => guardEvents([], options), GUARD.replace('emit: function', 'emit: any')],
  [
    'AgentEventStream.subscribe',
    (options) => new AgentEventStream().subscribe(options),
    'after: number, signal: object',
  ],
]

const DIALECT =
  'call: any, weakCall: any, looseCall: any, guessedCall: any, reasoning: any, weakReasoning: any, result: any, drop: any, weakDrop: any, emptyCall: any, ignore: any, prefilled: string, endOfTurn: list, tokens: list, weakCallInLines: boolean, ' +
  'callEndsReasoning: boolean, dropEndsReasoning: boolean, strayCloser: drop|show|text, untyped: string|json, ' +
  'ignoreCase: boolean, spacedTags: boolean, spacedCalls: boolean, textBetweenCalls: boolean, knownToolsOnly: boolean, reservedNames: list, neutralise: object, example: string, aliases: list'

// ── what is derived from a row ───────────────────────────────────────────────────────────────────

/** Options that are wrong in one way each, with the message: an unknown and a misspelt name, and every wrong type. */
function wrongOptions(options: string, what = 'option'): [options: object, message: string][] {
  const known = options.split(', ').map((option) => option.split(': ') as [name: string, kind: string])
  const names = known.map(([name]) => name).join(', ')
  return [
    [{ toString: 5 }, `There is no ${what} 'toString'; use one of ${names}.`],
    ...known.map(([name]): [object, string] => [
      { [name.slice(0, -1)]: 5 },
      `There is no ${what} '${name.slice(0, -1)}'; did you mean '${name}'?`,
    ]),
    ...known.flatMap(([name, kind]) =>
      VALUES.filter(([other]) => kind !== 'any' && other !== kind).map(
        ([, value, shown]): [object, string] => [
          { [name]: value },
          `'${name}' ${expected(kind)}, not ${shown}.`,
        ],
      ),
    ),
  ]
}

/** `is 'a', 'b' or 'c'` for words, `takes a list` for a type. */
function expected(kind: string): string {
  const words = kind.split('|').map((word) => `'${word}'`)
  if (words.length === 1) return `takes ${kind === 'object' ? 'an' : 'a'} ${kind}`
  return `is ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

const invalidOption = (message: string): unknown =>
  expect.objectContaining({ name: 'SluiceError', code: 'invalid-option', message })

describe('unknown options and options of the wrong type are rejected by', () => {
  it.each(FUNCTIONS)('%s', (_, call, options, what) => {
    for (const [wrong, message] of wrongOptions(options, what))
      expect(() => call(wrong as never), message).toThrow(invalidOption(message))
  })

  // `with` spreads what it is given over its own options.
  const strict = FUNCTIONS.filter(([name]) => name !== 'ParserConfig.with')
  it.each(strict)('%s, and so are options that are no object', (name, call) => {
    const parameter = name === 'object' ? 'keys' : name === 'createParser, emit' ? 'emit' : 'options'
    for (const [kind, value, shown] of VALUES)
      if (kind !== 'object')
        expect(() => call(value as never), shown).toThrow(
          invalidOption(`'${parameter}' takes an object, not ${shown}.`),
        )
  })

  it.each(ITERABLES)('%s, when the first value is read', async (_, call, options) => {
    for (const [wrong, message] of wrongOptions(options)) {
      const iterator = call(wrong as never)[Symbol.asyncIterator]()
      await expect(iterator.next(), message).rejects.toThrow(invalidOption(message))
    }
  })

  it('dialect, with its name', () => {
    for (const [wrong, problem] of wrongOptions(DIALECT)) {
      const message = problem.startsWith('There is no')
        ? problem.replace('There is', "The dialect 'mine' has")
        : `In the dialect 'mine': ${problem}`
      expect(() => dialect('mine', { call, ...wrong }), message).toThrow(
        expect.objectContaining({ code: 'invalid-dialect', message }),
      )
    }
  })
})

it('a view of blocks says that the options of a tool loop are none of its own', () => {
  const loop = {
    onToolCalls: async () => [],
    onPreToolContent: nothing,
    onUsage: nothing,
    maxToolDepth: 3,
    toolTimeoutMs: 5,
  }
  for (const [name, value] of Object.entries(loop))
    expect(() => createBlocksView({ onChunk: nothing, [name]: value })).toThrow(
      invalidOption(
        `'${name}' is for runTurn of 'sluice/turn', which sends requests and runs tools; a view of blocks only takes onChunk, onBlock, onContentBlockUpdate, whole, escapedResults.`,
      ),
    )
})

it('tools that are not there do not stand in the way of a response without calls', () => {
  expect(parse('<ls>x</ls>', { dialect: clineXml, tools: [] }).text).toBe('<ls>x</ls>')
  expect(parse('<ls>x</ls>', { dialect: clineXml, calls: false }).text).toBe('<ls>x</ls>')
})

it('a tool may have any field that is no schema', () => {
  const tools = [{ name: 'read', input: 'text', outputSchema: {}, args: {}, strict: true }]
  expect(createParser({ dialect: clineXml, tools }).end()).toHaveLength(1)
})

it('prepareCall rejects unknown options', async () => {
  await expect(prepareCall({} as never, {}, { alow: [] } as never)).rejects.toThrow(
    invalidOption("There is no option 'alow'; did you mean 'allow'?"),
  )
})

it.each<[taker: string, read: () => AsyncIterable<unknown>]>([
  ['Speech', () => speak(['Hello.'] as never)],
  ['followCalls', () => followCalls(['Hello.'] as never)],
  ['guardEvents', () => guardEvents(['Hello.'] as never, { policy })],
])('%s takes events, and no text', async (taker, read) => {
  await expect(read()[Symbol.asyncIterator]().next()).rejects.toThrow(
    expect.objectContaining({
      code: 'invalid-source',
      message: `${taker} takes events, not a string; create events from text with sluice() or createParser().`,
    }),
  )
})

// ── what a row cannot express ────────────────────────────────────────────────────────────────────

const DIALECT_WANTED =
  "'dialect' takes one dialect, such as hermes from 'sluice/dialects'; it says how calls are written."
const CONFIG_WANTED = "'config' takes a ParserConfig; make one with new ParserConfig({ … })."
const BRACKETS_WANTED =
  "'brackets' must have a list of opening brackets and a closing bracket; write { open: ['['], close: ']' }."
const JSON_LIMITS =
  'depth, keyLength, keysPerObject, numberLength, stringLength, bareLength, repairs, totalLength'
const notation = { name: 'x', read: () => ({}), write: () => '' }
/** What a caller without types could pass. */
const wrong = (value: unknown): never => value as never

describe('wrong use is rejected with a message of its own:', () => {
  it.each<[what: string, make: () => unknown, message: string]>([
    // Tools.
    ...[
      'schema',
      'jsonSchema',
      'input',
      'params',
      'InputSchema',
      'args_schema',
      'inputShema',
      'paramters',
    ].map((field): [string, () => unknown, string] => [
      `a schema that is called ${field}`,
      () => createParser({ tools: { read: { [field]: { type: 'object' } } } as never }),
      `The tool 'read' has no field '${field}'; did you mean 'inputSchema'?`,
    ]),
    [
      'a schema in place of a tool',
      () => createParser({ tools: { read: z.object({ path: z.string() }) } as never }),
      "The tool 'read' is a schema itself; write { inputSchema: … } around it.",
    ],
    [
      'a JSON Schema in place of a tool',
      () => createParser({ tools: { read: { type: 'object', properties: {} } } as never }),
      "The tool 'read' is a schema itself; write { inputSchema: … } around it.",
    ],
    ...[clineXml, morphXml, shorthand, yamlXml].map((one): [string, () => unknown, string] => [
      `${one.name} without tools`,
      () => createParser({ dialect: [hermes, one] }),
      `The dialect '${one.name}' finds calls by the names of the tools; pass 'tools', or an empty list if there are none.`,
    ]),
    [
      'a repair that is none',
      () => isExecutable({} as never, { allow: wrong(['guesses']) }),
      "'allow' is 'guess' or 'place-uncertain', not \"guesses\".",
    ],
    // A callback, or an option that must be given.
    [
      'createProviderParser without a sink',
      () => createProviderParser(wrong({ provider: ollama }), wrong(undefined)),
      "'sink' takes a function, not an object.",
    ],
    [
      'createTerminalView without write',
      () => createTerminalView(wrong({ colour: true })),
      "'write' takes a function, not undefined.",
    ],
    [
      'createSpeaker without a callback',
      () => createSpeaker(wrong({ unit: 'clause' })),
      "'say' takes a function, not an object.",
    ],
    [
      'createSegmentsView without a sink',
      () => createSegmentsView(wrong({ tools: [] })),
      "'sink' takes a function, not an object.",
    ],
    [
      'createProgressView without a callback',
      () => createProgressView(wrong({ emit: nothing })),
      "'emit' takes a function, not an object.",
    ],
    [
      'createTruncationView without a callback',
      () => createTruncationView(wrong(undefined)),
      "'report' takes a function, not undefined.",
    ],
    [
      'createOrderView without a callback',
      () => createOrderView([], wrong(null)),
      "'report' takes a function, not null.",
    ],
    [
      'createCallFollower without a callback',
      () => createCallFollower({}, wrong(undefined)),
      "'onCall' takes a function, not undefined.",
    ],
    [
      'TurnCoordinator without a renderer',
      () => new TurnCoordinator(wrong({ persist: nothing })),
      "'renderer' takes an object, not undefined.",
    ],
    [
      'createGuard without emit',
      () => createGuard(wrong({ policy })),
      "'emit' takes a function, not undefined.",
    ],
    [
      'createGuard without options',
      () => createGuard(wrong(undefined)),
      "'options' takes an object, not undefined.",
    ],
    [
      'createPolicy without options',
      () => createPolicy(wrong(undefined)),
      "'options' takes an object, not undefined.",
    ],
    [
      'RecordingWriter without write',
      () => new RecordingWriter(wrong(null), 'text'),
      "'write' takes a function, not null.",
    ],
    ['header without a name', () => header(wrong({ arguments: 'a' })), "'name' takes a list, not undefined."],
    [
      'header without arguments',
      () => header(wrong({ name: ['a'] })),
      "'arguments' takes a string, not undefined.",
    ],
    ['object without a name', () => object(wrong({})), "'name' takes a list, not undefined."],
    ['object without keys', () => object(wrong(undefined)), "'keys' takes an object, not undefined."],
    [
      'object without arguments',
      () => object(wrong({ name: ['a'] })),
      "'arguments' takes a list, not undefined.",
    ],
    ['elements without a tag', () => elements(wrong(undefined)), "'tag' takes a string, not undefined."],
    [
      'body without a notation',
      () => body('c', wrong(undefined)),
      "'notation' takes an object, not undefined.",
    ],
    [
      'body with a notation that cannot read',
      () => body('c', wrong({ ...notation, read: 'yaml' })),
      '\'read\' takes a function, not "yaml".',
    ],
    [
      'literalCall without a syntax',
      () => literalCall('x', wrong({})),
      "'open' of a literal call must be one character, not undefined.",
    ],

    // Values that have the right type and are wrong.
    ['render with the name of a dialect', () => render([], wrong({ dialect: 'hermes' })), DIALECT_WANTED],
    ['render with several dialects', () => render([], wrong({ dialect: [hermes] })), DIALECT_WANTED],
    [
      'render without options',
      () => render([], wrong(undefined)),
      "'options' takes an object, not undefined.",
    ],
    [
      'render of a string',
      () => render(wrong('hi'), { dialect: hermes }),
      '\'parts\' takes a list, not "hi".',
    ],
    [
      'render of a part of another type',
      () => render([wrong({ type: 'txt' })], { dialect: hermes }),
      'A part of a message is text, reasoning, call, result or custom, not "txt".',
    ],
    [
      'render of null',
      () => render([wrong(null)], { dialect: hermes }),
      'A part of a message is text, reasoning, call, result or custom, not undefined.',
    ],
    [
      'render of a result that is no string',
      () => render([{ type: 'text', text: '' }, wrong({ type: 'result', content: 5 })], { dialect: hermes }),
      "'content' of part 2 is a string, not 5.",
    ],
    [
      'createSegmentsView with tools by name',
      () => createSegmentsView(nothing, wrong({ tools: { ls: {} } })),
      "'tools' takes a list, not an object.",
    ],
    [
      'StreamingParser with plain options',
      () => new StreamingParser(wrong({ strategyOrder: ['json_tool'] })),
      CONFIG_WANTED,
    ],
    ['parseCompleteResponse with plain options', () => parseCompleteResponse('', wrong({})), CONFIG_WANTED],
    [
      'StreamingResponseHandler with plain options',
      () => new StreamingResponseHandler({ config: wrong({ strategyOrder: ['json_tool'] }) }),
      CONFIG_WANTED,
    ],
    [
      'literalCall with a separator of two characters',
      () => literalCall('x', { open: '(', close: ')', separator: '=>' }),
      '\'separator\' of a literal call must be one character, not "=>".',
    ],
    [
      'literalCall with brackets of two characters',
      () => literalCall('x', { open: '<<', close: '>>', separator: '=' }),
      '\'open\' of a literal call must be one character, not "<<".',
    ],
    [
      'tag with another use of attributes',
      () => tag('c', {}, wrong({ others: 'ignore' })),
      "'others' must be 'arguments' or 'none', not \"ignore\".",
    ],
    [
      'tag with brackets that do not open',
      () => tag('c', {}, { brackets: wrong({ open: [], close: ']' }) }),
      BRACKETS_WANTED,
    ],
    [
      'tag with brackets that do not close',
      () => tag('c', {}, { brackets: { open: ['['], close: '' } }),
      BRACKETS_WANTED,
    ],
    [
      'tag with one spelling instead of a list',
      () => tag('c', {}, { brackets: wrong({ open: '[', close: ']' }) }),
      '\'open\' takes a list, not "[".',
    ],
    [
      'jsonMix without a closer',
      () => jsonMix({ close: '' }),
      '\'close\' takes the text of a marker, not "".',
    ],
    [
      'jsonMix with an opener that is no text',
      () => jsonMix(wrong({ open: 1 })),
      "'open' takes the text of a marker, not 1.",
    ],

    // Limits.
    [
      'an unknown limit',
      () => new EventBuilder(wrong({ limits: { cal: 10 } })),
      "There is no limit 'cal'; did you mean 'call'?",
    ],
    ...[
      (options: object) => createJsonParser(options),
      (options: object) => safeParseJson('{}', options),
      (options: object) => watchObject('{}', undefined, options),
    ].flatMap((read): [string, () => unknown, string][] => [
      [
        'an unknown limit of JSON',
        () => read({ limits: { deep: 5 } }),
        `There is no limit 'deep'; use one of ${JSON_LIMITS}.`,
      ],
      [
        'a limit of JSON that is no number',
        () => read({ limits: { depth: '5' } }),
        "The limit 'depth' must be a number of at least 0, not 5.",
      ],
    ]),
  ])('%s', (_, make, message) => {
    expect(make).toThrow(invalidOption(message))
  })
})

describe('the check itself', () => {
  it('ignores options that are undefined', () => {
    expect(() => checkOptions({ loop: undefined }, { loop: 'boolean' })).not.toThrow()
    expect(createJsonParser(wrong({ mode: undefined, limits: { depth: undefined } })).push('[')).toHaveLength(
      1,
    )
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
