/** AG-UI: its own client, which also checks the order of the events. */

import { readFileSync } from 'node:fs'
import { sse } from '../../providers/told.ts'
import { agUi } from './ag-ui.ts'
import { prove } from './prove.ts'
import { WEATHER } from './said.ts'

const FIXTURE = readFileSync(new URL('../../providers/fixtures/ag-ui.sse', import.meta.url))
const RUN = { threadId: 't', runId: 'r' }
const started = { type: 'RUN_STARTED', ...RUN }
const finished = { type: 'RUN_FINISHED', ...RUN }
const call = (toolCallId: string, delta: string): object[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'get_weather' },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta },
  { type: 'TOOL_CALL_END', toolCallId },
]

prove({
  format: 'ag-ui',
  contentType: 'text/event-stream',
  clients: [agUi],
  scenarios: [
    { name: 'a whole message', body: FIXTURE, says: { ...WEATHER, reason: 'success' } },
    {
      name: 'a call that the agent answers, and one that it leaves to the client',
      body: sse(
        started,
        ...call('call_paris', '{"city":"Paris"}'),
        { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'call_paris', content: 'Rain.' },
        ...call('call_oslo', '{"city":"Oslo"}'),
        { ...finished, outcome: { type: 'success' } },
      ),
      says: { text: '', calls: [['call_oslo', 'get_weather', { city: 'Oslo' }]], reason: 'success' },
      failed: [['call_paris', 'complete']],
    },
    {
      name: 'chunks',
      body: sse(
        started,
        { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'Grüß ' },
        { type: 'TEXT_MESSAGE_CHUNK', delta: 'dich 🌦' },
        { type: 'TOOL_CALL_CHUNK', toolCallId: 'call_oslo', toolCallName: 'get_weather', delta: '{"city":' },
        { type: 'TOOL_CALL_CHUNK', delta: '"Oslo"}' },
        { ...finished, outcome: { type: 'success' } },
      ),
      says: {
        text: 'Grüß dich 🌦',
        calls: [['call_oslo', 'get_weather', { city: 'Oslo' }]],
        reason: 'success',
      },
    },
    {
      name: 'an error in the middle',
      body: sse(
        started,
        { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Hel' },
        { type: 'RUN_ERROR', message: 'Overloaded' },
      ),
      says: { text: 'Hel' },
      fails: true,
    },
  ],
})
