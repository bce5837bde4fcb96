/** From a model's chat template to the dialect that it writes. */

export { type ChatTemplate, readChatTemplate } from './chat-template.ts'
export { deriveDialect } from './derive-dialect.ts'
export { detectDialect } from './detect-dialect.ts'
export { dialectOfTemplate } from './dialect-of-template.ts'
export { type ProbeResult, type TemplateFormat, UnprovedDialectError } from './template-format.ts'
export type { TemplateOptions } from './turns.ts'
