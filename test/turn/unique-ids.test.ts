/** One id means one call in the whole conversation, whatever a model counts from. */

import { expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import type { ConversationMessage } from '../../src/requests/conversation/model-request.ts'
import { UniqueIds } from '../../src/turn/unique-ids.ts'

const call = (id: string): SluiceEvent => ({ type: 'tool-input-start', id, toolName: 't' })
const idOf = (event: SluiceEvent): unknown => ('id' in event ? event.id : 'none')
const HISTORY = [
  {
    role: 'assistant',
    parts: [
      { type: 'call', id: 'old', toolName: 't', input: {} },
      { type: 'call', toolName: 't', input: {} },
      { type: 'result', id: 'answered', toolName: 't', content: '' },
    ],
  },
] as unknown as readonly ConversationMessage[]

test('a call has an id that no call before it has', () => {
  const own = new UniqueIds(HISTORY).response()
  expect(['old', 'answered', 'new', ''].map((id) => idOf(own(call(id))))).toEqual([
    'call-1',
    'answered',
    'new',
    'call-2',
  ])
})

test('an id that was free is kept, and the event with it', () => {
  const event = call('a')
  expect(new UniqueIds([]).response()(event)).toBe(event)
})

test('the next response gives its texts, thoughts and calls ids of their own', () => {
  const ids = new UniqueIds([])
  const events: readonly SluiceEvent[] = [
    { type: 'text-start', id: 'x' },
    { type: 'reasoning-start', id: 'y' },
    call('z'),
  ]
  expect(events.map(ids.response()).map(idOf)).toEqual(['x', 'y', 'z'])
  expect(events.map(ids.response()).map(idOf)).toEqual(['text-1', 'reasoning-2', 'call-3'])
})

test('the same id of a text, a thought and a call means three things', () => {
  const own = new UniqueIds([]).response()
  const ids = [
    own({ type: 'text-start', id: 'x' }),
    own({ type: 'reasoning-start', id: 'x' }),
    own(call('x')),
    own({ type: 'text-delta', id: 'x', delta: 'a' }),
    own({ type: 'reasoning-delta', id: 'x', delta: 'a' }),
    own({ type: 'tool-input-end', id: 'x' }),
  ].map(idOf)
  expect(ids).toEqual(['x', 'reasoning-1', 'call-2', 'x', 'reasoning-1', 'call-2'])
})

test('a result and a diagnostic go by the call that they are about', () => {
  const ids = new UniqueIds(HISTORY)
  const own = ids.response()
  own(call('old'))
  expect(idOf(own({ type: 'tool-result-start', id: 'old' }))).toBe('call-1')
  expect(idOf(own({ type: 'diagnostic', id: 'old', code: 'malformed-call', message: '' }))).toBe('call-1')
})

test('a result and a diagnostic of nothing that is known take no id', () => {
  const ids = new UniqueIds([])
  ids.response()({ type: 'text-start', id: 'x' })
  const own = ids.response()
  const result: SluiceEvent = { type: 'tool-result-start', id: 'x' }
  const diagnostic: SluiceEvent = { type: 'diagnostic', id: 'x', code: 'malformed-call', message: '' }
  own({ type: 'text-start', id: 'x' })
  expect(own(result)).toBe(result)
  expect(own(diagnostic)).toBe(diagnostic)
  expect(idOf(new UniqueIds([]).response()(call('x')))).toBe('x')
  expect(own(result)).toBe(result)
})

test('an event without an id stays as it is', () => {
  const own = new UniqueIds([]).response()
  const finish: SluiceEvent = { type: 'finish', reason: 'stop' }
  const diagnostic = { type: 'diagnostic', code: 'malformed-call', message: '', id: undefined } as never
  expect([own(finish), own(diagnostic)]).toEqual([finish, diagnostic])
  expect(own(finish)).toBe(finish)
  expect(own(diagnostic)).toBe(diagnostic)
})
