import { ParserConfig, type ParserConfigOptions, StreamingParser } from 'sluice/segments'
import { expect, test } from 'vitest'
import { everyCut, outline } from './outline.ts'

type Row = readonly [behaviour: string, text: string, expected: readonly string[]]

/** Each text is read whole, in two pieces cut at every place, and in single characters. */
export function check(options: ParserConfigOptions, rows: readonly Row[]): void {
  test.each(rows)('%s', (_, text, expected) => {
    for (const pieces of everyCut(text)) {
      const parser = new StreamingParser(new ParserConfig(options))
      const events = [...pieces.flatMap((piece) => parser.feed(piece)), ...parser.finalize()]
      expect(outline(events), JSON.stringify(pieces)).toEqual(expected)
    }
  })
}
