/** What most people import. */

export {
  type CallIssue,
  type PreparedCall,
  prepareCall,
  type RefusedCall,
  type RunnableCall,
} from './calls/prepare.ts'
export type { ToolDefinition, ToolDefinitions } from './calls/tools.ts'
export { explain, isExecutable } from './calls/verdict.ts'
export { type ErrorCode, SluiceError } from './errors.ts'
export type * from './event.ts'
export { DEFAULT_LIMITS, type Limits } from './limits.ts'
export { foldEvents, type Message, MessageFold, parse } from './message.ts'
export {
  createParser,
  createSinkParser,
  type EmitOptions,
  type Parser,
  type ParserOptions,
  type ParserSnapshot,
  restoreParser,
  restoreSinkParser,
  type SinkParser,
} from './parser.ts'
export type { CallPart, CustomPart, Part, ReasoningPart, ResultPart, TextPart } from './part.ts'
export { pointer } from './path.ts'
export { type RenderOptions, render } from './render.ts'
export { ResponseError, type Source } from './source.ts'
export { type EventStream, type SluiceOptions, SluiceStream, sluice } from './stream.ts'
