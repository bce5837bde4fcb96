import { describe, expect, test } from 'vitest'
import { errorRecord, SluiceError } from '../../src/base/errors.ts'

describe('an error as an event carries it', () => {
  test.each<[what: string, error: unknown, record: object]>([
    [
      'of the library',
      new SluiceError('invalid-source', 'No.'),
      { name: 'SluiceError', message: 'No.', code: 'invalid-source' },
    ],
    [
      'with a status',
      Object.assign(new Error('Busy.'), { status: 503 }),
      { name: 'Error', message: 'Busy.', status: 503 },
    ],
    [
      'of the system',
      new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }),
      { name: 'TypeError', message: 'fetch failed', code: 'ECONNRESET' },
    ],
    [
      'of fetch, with its reason',
      new TypeError('fetch failed', {
        cause: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:8000'), { code: 'ECONNREFUSED' }),
      }),
      {
        name: 'TypeError',
        message: 'fetch failed: connect ECONNREFUSED 127.0.0.1:8000',
        code: 'ECONNREFUSED',
      },
    ],
    [
      'of fetch, with a reason that is only a code',
      new TypeError('fetch failed', {
        cause: Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }),
      }),
      { name: 'TypeError', message: 'fetch failed: ECONNREFUSED', code: 'ECONNREFUSED' },
    ],
    ['that is no error', 'plain', { name: 'Error', message: 'plain' }],
    ['that is nothing', undefined, { name: 'Error', message: 'undefined' }],
    [
      'that cannot be written',
      { toString: null },
      { name: 'Error', message: 'The error cannot be written as text.' },
    ],
  ])('%s', (_, error, record) => {
    expect(errorRecord(error)).toEqual(record)
  })

  test.each([
    ['Incorrect API key provided: sk-proj-AbC123xyz789.', 'Incorrect API key provided: [key]'],
    ['Incorrect API key provided: sk-abc1****************wxyz', 'Incorrect API key provided: [key]'],
    ['AIzaSyA1234567890 is not valid', '[key] is not valid'],
    ['Authorization: Bearer abc.DEF-123456', 'Authorization: [key]'],
    ['hf_AbCdEfGh12345 and gsk_9aBcDeFgHi', '[key] and [key]'],
    ['the key of the key-value store', 'the key of the key-value store'],
    ['sk-learn-models are not here', 'sk-learn-models are not here'],
  ])('has no key in its message: %s', (message, shown) => {
    expect(errorRecord(new Error(message)).message).toBe(shown)
  })
})
