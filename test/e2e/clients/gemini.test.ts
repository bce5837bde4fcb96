/** Gemini: Google's client, whose user adds the chunks up. */

import { readFileSync } from 'node:fs'
import { sse } from '../../providers/told.ts'
import { gemini } from './google.ts'
import { prove } from './prove.ts'
import { WEATHER } from './said.ts'

const FIXTURE = readFileSync(new URL('../../providers/fixtures/gemini.sse', import.meta.url))
const GOOGLE = gemini.name

const chunk = (parts: object[], more: object = {}, figures: object = {}): object => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
  usageMetadata: { promptTokenCount: 12, ...figures },
  modelVersion: 'gemini-3-flash',
  responseId: 'r1',
})
const STOP = { finishReason: 'STOP' }
const call = (functionCall: object): object => chunk([{ functionCall }])

prove({
  format: 'gemini',
  contentType: 'text/event-stream',
  clients: [gemini],
  scenarios: [
    {
      name: 'text with figures, which are totals',
      body: sse(
        chunk([{ text: 'Grüß ' }], {}, { candidatesTokenCount: 2 }),
        chunk([{ text: 'dich 🌦' }], STOP, { candidatesTokenCount: 5 }),
      ),
      says: { text: 'Grüß dich 🌦', reason: 'STOP', usage: [12, 5] },
    },
    {
      name: 'a whole message',
      body: FIXTURE,
      says: { ...WEATHER, reason: 'STOP' },
    },
    {
      name: 'a call whose arguments come in pieces',
      body: sse(
        call({ id: 'call_paris', name: 'get_weather', willContinue: true }),
        call({
          partialArgs: [{ jsonPath: '$.city', stringValue: 'Par', willContinue: true }],
          willContinue: true,
        }),
        call({ partialArgs: [{ jsonPath: '$.city', stringValue: 'is' }], willContinue: true }),
        call({ partialArgs: [{ jsonPath: '$.days', numberValue: 2 }], willContinue: true }),
        call({}),
        chunk([], STOP, { candidatesTokenCount: 5 }),
      ),
      says: {
        text: '',
        calls: [['call_paris', 'get_weather', { city: 'Paris', days: 2 }]],
        reason: 'STOP',
        usage: [12, 5],
      },
      // It gives out the pieces as if each were a call, and puts nothing together.
      wrong: {
        [GOOGLE]: {
          calls: [
            ['call_paris', 'get_weather', undefined],
            ['', '', undefined],
            ['', '', undefined],
            ['', '', undefined],
            ['', '', undefined],
          ],
        },
      },
    },
    {
      name: 'a call whose arguments were cut off',
      body: sse(
        call({ id: 'call_paris', name: 'get_weather', willContinue: true }),
        call({
          partialArgs: [{ jsonPath: '$.city', stringValue: 'Pa', willContinue: true }],
          willContinue: true,
        }),
        chunk([], { finishReason: 'MAX_TOKENS' }, { candidatesTokenCount: 5 }),
      ),
      says: { text: '', reason: 'MAX_TOKENS', usage: [12, 5] },
      failed: [['call_paris', 'truncated']],
      wrong: {
        [GOOGLE]: {
          calls: [
            ['call_paris', 'get_weather', undefined],
            ['', '', undefined],
          ],
        },
      },
    },
    {
      name: 'an error in the middle',
      body: sse(chunk([{ text: 'Hel' }]), {
        error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' },
      }),
      says: { text: 'Hel', usage: [12, 0] },
      fails: true,
    },
    {
      name: 'a connection that dies',
      body: sse(chunk([{ text: 'Hel' }])),
      dies: true,
      says: { text: 'Hel', usage: [12, 0] },
      fails: true,
    },
  ],
})
