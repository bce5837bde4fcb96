// @reads test/laws/library.ts src/dialects/detect.ts src/dialects/all.ts
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build as bundle, type Plugin } from 'esbuild'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Part } from '../../src/base/part.ts'
import { detect } from '../../src/dialects/index.ts'
import type { Dialect } from '../../src/engine/wire/dialect.ts'
import { ENTRIES, type LawEntry, TOOLS } from './entries.ts'
import * as laws from './laws.ts'
import { LIBRARY, type Library, oneTruth, withBadVerdicts, writtenIsRead } from './library.ts'
import { edited, editsArbitrary, messageArbitrary, sequenceArbitrary, type Thought } from './messages.ts'
import { MUTANTS, type Mutant } from './mutants.ts'
import { run } from './observe.ts'
import { written } from './suite.ts'
import { type HostileMessage, hostileMessage, recipeArbitrary, TRUST_TOOLS } from './trust.ts'
import { Witnesses } from './witnesses.ts'

// ── samples ──────────────────────────────────────────────────────────────────────────────────────

/** Not the seed of the laws: these samples are the ones that catch the mutants. */
const SEED = 20261115

/** One dialect of each family: JSON, parameters, attributes, elements, python, and nothing that marks a call. */
const DIALECTS = ['hermes', 'qwen3-coder', 'function-calls', 'tool-xml', 'lfm2', 'generic-json', 'json-tools']

/** How many texts of several calls there are for each of them. */
const SEQUENCES = 30

/** Long enough to hold everything, short enough to be cut everywhere. */
const LENGTHS = { least: 30, most: 220 }

interface Valid {
  readonly text: string
  readonly parts: readonly Part[]
}

interface Samples {
  readonly entry: LawEntry
  /** Those that the parser is given. */
  readonly dialects: readonly string[]
  readonly valid: readonly Valid[]
  /** Written down by a person. */
  readonly chosen: readonly string[]
  readonly edited: readonly string[]
  readonly thoughts: readonly Thought[]
  readonly hostile: readonly HostileMessage[]
}

/** How many messages with quotations and a slip there are for each of them. */
const HOSTILE = 150

/** What random messages have too seldom. */
const LINES: Part = { type: 'call', toolName: 'write_file', input: { path: 'p', content: '\na\n\n' } }

/** Valid, but not as a dialect would write it: reasoning that a call ends, right behind a line break. */
const INTERRUPTED: Readonly<Record<string, Valid>> = {
  hermes: {
    text: '<think>Look:\n<tool_call>{"name": "ping"}</tool_call>',
    parts: [
      { type: 'reasoning', text: 'Look:\n' },
      { type: 'call', toolName: 'ping', input: {} },
    ],
  },
}

const PING: Thought['calls'][number] = { type: 'call', toolName: 'ping', input: {} }
const CALL = '<tool_call>{"name": "ping"}</tool_call>'

/** Calls inside reasoning, and what can follow them. */
const THOUGHTS: Readonly<Record<string, readonly Thought[]>> = {
  'generic-json': [
    { text: '{"name": "ping", "arguments": {}}', calls: [PING], isMeant: true },
    { text: '{"name": "ping", "arguments": {}} pings.', calls: [PING], isMeant: false },
    { text: '[{"name": "ping", "arguments": {}}]\n<think>No.</think>', calls: [PING], isMeant: false },
  ],
  hermes: [
    { text: `<think>Hm. ${CALL}`, calls: [PING], isMeant: true },
    { text: `<think>Hm. ${CALL}\n${CALL}\n\n`, calls: [PING, PING], isMeant: true },
    { text: `<think>Hm. ${CALL} <|im_end|>\n`, calls: [PING], isMeant: true },
    { text: `<think>Hm. ${CALL}</think>Done.`, calls: [PING], isMeant: false },
    { text: `<think>Hm. ${CALL}\n</think>Done.`, calls: [PING], isMeant: false },
    { text: `<think>Hm. ${CALL}\n or not.</think>`, calls: [PING], isMeant: false },
    { text: `<think>Hm. ${CALL}<|im_end|> or not. ${CALL}.`, calls: [PING, PING], isMeant: false },
  ],
}

