/** What a call is about, before it is complete: its arguments as they come. */

export type { InputOf } from '../../../engine/calls/tool-types.ts'
export type { FromJsonSchema } from '../../../values/schema/from-json-schema.ts'
export { createOrderView, type OrderReport, type OrderView, orderArguments } from './argument-order.ts'
export { type Drained, EventBuilder, type EventBuilderOptions } from './event-builder.ts'
export {
  type CallFollower,
  createCallFollower,
  type FollowOptions,
  followCalls,
  type GrowingCall,
  type GrowingCallOf,
} from './growing-call.ts'
export {
  type ArgParserOptions,
  IncrementalArgParser,
  type ParsedArguments,
} from './incremental-arg-parser.ts'
export type { PointerOf, ValueAt } from './pointer-types.ts'
export type {
  ArgumentParsed,
  ConversationEvent,
  EventPart,
  FinishedReason,
  NotAnObject,
  StreamingEvent,
  TextEventPart,
  ToolCallArgumentChunk,
  ToolCallArgumentProgress,
  ToolCallFailed,
  ToolCallRequest,
} from './progress-event.ts'
export { createProgressView, type ProgressView } from './progress-view.ts'
export { createStreamingView } from './streaming-events.ts'
export { createTruncationView, type TruncationReport, type TruncationView } from './truncation-report.ts'
export { type ToolRenderer, TurnCoordinator, type TurnCoordinatorOptions } from './turn-coordinator.ts'
export { type Handler, type HandlerParts, type Handlers, type Place, watch } from './watch-arguments.ts'
