import { describe, expect, test } from 'vitest'
import { allProviders } from '../../src/providers/any.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { eventsOf, told } from './told.ts'

const ERRORS: readonly [error: object, message: string][] = [
  [{ error: { message: 'Overloaded', type: 'overloaded_error' } }, 'Overloaded'],
  [{ error: "model 'x' not found" }, "model 'x' not found"],
  [{ object: 'error', message: 'No such model', code: 404 }, 'No such model'],
  [{ detail: 'Not Found' }, 'Not Found'],
  [
    { detail: [{ loc: ['body', 'model'], msg: 'Field required', type: 'missing' }, { msg: 'Too long' }] },
    'body.model: Field required; Too long',
  ],
  [{ id: '1', message: 'invalid api token' }, 'invalid api token'],
  [{ type: 'about:blank', title: 'Forbidden', status: 403, detail: 'No key.' }, 'No key.'],
  [{ type: 'https://a.example/errors/403', title: 'Forbidden', status: 403 }, 'Forbidden'],
]

describe.each(allProviders)('$name', ({ name }) => {
  test.each(ERRORS)('reports %j', (error, message) => {
    const ignored: string[] = []
    const options = { provider: name, onIgnored: (what: string) => ignored.push(what) }
    const events = eventsOf([JSON.stringify(error)], options)
    expect(told(events)).toEqual([`error ${message}`, 'finish error'])
    expect(ignored).toEqual([])
  })
})

test.each(ERRORS)('an error that no provider claims: %j', (error, message) => {
  expect(told(eventsOf([error]))[0]).toBe(`error ${message}`)
})

test('a payload that the provider knows is no failure', () => {
  const chat: Provider = {
    name: 'chat',
    framing: 'lines',
    detect: ({ message }) => typeof message === 'string',
    open: (out) => ({ read: ({ message }) => out.text(String(message)) }),
  }
  expect(told(eventsOf(['{"message":"Hi"}\n'], { provider: chat }))[0]).toBe('text Hi')
})
