/** `sluice/turn`: the tool loop around a model. */

export type { EndpointOptions } from './endpoint.ts'
export type {
  Model,
  ModelContext,
  ReadingOptions,
  ReceivedResponse,
  SentRequest,
  WrittenText,
} from './model.ts'
export { type PrefilledOptions, prefilledModel } from './prefilled-model.ts'
export { promptedModel } from './prompted-model.ts'
export {
  anthropicModel,
  geminiModel,
  ollamaModel,
  openaiChatModel,
  openaiResponsesModel,
} from './ready-models.ts'
export { recordModel, replayModel } from './recorded-model.ts'
export { type RunTurnOptions, runTurn } from './run-turn.ts'
export { type Execute, type ExecuteContext, type TurnTools, tool } from './tool.ts'
export type { TranscriptOptions } from './transcript.ts'
export { type InjectedMessage, type StartTurnOptions, startTurn, type Turn } from './turn.ts'
export { TurnError, type TurnErrorKind } from './turn-error.ts'
export type * from './turn-event.ts'
export type { Approval, ApprovalRequest, EarlyCall, TurnOptions } from './turn-options.ts'
export type { TurnResult, TurnStop, TurnToolResult } from './turn-result.ts'
export {
  type NormalizedResponse,
  streamYielding,
  type YieldingEvent,
  type YieldingOptions,
  type YieldingStream,
} from './yielding-stream.ts'
