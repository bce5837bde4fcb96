/** What `sluice demo` plays besides the recorded answers: a few pieces, each of which can be looked at. */

import type { TextRecording } from '../../runs/recording/index.ts'

export const DEMO_TOOLS = [
  {
    name: 'read_file',
    headlines: ['path'],
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
  {
    name: 'write_file',
    streams: 'content',
    headlines: ['path'],
    inputSchema: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
  },
  {
    name: 'run_command',
    headlines: ['command'],
    inputSchema: { type: 'object', properties: { command: { type: 'string' } } },
  },
] as const

/** Few pieces, so that each can be looked at. */
const PIECES = [
  'Is it a <',
  ' b? ',
  'I look.<to',
  'ol_call>{"name"',
  ': "read_file", "arg',
  'uments": {"path": ',
  '"src/li',
  'mit.ts"',
  '}}</tool_',
  'call>',
]
const PAUSE_BETWEEN_PIECES = 450

export const PIECE_RECORDING = {
  kind: 'text',
  header: { dialect: 'hermes', note: 'reads a file' },
  chunks: PIECES.map((chunk, index) => ({ at: index * PAUSE_BETWEEN_PIECES, chunk })),
} as const satisfies TextRecording
