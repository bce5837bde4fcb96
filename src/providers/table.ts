/** All providers, in the order in which they are tried where nobody says whose stream it is. */

import { SluiceError } from '../errors.ts'
import { aiSdk } from './ai-sdk/read.ts'
import { aiSdkUi } from './ai-sdk-ui/read.ts'
import { anthropic } from './anthropic/read.ts'
import { bedrock } from './bedrock/read.ts'
import { cohere } from './cohere/read.ts'
import { gemini } from './gemini/read.ts'
import { ollama } from './ollama/read.ts'
import { openaiChat } from './openai-chat/read.ts'
import { openaiResponses } from './openai-responses/read.ts'
import type { Provider } from './provider.ts'

export const PROVIDERS: readonly Provider[] = [
  openaiChat,
  openaiResponses,
  anthropic,
  gemini,
  ollama,
  bedrock,
  cohere,
  aiSdk,
  aiSdkUi,
]

/** The provider of a name. */
export function findProvider(name: string): Provider {
  const found = PROVIDERS.find((provider) => provider.name === name)
  if (found !== undefined) return found
  const names = PROVIDERS.map((provider) => provider.name).join(', ')
  throw new SluiceError('unknown-provider', `There is no provider '${name}'; there are ${names}.`)
}
