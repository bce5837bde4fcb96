/** `sluice/prompt`: tools, calls and results as text, for a model that has no tools of its own. */

export {
  type PromptedRequest,
  type PromptOptions,
  promptRequest,
} from './prompt-request.ts'
export { type PromptContext, type SystemPrompt, systemPrompt } from './system-prompt.ts'
export type { PromptTool } from './tool-list.ts'
export type { PromptResult } from './turn-text.ts'
