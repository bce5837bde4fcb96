/** Every protocol whose requests are read and written, by the name it is imported by. A line here registers one. */

export { aiSdkUiRequest } from './ai-sdk-ui/request.ts'
export { anthropicRequest } from './anthropic/request.ts'
export { ollamaRequest } from './ollama/request.ts'
export { openaiChatRequest } from './openai-chat/request.ts'
export { openaiResponsesRequest } from './openai-responses/request.ts'
