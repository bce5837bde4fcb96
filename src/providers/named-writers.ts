/** Every format that events can be written in, by the name it is imported by. A line here registers a writer. */

export { agUiWriter } from './ag-ui/write.ts'
export { aiSdkUiWriter } from './ai-sdk-ui/write.ts'
export { anthropicWriter } from './anthropic/write.ts'
export { geminiWriter } from './gemini/write.ts'
export { ollamaWriter } from './ollama/write.ts'
export { openaiChatWriter } from './openai-chat/write.ts'
export { openaiResponsesWriter } from './openai-responses/write.ts'
