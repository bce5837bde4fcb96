import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  createJsonParser,
  type JsonEvent,
  type JsonParserOptions,
  safeParseJson,
} from '../../../src/values/json/index.ts'
import { merged, written } from './notation.ts'
import { everySplit } from './recorder.ts'

/** One case per line of `cases/`. */
interface Case {
  readonly name: string
  readonly chunks: readonly string[]
  readonly options: JsonParserOptions
  /** In the notation of `notation.ts`. If the last line is no `end`, the text is not ended. */
  readonly events: readonly string[]
  readonly incomplete?: readonly string[]
}

function cases(file: string): Case[] {
  const lines = readFileSync(new URL(`cases/${file}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line) as Case)
}

function read(chunks: readonly string[], options: JsonParserOptions, ends = true): JsonEvent[] {
  const parser = createJsonParser(options)
  const events = chunks.flatMap((chunk) => parser.push(chunk))
  return ends ? [...events, ...parser.end()] : events
}

function check({ chunks, options, events, incomplete }: Case): void {
  const ends = events.some((line) => line.startsWith('end '))
  const told = read(chunks, options, ends)
  expect(written(told)).toEqual(events)
  for (const split of everySplit(chunks.join(''))) {
    expect(merged(written(read(split, options, ends)))).toEqual(merged(events))
  }
  const last = told[told.length - 1]
  if (last?.type === 'end') expect(last.incomplete.map(String)).toEqual(incomplete ?? [])
}

describe('Valid JSON while it arrives', () => {
  test.each(cases('streaming'))('$name', check)
})

describe('Numbers and literals', () => {
  test.each(cases('scalars'))('$name', check)
})

describe('Text that is cut off', () => {
  test.each(cases('cut-off'))('$name', check)
})

describe('What models write instead of JSON', () => {
  test.each(cases('tolerated'))('$name', check)
})

describe('What is meant to do harm', () => {
  test.each(cases('hostile'))('$name', check)
})

test('Bytes are rejected: a parser takes text', () => {
  const bytes = new Uint8Array([0x5b, 0x5d]) as unknown as string
  const error = expect.objectContaining({ code: 'invalid-source' })
  expect(() => createJsonParser().push(bytes)).toThrow(error)
  expect(() => safeParseJson(bytes)).toThrow(error)
})
