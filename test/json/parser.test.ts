import { describe, expect, test } from 'vitest'
import { createJsonParser, type JsonEvent, type JsonParserOptions } from '../../src/json/index.ts'
import { merged, written } from './notation.ts'
import { everySplit } from './recorder.ts'
import { cutOff, guarded, type Row, scalars, streaming, tolerated } from './rows.ts'

function read(chunks: readonly string[], options: JsonParserOptions, ends = true): JsonEvent[] {
  const parser = createJsonParser(options)
  const events = chunks.flatMap((chunk) => parser.push(chunk))
  return ends ? [...events, ...parser.end()] : events
}

function check({ chunks, options, events, incomplete }: Row): void {
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
  test.each(streaming)('$name', check)
})

describe('Numbers and literals', () => {
  test.each(scalars)('$name', check)
})

describe('Text that is cut off', () => {
  test.each(cutOff)('$name', check)
})

describe('What models write instead of JSON', () => {
  test.each(tolerated)('$name', check)
})

describe('What is meant to do harm', () => {
  test.each(guarded)('$name', check)
})
