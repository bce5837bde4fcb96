/** Events as lines of text, so that expectations can be read: `delta /path "src/ma"`, `$` being the root. */

import type { JsonEvent } from '../../../src/values/json/index.ts'
import { stringify } from '../../../src/values/numbers/stringify.ts'

/** Keys are left out: each is followed by what it is the key of. */
export function written(events: readonly JsonEvent[]): string[] {
  return events.filter((event) => event.type !== 'key').map(line)
}

function line(event: JsonEvent): string {
  const path = 'path' in event ? event.path.pointer || '$' : ''
  switch (event.type) {
    case 'open':
      return `open ${path} ${event.kind}`
    case 'key':
      return `key ${path}`
    case 'delta':
      return `delta ${path} ${JSON.stringify(event.text)}`
    case 'value':
    case 'partial':
      return `${event.type} ${path} ${stringify(event.value)}`
    case 'repair':
      return `repair ${path} ${event.code} ${event.class}`
    case 'warning':
      return `warning ${path} ${event.code}`
    case 'duplicate':
      return `duplicate ${path}`
    case 'error':
      return `error ${event.code}`
    case 'end':
      return `end ${event.status}`
  }
}

/** Adjacent deltas of one path as one: what any two ways to cut a text have in common. */
export function merged(lines: readonly string[]): string[] {
  const result: string[] = []
  for (const next of lines) {
    const last = result[result.length - 1]
    const [one, two] = [last === undefined ? null : delta(last), delta(next)]
    if (one !== null && two !== null && one.path === two.path) {
      result[result.length - 1] = `delta ${one.path} ${JSON.stringify(one.text + two.text)}`
    } else {
      result.push(next)
    }
  }
  return result
}

function delta(text: string): { path: string; text: string } | null {
  const match = /^delta (.*?) (".*")$/s.exec(text)
  return match === null ? null : { path: match[1]!, text: JSON.parse(match[2]!) as string }
}
