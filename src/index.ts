/** What most people import. */

export { type ErrorCode, SluiceError } from './base/errors.ts'
export type * from './base/event.ts'
export { DEFAULT_LIMITS, type Limits } from './base/limits.ts'
export type { CallPart, CustomPart, Part, ReasoningPart, ResultPart, TextPart } from './base/part.ts'
export { pointer } from './base/path.ts'
export { ResponseError, type Source } from './base/source.ts'
export {
  type CallIssue,
  type PreparedCall,
  prepareCall,
  type RefusedCall,
  type RunnableCall,
} from './engine/calls/prepare.ts'
export type { Shown } from './engine/calls/shown-text.ts'
export type { ToolDefinition, ToolDefinitions } from './engine/calls/tools.ts'
export { explain, isExecutable } from './engine/calls/verdict.ts'
export { foldEvents, type Message, MessageFold, parse } from './engine/message.ts'
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
} from './engine/parser.ts'
export { type RenderOptions, render } from './engine/render.ts'
export { type EventStream, type SluiceOptions, SluiceStream, sluice } from './engine/stream.ts'
