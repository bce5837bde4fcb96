import { describe, expect, it } from 'vitest'
import { ALL } from '../../src/dialects/all.ts'
import { glm } from '../../src/dialects/glm.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { minimaxM2 } from '../../src/dialects/minimax-m2.ts'
import { reasoningMarkers } from '../../src/dialects/reasoning-markers.ts'
import { parse } from '../../src/engine/message.ts'
import { render } from '../../src/engine/render.ts'
import { withReasoning } from '../../src/engine/wire/index.ts'
import { sampleOf } from '../effort.ts'

const pairs = Object.entries(reasoningMarkers)

describe.each(pairs)('the reasoning markers %s', (_, markers) => {
  it.each([hermes, glm, minimaxM2])('stand on $name', (dialect) => {
    const own = withReasoning(dialect, markers)
    const written = render(
      [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'So:' },
        { type: 'call', toolName: 'now', input: {} },
      ],
      { dialect: own },
    )
    const { reasoning, text, toolCalls } = parse(written, { dialect: own })
    expect([reasoning, text, toolCalls.map(({ status }) => status)]).toEqual(['Hm.', 'So:', ['complete']])
  })

  it('can be open from the start, with or without an opener of its own', () => {
    const own = withReasoning(hermes, markers)
    const whole = render([{ type: 'reasoning', text: 'Hm.' }], { dialect: own })
    const opener = whole.slice(0, whole.indexOf('Hm.'))
    for (const written of [whole, whole.slice(opener.length)]) {
      const { reasoning, text } = parse(`${written}Hi`, { dialect: own, start: 'reasoning' })
      expect([reasoning, text]).toEqual(['Hm.', 'Hi'])
    }
  })
})

it('every dialect can take any of them', () => {
  for (const dialect of sampleOf(ALL))
    for (const [, markers] of pairs) expect(withReasoning(dialect, markers).name).toBe(dialect.name)
})
