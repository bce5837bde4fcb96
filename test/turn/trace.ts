/** What happened in a turn, in lines that people can read, whatever protocol it went over and however it was cut. */

import type { TurnEvent } from '../../src/turn/turn-event.ts'

/** Merges deltas, and calls ids by letters: `a` is the first call. What happens to a call while tools run is told call by call. */
export function traceOf(events: readonly TurnEvent[]): string[] {
  const lines: string[] = []
  const letters = new Map<string, string>()
  const letter = (id: string): string => {
    if (!letters.has(id)) letters.set(id, String.fromCharCode(97 + letters.size))
    return letters.get(id)!
  }
  const grown = new Map<string, string>()
  let lives: Map<string, string[]> | null = null
  const tell = (line: string): void => {
    for (const [id, steps] of lives ?? []) lines.push(`  ${letter(id)}: ${steps.join(', ')}`)
    lives = null
    lines.push(line)
  }
  for (const event of events) {
    switch (event.type) {
      case 'text-start':
      case 'reasoning-start':
      case 'tool-result-start':
        grown.set(event.type.split('-start')[0]!, '')
        break
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-result-delta': {
        const kind = event.type.split('-delta')[0]!
        grown.set(kind, grown.get(kind) + event.delta)
        break
      }
      case 'text-end':
      case 'reasoning-end':
        tell(`${event.type.split('-')[0]} ${JSON.stringify(grown.get(event.type.split('-')[0]!))}`)
        break
      case 'tool-result-end':
        tell(`result ${letter(event.id)} ${JSON.stringify(grown.get('tool-result'))}`)
        break
      case 'tool-call':
        tell(`call ${letter(event.id)} ${event.toolName} ${event.status} ${JSON.stringify(event.input)}`)
        break
      case 'finish':
        tell(`finish ${event.reason}`)
        break
      case 'round-start':
        tell(`round ${event.round}`)
        break
      case 'retry':
        tell(`retry ${event.attempt} after ${event.delayMs}: ${event.error.kind}`)
        break
      case 'tools-start':
        tell(`tools ${event.depth} ${event.ids.map(letter).join('')} ${JSON.stringify(event.text)}`)
        lives = new Map()
        break
      case 'turn-finish':
        tell(`end ${event.reason}${event.error === undefined ? '' : `: ${event.error.kind}`}`)
        break
      case 'error':
        tell('error')
        break
      default:
        if (!event.type.startsWith('call-') || !('id' in event)) break
        if (lives === null) tell(`${event.type} ${letter(event.id!)}`)
        else {
          const life: string[] = lives.get(event.id!) ?? []
          life.push(event.type.slice('call-'.length) + ('by' in event ? ` by ${event.by}` : ''))
          lives.set(event.id!, life)
        }
    }
  }
  return lines
}
