/** JSON on its own: strictly as `JSON.parse` does, tolerantly without throwing, and the same however it is cut. */

import { createJsonParser, safeParseJson } from '../../src/values/json/index.ts'
import { inPieces } from '../laws/observe.ts'
import { changedByJson } from '../laws/plain.ts'
import { mutateText, shorterTexts } from './mutate-text.ts'
import type { Target } from './target.ts'

const SEEDS = [
  '{"path": "src/main.ts", "content": "let a = 1\\nlet b = \\"2\\""}',
  '[1, -0.5, 1.25e3, true, false, null, "é\\u00e9\\ud83d\\ude00", {}, [], {"a": [{"b": ""}]}]',
  '{"a": {"b": {"c": [[[1], 2], 3]}}, "a b": "", "": 0, "__proto__": {"x": 1}}',
  "{path: 'a.ts', // the file\n line: 3,}",
  '```json\n{"a": 1}\n```',
  'Here: {"ok": True, "note": "say "hi" now", n: None}',
  '"just a string"',
  '12',
]
const MARKUP = ['{', '}', '[', ']', '"', ':', ',', '\\', '{"', '"}', '```', '//', '/*', "'", '\\u12', 'tru']

/** The value that `JSON.parse` gives; nothing for what it refuses. */
function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

type Mode = 'strict' | 'tolerant'

/** The status, the value, and the events with neighbouring deltas joined. */
function reading(
  chunks: readonly string[],
  mode: Mode,
): { readonly status: string; readonly value: unknown; readonly told: string } {
  const parser = createJsonParser({ mode })
  const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]
  const told: string[] = []
  let delta = ''
  for (const event of events) {
    if (event.type === 'delta') {
      delta += event.text
      continue
    }
    if (delta !== '') told.push(delta)
    delta = ''
    told.push(JSON.stringify({ ...event, path: 'path' in event ? String(event.path) : '' }))
  }
  return { status: parser.status, value: parser.value, told: told.join('\n') }
}

function violation(text: string): string | undefined {
  const expected = parsed(text)
  const strict = reading([text], 'strict')
  if ((strict.status === 'complete') !== (expected !== undefined))
    return `strict is ${strict.status}, and JSON.parse ${expected === undefined ? 'refuses' : 'takes'} it`
  if (expected !== undefined && JSON.stringify(strict.value) !== JSON.stringify(expected.value))
    return `strict gives ${JSON.stringify(strict.value)}`
  const safe = safeParseJson(text)
  if (expected !== undefined && JSON.stringify(safe.value) !== JSON.stringify(expected.value))
    return `safeParseJson gives ${JSON.stringify(safe.value)}`
  // A number that JSON cannot carry is what `JSON.parse` makes of it, too.
  const unplain = expected === undefined && safe.value !== undefined ? changedByJson([safe.value]) : undefined
  if (unplain !== undefined && !/-0|Infinity/.test(unplain)) return `14. plain: ${unplain}`
  for (const mode of ['strict', 'tolerant'] as const) {
    const whole = reading([text], mode)
    const halves = Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => [
      text.slice(0, at + 1),
      text.slice(at + 1),
    ])
    for (const chunks of [text.split(''), inPieces(text, 3), ...halves]) {
      const cut = reading(chunks, mode)
      if (cut.told !== whole.told)
        return `1. split invariance, ${mode}, ${JSON.stringify(chunks.slice(0, 3))}:\n  whole ${whole.told}\n  cut   ${cut.told}`
    }
  }
  return undefined
}

export const JSON_TARGET: Target<string> = {
  name: 'json',
  seeds: () => [...SEEDS],
  mutate: (text, random, other) => mutateText(text, random, { text: other, markup: MARKUP }, 120),
  violation,
  outline(text) {
    const { status, repairs, error } = safeParseJson(text)
    return `${status} ${repairs.map(({ code }) => code)} ${error?.code ?? ''} ${reading([text], 'strict').status}`
  },
  smaller: shorterTexts,
}
