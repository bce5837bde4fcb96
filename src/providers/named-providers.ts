/**
 * Every provider, by the name it is imported by. A line here registers a provider: detection, the laws, the command and
 * the documentation take it from here.
 */

export { agUi } from './ag-ui/read.ts'
export { aiSdk } from './ai-sdk/read.ts'
export { aiSdkUi } from './ai-sdk-ui/read.ts'
export { anthropic } from './anthropic/read.ts'
export { bedrock } from './bedrock/read.ts'
export { claudeCode } from './claude-code/read.ts'
export { codex } from './codex/read.ts'
export { cohere } from './cohere/read.ts'
export { gemini } from './gemini/read.ts'
export { langchain } from './langchain/read.ts'
export { ollama } from './ollama/read.ts'
export { openaiChat } from './openai-chat/read.ts'
export { openaiResponses } from './openai-responses/read.ts'