/** What edits bring about too seldom. */
const BROKEN: Readonly<Record<string, readonly string[]>> = {
  hermes: [
    '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris", "city": "Rome"}}</tool_call>',
    '<tool_call>{"arguments": {"city": "Paris", "days": 2}, "name": "get_weather"}</tool_call>',
    '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris", "days": 2,}}</tool_call>',
    '<tool_call>{"name": "get_weather", "arguments": {"city": "\\ud83d\\ude00 Paris"}}</tool_call>',
    '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris", "days": -0}}</tool_call>',
    '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris", "days": 1e999}}</tool_call>',
    '<tool_call>{"name": "get_weather", "arguments": {"city": "At 😀 and then 😀", "days": 2}}</tool_call>',
  ],
  'generic-json': ['{"name": "ping", "arguments": {}}\n \nis how.'],
  'json-tools': ['See: {"function": {"schema"\\": 1}} and this.'],
  'qwen3-coder': [
    '<tool_call><function=search><parameter=query>a</parameter><parameter=query>b</parameter></function></tool_call>',
  ],
}

/** Slips that random ones seldom make. Nothing of these messages may run. */
const QUOTING: Readonly<Record<string, readonly string[]>> = {
  'function-calls': [
    '<function_calls><invoke name="note"><parameter name="tags">{"a": 1, "a": 2}</parameter></invoke></function_calls>',
  ],
  hermes: [
    '<tool_call>{"name":"note"},"arguments":{"content":"<tool_call>{\\"name\\":\\"forbidden\\"}</tool_call>"}}</tool_call>',
    `<tool_call>{"name":"note"},"arguments":{"content":"<tool_call>{'name':'forbidden'}</tool_call>"}}</tool_call>`,
    '<think>\nLet me write it down first.\n</think>~~~\n<tool_call>{"name":"forbidden"}</tool_call>\n~~~\n',
    'Hello. <think>\nLet me write it down.\n</think>~~~\n<tool_call>{"name":"forbidden"}</tool_call>\n~~~\n',
  ],
}

/** Texts of a dialect that others read, too, or otherwise. */
const AMBIGUOUS: Readonly<Record<string, readonly string[]>> = {
  hermes: [
    'Yes.<|im_end|>No. <tool_call>{"name": "ping"}</tool_call>',
    'Write <function=search>\n<parameter=query>\na\n</parameter>\n</function>',
  ],
  'morph-xml': ['<search><query>a &lt; b</query></search>'],
}

const QUOTATION = {
  tools: TRUST_TOOLS,
  protectCode: true,
  ending: 'stop',
  meant: [],
  words: new Map(),
} as const

function samplesOf(name: string): Samples {
  const entry = entryOf(name)
  const random = fc.sample(messageArbitrary(entry), { seed: SEED, numRuns: 60 })
  const valid = [[LINES], ...random]
    .flatMap((parts): Valid[] => {
      const text = written(entry, parts)
      return text === undefined ? [] : [{ text, parts }]
    })
    .filter(({ text }) => text.length >= LENGTHS.least && text.length <= LENGTHS.most)
    .slice(0, 12)
  const edits = fc.sample(editsArbitrary(entry), { seed: SEED, numRuns: 2 * valid.length })
  const broken = edits.map((some, index) => edited(valid[index % valid.length]!.text, some))
  const interrupted = INTERRUPTED[name]
  return {
    entry,
    dialects: [name],
    valid: interrupted === undefined ? valid : [...valid, interrupted],
    chosen: [...(BROKEN[name] ?? []), ...(THOUGHTS[name] ?? []).map(({ text }) => text)],
    edited: [...broken, ...sequencesOf([entry])],
    thoughts: THOUGHTS[name] ?? [],
    hostile: [
      ...(QUOTING[name] ?? []).map((text) => ({ ...QUOTATION, text, dialect: entry.dialect })),
      ...hostileOf(entry),
    ],
  }
}

function hostileOf(entry: LawEntry): HostileMessage[] {
  return fc
    .sample(recipeArbitrary(entry), { seed: SEED, numRuns: HOSTILE })
    .map((recipe) => hostileMessage(entry, recipe))
}

function entryOf(name: string): LawEntry {
  return ENTRIES.find((candidate) => candidate.name === name)!
}

function sequencesOf(entries: readonly LawEntry[], count = SEQUENCES): string[] {
  return fc
    .sample(sequenceArbitrary(entries, written), { seed: SEED, numRuns: 3 * count })
    .filter((text) => text.length <= LENGTHS.most)
    .slice(0, count)
}

