/** The clients of every format that is written. */

import { agUi } from './ag-ui.ts'
import { sdkAnthropic, sdkCompatible, sdkOpenaiChat, sdkOpenaiResponses } from './ai-sdk.ts'
import { anthropic } from './anthropic.ts'
import type { Client } from './client.ts'
import { gemini } from './google.ts'
import { ollama } from './ollama.ts'
import { openaiChat, openaiResponses } from './openai.ts'
import { UI_CLIENTS } from './ui.ts'

export interface Reader {
  readonly format: string
  readonly client: Client
}

const CLIENTS: readonly (readonly [format: string, clients: readonly Client[]])[] = [
  ['openai-chat', [openaiChat, sdkOpenaiChat, sdkCompatible]],
  ['openai-responses', [openaiResponses, sdkOpenaiResponses]],
  ['anthropic', [anthropic, sdkAnthropic]],
  ['gemini', [gemini]],
  ['ollama', [ollama]],
  ['ag-ui', [agUi]],
  ['ai-sdk-ui', UI_CLIENTS],
]

export const READERS: readonly Reader[] = CLIENTS.flatMap(([format, clients]) =>
  clients.map((client) => ({ format, client })),
)
