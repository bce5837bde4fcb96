import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../src/base/event.ts'
import { JsonBuilder } from '../../../src/values/json/builder.ts'
import { createJsonParser, type JsonEvent, type JsonParserOptions } from '../../../src/values/json/index.ts'
import { createScanner, type JsonScanner, type ScannerOptions } from '../../../src/values/json/scanner.ts'
import { stringify } from '../../../src/values/numbers/stringify.ts'
import { runs, SEED } from '../../effort.ts'
import { Recorder, scan } from './recorder.ts'
import { twinOf } from './saved-scanner.ts'
import { anyText, cutAt, edited, noise, openString, sizes, text, value } from './texts.ts'

const modes = fc.constantFrom<JsonParserOptions>(
  { mode: 'strict' },
  { mode: 'tolerant' },
  { mode: 'tolerant', stringClose: 'delimiter' },
  { mode: 'strict', stringClose: 'delimiter' },
  { mode: 'tolerant', unwrapStringified: true, duplicateKeys: 'first' },
  { mode: 'tolerant', nonFinite: 'null' },
  {
    mode: 'tolerant',
    limits: { depth: 2, keyLength: 3, numberLength: 3, stringLength: 5, bareLength: 5, repairs: 2 },
  },
)
/** Every combination of options. */
const anyOptions = fc.record(
  {
    mode: fc.constantFrom('strict' as const, 'tolerant' as const),
    stringClose: fc.constantFrom('quote' as const, 'delimiter' as const),
    duplicateKeys: fc.constantFrom('last' as const, 'first' as const, 'error' as const),
    nonFinite: fc.constantFrom('string' as const, 'null' as const, 'number' as const, 'error' as const),
    unwrapStringified: fc.boolean(),
    limits: fc.constantFrom({}, { totalLength: 9 }, { stringLength: 5, keyLength: 3, repairs: 2 }),
  },
  { requiredKeys: [] },
)
const scannerModes = fc.constantFrom<ScannerOptions>(
  {},
  { tolerant: true },
  { tolerant: true, stringClose: 'delimiter' },
  { tolerant: true, nonFinite: 'null' },
  { tolerant: true, limits: { repairs: 1, bareLength: 6, numberLength: 3 } },
  { tolerant: true, limits: { repairs: 2, stringLength: 3, keyLength: 2 } },
)

function law(name: string, full: number, property: fc.IRawProperty<unknown>): void {
  test(name, () => fc.assert(property as fc.IProperty<unknown>, { seed: SEED, numRuns: runs(full) }))
}

function read(chunks: readonly string[], options: JsonParserOptions): JsonEvent[] {
  const parser = createJsonParser(options)
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]
}

/** Everything an event says, with adjacent deltas of one path as one. */
function said(events: readonly JsonEvent[]): string[] {
  const lines: JsonEvent[] = []
  for (const event of events) {
    const last = lines[lines.length - 1]
    if (event.type === 'delta' && last?.type === 'delta' && last.path === event.path) {
      lines[lines.length - 1] = { ...last, text: last.text + event.text }
    } else {
      lines.push(event)
    }
  }
  return lines.map((event) => JSON.stringify(event, (name, it) => (name === 'value' ? exactly(it) : it)))
}

function exactly(it: JsonValue | undefined): string {
  return it === undefined ? 'nothing' : stringify(it)
}

function parsed(json: string): { value: JsonValue } | null {
  try {
    return { value: JSON.parse(json) as JsonValue }
  } catch {
    return null
  }
}

/** Whether `early` can have become `late`: strings grow at their ends, the rest only gains. */
function isPrefix(early: JsonValue | undefined, late: JsonValue | undefined): boolean {
  if (early === undefined) return true
  if (typeof early === 'string') return typeof late === 'string' && late.startsWith(early)
  if (typeof early !== 'object' || early === null) return Object.is(early, late)
  if (typeof late !== 'object' || late === null || Array.isArray(early) !== Array.isArray(late)) return false
  const whole = late as Record<string, JsonValue>
  return Object.entries(early).every(([name, it]) => Object.hasOwn(whole, name) && isPrefix(it, whole[name]))
}