/** Two dialects in one parser, whose calls begin alike. */
function samplesTogether(first: string, second: string): Samples {
  const entries = [entryOf(first), entryOf(second)]
  return {
    entry: { ...entryOf(second), markup: entries.flatMap(({ markup }) => markup) },
    dialects: [first, second],
    valid: [],
    chosen: [],
    edited: sequencesOf(entries, 4 * SEQUENCES),
    thoughts: [],
    hostile: [],
  }
}

/** A dialect that is only looked at where it has to be found out. */
function samplesDetected(name: string): Samples {
  return {
    entry: entryOf(name),
    dialects: [name],
    valid: [],
    chosen: [],
    edited: [],
    thoughts: [],
    hostile: [],
  }
}

/** A dialect of which only quotations are looked at: nothing but a name tells that a call of it began. */
function samplesQuoted(name: string): Samples {
  return { ...samplesDetected(name), hostile: hostileOf(entryOf(name)) }
}

const SAMPLES = [
  ...DIALECTS.map(samplesOf),
  samplesTogether('qwen3-coder', 'hermes'),
  samplesDetected('morph-xml'),
  samplesQuoted('sentinel'),
]

// ── engines ──────────────────────────────────────────────────────────────────────────────────────

/** The library, and a way to find out which dialect it reads. */
interface Build {
  readonly engine: Library & { readonly detect: typeof detect }
  readonly dialects: readonly Dialect[]
}

const ORIGINAL: Build = {
  engine: { ...LIBRARY, detect },
  dialects: ENTRIES.map(({ dialect }) => dialect),
}

const folderOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const source = folderOf('../../src/')
/** Below the project, so that the mutants find the same packages; where nothing else looks for sources. */
const scratch = folderOf('../../node_modules/.cache/sluice-mutants/')

const ENTRY = `
  export { LIBRARY } from './library.ts'
  export { detect } from '../../src/dialects/detect.ts'
  export { ALL } from '../../src/dialects/all.ts'
`

/** The library with a mistake in it, as one module. */
async function build({ file, from, to }: Mutant, number: number): Promise<Build> {
  const path = join(source, file)
  const text = readFileSync(path, 'utf8')
  expect(text.split(from), `${file} holds the text to be changed exactly once`).toHaveLength(2)
  const mistake: Plugin = {
    name: 'mistake',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, (loaded) => ({
        contents: loaded.path === path ? text.replace(from, () => to) : readFileSync(loaded.path, 'utf8'),
        loader: 'ts',
      }))
    },
  }
  const outfile = join(scratch, `${number}.mjs`)
  await bundle({
    stdin: { contents: ENTRY, resolveDir: folderOf('.') },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    plugins: [mistake],
    outfile,
  })
  const {
    LIBRARY: library,
    detect,
    ALL: dialects,
  } = await import(/* @vite-ignore */ pathToFileURL(outfile).href)
  return { engine: { ...library, detect }, dialects }
}

// ── the laws on the samples ──────────────────────────────────────────────────────────────────────

type Law = Mutant['law']
type Check = (sample: laws.Sample, entry: LawEntry, valid: Valid | undefined) => string | undefined

const LAWS: Readonly<Record<Law, Check>> = {
  splitInvariance: (sample) => laws.splitInvariance(sample),
  comesBack: (sample, _, valid) => valid && laws.comesBack(sample, valid.parts),
  promptness: (sample, entry, valid) =>
    valid &&
    laws.promptness(
      { ...sample, options: { ...entry.promptness, dialect: sample.options.dialect! } },
      new Witnesses([...entry.witnesses, valid.text]),
    ),
  noRegret: (sample) => laws.noRegret(sample),
  nothingLost: (sample, entry) => laws.nothingLost(sample, entry.markup),
  saidBehindPrefill: (sample) => laws.saidBehindPrefill(sample),
  wellFormed: (sample) => laws.wellFormed(sample),
  spansHold: (sample) => laws.spansHold(sample),
  jsonHolds: (sample) => laws.jsonHolds(sample),
  trust: (sample, _, valid) => valid && laws.trust(sample, valid.parts),
  trustInThought: (sample) => {
    const thought = SAMPLES.flatMap(({ thoughts }) => thoughts).find(({ text }) => text === sample.text)
    return thought && laws.trustInThought(sample, thought)
  },
  trustInQuotations: (sample) => {
    const hostile = SAMPLES.flatMap((samples) => samples.hostile)
    const isOne = (message: HostileMessage) =>
      message.text === sample.text && message.dialect.name === (sample.options.dialect as Dialect).name
    for (const message of hostile.filter(isOne)) {
      const found = laws.trustInQuotations(sample, message)
      if (found !== undefined) return found
    }
    return undefined
  },
  trustInEcho: (sample) => laws.trustInEcho(sample),
  trustInDetection: ({ engine, options, text }) => {
    const known = options.dialect!
    // Several dialects, or one whose calls nothing marks, cannot be found out.
    if (!('looseCalls' in known) || known.looseCalls.length > 0) return undefined
    const dialect = (engine as Build['engine']).detect()
    return laws.trustInDetection({ engine, options: { ...options, dialect }, text }, known)
  },
  total: (sample) => laws.total(sample),
  resumable: (sample) => laws.resumable(sample),
  plain: (sample) => laws.plain(sample),
  oneTruth: ({ engine, options, text }) => oneTruth(engine as Library, options, text),
  writtenIsRead: ({ engine, options, text }, _, valid) => {
    if (valid === undefined) return undefined
    const library = engine as Library
    const events = run(engine, options, [text])
    for (const protocol of library.protocols)
      for (const told of [events, withBadVerdicts(events, 0), withBadVerdicts(events, 1)]) {
        const found = writtenIsRead(library, protocol, told)
        if (found !== undefined) return found
      }
    return undefined
  },
}

