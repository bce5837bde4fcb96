/** Ollama: its own client, whose user adds the chunks up. */

import { readFileSync } from 'node:fs'
import { ollama } from './ollama.ts'
import { prove } from './prove.ts'
import { WEATHER } from './said.ts'

const FIXTURE = readFileSync(new URL('../../providers/fixtures/ollama.ndjson', import.meta.url))

const lines = (...payloads: object[]): string =>
  payloads.map((payload) => `${JSON.stringify(payload)}\n`).join('')
const ABOUT = { model: 'qwen3', created_at: '2026-11-15T09:00:00Z' }
const line = (message: object): object => ({
  ...ABOUT,
  message: { role: 'assistant', content: '', ...message },
  done: false,
})
const end = (done_reason: string, prompt_eval_count: number, eval_count: number): object => ({
  ...ABOUT,
  message: { role: 'assistant', content: '' },
  done: true,
  done_reason,
  prompt_eval_count,
  eval_count,
})
const call = (id: string, args: object): object => ({
  id,
  function: { index: 0, name: 'get_weather', arguments: args },
})

prove({
  format: 'ollama',
  contentType: 'application/x-ndjson',
  clients: [ollama],
  scenarios: [
    {
      name: 'text with figures',
      body: lines(line({ content: 'Grüß ' }), line({ content: 'dich 🌦' }), end('stop', 12, 5)),
      says: { text: 'Grüß dich 🌦', reason: 'stop', usage: [12, 5] },
    },
    {
      name: 'a whole message, in which all calls say the same index',
      body: FIXTURE,
      says: { ...WEATHER, reason: 'stop' },
    },
    {
      name: 'a call without arguments',
      body: lines(line({ tool_calls: [call('call_all', {})] }), end('stop', 12, 5)),
      says: { text: '', calls: [['call_all', 'get_weather', {}]], reason: 'stop', usage: [12, 5] },
    },
    {
      name: 'two calls in one line',
      body: lines(
        line({ tool_calls: [call('call_paris', { city: 'Paris' }), call('call_oslo', { city: 'Oslo' })] }),
        end('stop', 12, 5),
      ),
      says: {
        text: '',
        calls: [
          ['call_paris', 'get_weather', { city: 'Paris' }],
          ['call_oslo', 'get_weather', { city: 'Oslo' }],
        ],
        reason: 'stop',
        usage: [12, 5],
      },
    },
    {
      name: 'an answer that was cut off',
      body: lines(line({ content: 'Grüß' }), end('length', 12, 5)),
      says: { text: 'Grüß', reason: 'length', usage: [12, 5] },
    },
    {
      name: 'an error in the middle',
      body: lines(line({ content: 'Hel' }), { error: 'an error was encountered while running the model' }),
      says: { text: 'Hel' },
      fails: true,
    },
    {
      name: 'a stream that ends too early',
      body: lines(line({ content: 'Hel' })),
      says: { text: 'Hel' },
      fails: true,
    },
  ],
})
