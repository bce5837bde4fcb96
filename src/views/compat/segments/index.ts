/** Segments: a response as pieces that start, grow and end, and the calls in it as invocations. */

export {
  type AgentEvent,
  type AgentEventBody,
  AgentEventStream,
  type AgentEventStreamOptions,
  type SubscribeOptions,
} from './agent-stream.ts'
export { ChunkResponse, type ChunkResponseFields, type ToolCallDelta } from './chunk.ts'
export { ParserConfig, type ParserConfigOptions } from './config.ts'
export { type CreatedHandler, type FactoryOptions, StreamingResponseHandlerFactory } from './factory.ts'
export {
  EditFileContentStreamer,
  type ExtractedFields,
  type FileContentUpdate,
  JsonStringFieldExtractor,
  WriteFileContentStreamer,
} from './file-streamers.ts'
export {
  ApiToolCallStreamingResponseHandler,
  type ApiToolCallStreamingResponseHandlerOptions,
  type HandlerCallbacks,
  ParsingStreamingResponseHandler,
  PassThroughStreamingResponseHandler,
  type PassThroughStreamingResponseHandlerOptions,
  StreamingResponseHandler,
  type StreamingResponseHandlerOptions,
} from './handlers.ts'
export {
  type ToolInvocation,
  ToolInvocationAdapter,
  type ToolInvocationAdapterOptions,
} from './invocation.ts'
export { QueueStreamer, type QueueStreamerOptions } from './queue-streamer.ts'
export {
  SegmentEvent,
  type SegmentEventDict,
  SegmentEventType,
  type SegmentMetadata,
  type SegmentPayload,
  type SegmentStatus,
  SegmentType,
} from './segment-event.ts'
export {
  createSegmentsView,
  SEGMENT_EVENTS,
  type SegmentsView,
  type SegmentsViewOptions,
} from './segments-view.ts'
export { BaseState, type ParserContext, TextState } from './states/base-state.ts'
export type { SegmentEmitter } from './states/emitter.ts'
export {
  getXmlToolParsingState,
  registerXmlToolParsingState,
  unregisterXmlToolParsingState,
  type XmlToolParsingStateClass,
} from './states/registry.ts'
export type { StreamScanner } from './states/stream-scanner.ts'
export {
  XmlEditFileToolParsingState,
  XmlRunBashToolParsingState,
  XmlToolParsingState,
  XmlWriteFileToolParsingState,
} from './states/xml-states.ts'
export {
  type CreateStreamingParserOptions,
  createStreamingParser,
  type ParserName,
  resolveParserName,
} from './strategy-names.ts'
export { extractSegments, parseCompleteResponse, type Segment, StreamingParser } from './streaming-parser.ts'
export {
  type Detail,
  type DetailKind,
  type SegmentToolDefinition,
  type SegmentTools,
  TOOL_SYNTAX,
  type ToolSyntax,
  ToolSyntaxRegistry,
} from './tool-syntax.ts'
export type { JsonProfileName } from './wire/json-call.ts'
export type { JsonToolParser, ParsedJsonToolCall } from './wire/json-pattern.ts'
export type { DetectionStrategy } from './wire/strategies.ts'