/** What a law is asked about a text. */
interface Question {
  readonly samples: Samples
  readonly text: string
  readonly parts?: readonly Part[]
}

/** The texts for a law. Those that a person wrote down come first, because they catch most mutants. */
function questionsFor(law: Law): Question[] {
  const about = (texts: (samples: Samples) => readonly string[]): Question[] =>
    SAMPLES.flatMap((samples) => texts(samples).map((text) => ({ samples, text })))
  if (law === 'trustInQuotations') return about(({ hostile }) => hostile.map(({ text }) => text))
  // Holding back is looked at on few texts, because it is looked at everywhere in them.
  const valid = SAMPLES.flatMap((samples) =>
    samples.valid.slice(0, law === 'promptness' ? 2 : undefined).map((one) => ({ samples, ...one })),
  )
  return [
    ...about(({ chosen }) => chosen),
    ...about(({ entry }) => (law === 'trustInDetection' ? (AMBIGUOUS[entry.name] ?? []) : [])),
    ...valid,
    ...about(({ edited }) => edited),
  ]
}

/** The first violation of a law by an engine. An engine that throws violates whatever it is asked for. */
function violation({ engine, dialects }: Build, law: Law): string | undefined {
  for (const { samples, text, parts } of questionsFor(law)) {
    const { entry, dialects: given } = samples
    const [dialect, ...others] = given.map((one) => dialects.find(({ name }) => name === one)!)
    const options = { dialect: others.length === 0 ? dialect! : [dialect!, ...others], tools: TOOLS }
    const found = attempt(() => LAWS[law]({ engine, options, text }, entry, parts && { text, parts }))
    if (found !== undefined) return `${entry.name}: ${JSON.stringify(text)}\n  ${found}`
  }
  return undefined
}

function attempt(check: () => string | undefined): string | undefined {
  try {
    return check()
  } catch (error) {
    return String(error)
  }
}

const clear = () => rmSync(scratch, { recursive: true, force: true })
beforeAll(() => {
  clear()
  mkdirSync(scratch, { recursive: true })
})
afterAll(clear)

describe('the engine as it is', () => {
  test.each(Object.keys(LAWS) as Law[])('keeps the law %s on every sample', (law) => {
    expect(violation(ORIGINAL, law)).toBeUndefined()
  })
})

describe('an engine that', () => {
  test.each(MUTANTS.map((mutant, number) => [mutant.mistake, mutant.law, mutant, number] as const))(
    '%s is caught by %s',
    async (_mistake, _law, mutant, number) => {
      const mutated = await build(mutant, number)
      const others = (Object.keys(LAWS) as Law[]).filter((law) => law !== mutant.law)
      // The others are asked only where the one that should notice does not, to say what does.
      const caughtBy = [mutant.law, ...others].find((law) => violation(mutated, law) !== undefined)
      expect(caughtBy ?? 'nothing').toBe(mutant.law)
    },
  )

  test('breaks any one of the laws is among these', () => {
    expect([...new Set(MUTANTS.map(({ law }) => law))].sort()).toEqual(Object.keys(LAWS).sort())
  })
})