describe(`The laws of JSON (seed ${SEED})`, () => {
  law(
    'however the text is cut, the events are the same',
    2000,
    fc.property(anyText, fc.oneof(modes, anyOptions), sizes, (json, options, cuts) => {
      const whole = said(read([json], options))
      expect(said(read(cutAt(json, cuts), options))).toEqual(whole)
      expect(said(read(json.split(''), options))).toEqual(whole)
    }),
  )

  law(
    'wherever a string with quotes, escapes and halves of pairs is cut in two, the events are the same',
    2000,
    fc.property(openString, anyOptions, (json, options) => {
      const whole = said(read([json], options))
      for (let at = 1; at < json.length; at++)
        expect(said(read([json.slice(0, at), json.slice(at)], options))).toEqual(whole)
    }),
  )

  law(
    'every snapshot is a beginning of the final value',
    1000,
    fc.property(anyText, modes, (json, options) => {
      const snapshots: string[] = []
      const parser = createJsonParser({ ...options, duplicateKeys: 'first' })
      for (const character of json) {
        parser.push(character)
        if (parser.value !== undefined) snapshots.push(stringify(parser.value))
      }
      parser.end()
      for (const snapshot of snapshots) expect(isPrefix(JSON.parse(snapshot), parser.value)).toBe(true)
    }),
  )

  law(
    'strict reading accepts what JSON.parse accepts, and finds the same value',
    2000,
    fc.property(fc.oneof(text, edited), (json) => {
      const expected = parsed(json)
      const parser = createJsonParser({ mode: 'strict' })
      parser.push(json)
      parser.end()
      if (expected === null) expect(['invalid', 'truncated', 'empty']).toContain(parser.status)
      else expect([parser.status, exactly(parser.value)]).toEqual(['complete', exactly(expected.value)])
    }),
  )

  law(
    'tolerant reading repairs nothing in valid JSON, and calls nothing else complete',
    2000,
    fc.property(fc.oneof(text, edited), (json) => {
      const expected = parsed(json)
      const parser = createJsonParser({ mode: 'tolerant' })
      parser.push(json)
      parser.end()
      expect(parser.status === 'complete').toBe(expected !== null)
      if (expected !== null) expect(exactly(parser.value)).toBe(exactly(expected.value))
    }),
  )

  law(
    'what was written is what is read, for any value',
    1000,
    fc.property(value, sizes, (any, cuts) => {
      const parser = createJsonParser({ mode: 'strict' })
      for (const chunk of cutAt(stringify(any as JsonValue), cuts)) parser.push(chunk)
      parser.end()
      expect(exactly(parser.value)).toBe(exactly(any as JsonValue))
    }),
  )

  law(
    'pushing never throws, and the verdict comes last and once',
    2000,
    fc.property(fc.oneof(noise, fc.string({ unit: 'binary' })), modes, sizes, (any, options, cuts) => {
      const events = read(cutAt(any, cuts), options)
      expect(events.filter((event) => event.type === 'end')).toHaveLength(1)
      expect(events[events.length - 1]?.type).toBe('end')
    }),
  )

  law(
    'deltas add up to the string they are of, and none is empty or half a character',
    2000,
    fc.property(anyText, modes, sizes, (json, options, cuts) => {
      const grown = new Map<unknown, string>()
      for (const event of read(cutAt(json, cuts), options)) {
        if (event.type === 'delta') {
          expect(event.text).not.toBe('')
          const before = grown.get(event.path) ?? ''
          expect(event.offset).toBe(before.length)
          grown.set(event.path, before + event.text)
          const isHalf = /^[\udc00-\udfff]|[\ud800-\udbff]$/.test(event.text)
          if (isHalf) expect(/[\ud800-\udfff]|\\u[dD]/.test(json)).toBe(true)
        } else if ((event.type === 'value' || event.type === 'partial') && typeof event.value === 'string') {
          expect(grown.get(event.path) ?? '').toBe(event.value)
        }
      }
    }),
  )

  law(
    'no delta cuts a pair in two when the text holds whole pairs only',
    500,
    fc.property(
      fc.array(fc.constantFrom('😀', 'a', '\n', '👩‍🚀'), { maxLength: 8 }),
      fc.boolean(),
      sizes,
      (all, raw, cuts) => {
        const plain = JSON.stringify(all.join(''))
        const json = raw
          ? plain
          : plain.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`)
        for (const event of read(cutAt(json, cuts), { mode: 'strict' })) {
          if (event.type === 'delta') expect(/\p{Surrogate}/u.test(event.text)).toBe(false)
        }
      },
    ),
  )
})

describe(`The laws of errors (seed ${SEED})`, () => {
  /** One of these, and closers, completes any beginning of a JSON text. */
  const endings = [
    '',
    '0',
    '"',
    '":0',
    ':0',
    '"":0',
    'n"',
    'n":0',
    ...['u0000', '0000', '000', '00', '0'].flatMap((it) => [`${it}"`, `${it}":0`]),
  ]
  const words = ['rue', 'ue', 'e', 'alse', 'lse', 'se', 'ull', 'll', 'l']

  function canBeCompleted(prefix: string): boolean {
    const open: string[] = []
    let inString = false
    for (let i = 0; i < prefix.length; i++) {
      const c = prefix[i]!
      if (inString && c === '\\') i++
      else if (c === '"') inString = !inString
      else if (!inString && (c === '{' || c === '[')) open.push(c === '{' ? '}' : ']')
      else if (!inString && (c === '}' || c === ']')) open.pop()
    }
    const closers = open.reverse().join('')
    return [...endings, ...words].some((ending) => parsed(prefix + ending + closers) !== null)
  }

  law(
    'an error is at the first character that makes the text impossible',
    2000,
    fc.property(fc.oneof(edited, noise), (json) => {
      const error = read([json], { mode: 'strict' }).find((event) => event.type === 'error')
      const offset = error?.type === 'error' ? error.offset : json.length
      expect(canBeCompleted(json.slice(0, offset))).toBe(true)
      if (error !== undefined) expect(canBeCompleted(json.slice(0, offset + 1))).toBe(false)
    }),
  )
})

describe(`The laws of canonical text (seed ${SEED})`, () => {
  law(
    'it can be completed at any moment, and then says a beginning of the final value',
    700,
    fc.property(anyText, scannerModes, (json, options) => {
      const scanner = createScanner(options)
      scanner.startCopy()
      const recorder = new Recorder()
      const builder = new JsonBuilder()
      const completed: string[] = []
      const values = createScanner(options)
      for (const character of json.split('')) {
        scanner.read(character, 0, 1, recorder)
        values.read(character, 0, 1, builder)
        if (recorder.canonical !== '') completed.push(recorder.canonical + scanner.completion())
      }
      scanner.end(recorder)
      values.end(builder)
      const repeats = recorder.told.some(([name]) => name === 'duplicate')
      for (const early of completed) {
        const beginning = JSON.parse(early) as JsonValue
        if (!repeats) expect(isPrefix(beginning, builder.value)).toBe(true)
      }
      if (scanner.status === 'done')
        expect(exactly(JSON.parse(recorder.canonical))).toBe(exactly(builder.value))
    }),
  )

  law(
    'valid JSON is copied as it is, without the space around it',
    1000,
    fc.property(text, fc.boolean(), sizes, (json, tolerant, cuts) => {
      expect(scan(cutAt(json, cuts), { tolerant }).canonical).toBe(json.trim())
    }),
  )

  law(
    'it does not depend on how the text is cut, nor on whether anyone decodes',
    2000,
    fc.property(anyText, scannerModes, sizes, (json, options, cuts) => {
      const whole = scan([json], options)
      expect(scan(cutAt(json, cuts), options)).toEqual(whole)
      const quiet = createScanner(options)
      quiet.startCopy()
      quiet.decoding = false
      const recorder = new Recorder()
      for (const chunk of cutAt(json, cuts)) quiet.read(chunk, 0, chunk.length, recorder)
      quiet.end(recorder)
      expect(recorder.canonical).toBe(whole.canonical)
      expect(recorder.told).toEqual(whole.told.filter(([name]) => name !== 'delta'))
    }),
  )

  law(
    'a handler that stops the scanner stops it at the same character',
    2000,
    fc.property(anyText, scannerModes, (json, options) => {
      for (let after = 0; after < 6; after++) {
        const whole = stopped([json], options, after)
        expect(stopped(json.split(''), options, after)).toEqual(whole)
        if (whole.status !== 'failed') break
      }
    }),
  )

  law(
    'each value can be copied alone',
    1000,
    fc.property(anyText, scannerModes, sizes, (json, options, cuts) => {
      const copier = new Copier(options)
      for (const chunk of cutAt(json, cuts)) copier.scanner.read(chunk, 0, chunk.length, copier)
      copier.scanner.end(copier)
      expect(copier.copies.map((copy) => exactly(JSON.parse(copy)))).toEqual(copier.values.map(exactly))
    }),
  )
})

/** How far the chunks are read, and what is told of them, if the handler has had enough after some keys and values. */
function stopped(chunks: readonly string[], options: ScannerOptions, after: number) {
  const scanner = createScanner(options)
  const handler = new Stopper(scanner, after)
  let taken = 0
  for (const chunk of chunks) {
    if (scanner.status !== 'open') break
    const end = scanner.read(chunk, 0, chunk.length, handler)
    expect(end).toBeGreaterThanOrEqual(0) // what was in an earlier chunk cannot be given back
    taken += end
  }
  return { taken, told: handler.told, status: scanner.status }
}

/** Stops the scanner. */
class Stopper extends Recorder {
  private readonly scanner: JsonScanner
  private left: number

  constructor(scanner: JsonScanner, after: number) {
    super()
    this.scanner = scanner
    this.left = after
  }

  override key(key: string): void {
    super.key(key)
    this.count()
  }

  override closeString(): void {
    super.closeString()
    this.count()
  }

  override scalar(value: number | boolean | null, raw: string): void {
    super.scalar(value, raw)
    this.count()
  }

  private count(): void {
    if (this.left-- === 0) this.scanner.stop()
  }
}

/** Copies every value that stands directly in the root, one at a time. */
class Copier extends JsonBuilder {
  readonly scanner: JsonScanner
  readonly copies: string[] = []
  readonly values: JsonValue[] = []
  private copy = ''

  constructor(options: ScannerOptions) {
    super()
    this.listener = {
      start: (path) => {
        if (path.depth !== 1) return
        this.copy = ''
        this.scanner.startCopy()
      },
      delta: () => {},
      end: (path, it) => {
        if (path.depth !== 1) return
        this.scanner.stopCopy()
        this.copies.push(this.copy)
        this.values.push(JSON.parse(stringify(it)))
      },
    }
    this.scanner = createScanner(options)
  }

  override text(piece: string): void {
    this.copy += piece
  }
}

describe(`The laws of saving (seed ${SEED})`, () => {
  law(
    'a scanner and a builder that were saved anywhere go on as if nothing had happened',
    100,
    fc.property(anyText, scannerModes, fc.boolean(), (json, options, copying) => {
      const whole = resumed(json, json.length, options, copying)
      for (let at = 0; at < json.length; at++) expect(resumed(json, at, options, copying)).toEqual(whole)
    }),
  )

  function resumed(json: string, at: number, options: ScannerOptions, copying: boolean) {
    const recorder = new Recorder()
    let builder = new JsonBuilder()
    let scanner = createScanner(options)
    if (copying) scanner.startCopy()
    const step = (character: string) => {
      const twin = twinOf(scanner)
      scanner.read(character, 0, character.length, recorder)
      twin.read(character, 0, character.length, builder)
    }
    step(json.slice(0, at))
    scanner = twinOf(scanner)
    builder = JsonBuilder.restore(JSON.parse(JSON.stringify(builder.save())))
    step(json.slice(at))
    const twin = twinOf(scanner)
    scanner.end(recorder)
    twin.end(builder)
    return [
      recorder.told,
      recorder.canonical,
      scanner.status,
      scanner.completion(),
      scanner.offset,
      builder.save(),
    ]
  }
})
