/** Tool calls for models that have none, as middleware of the AI SDK; and what a chat needs to show them grow. */

export { type PromptContext, type SystemPrompt, systemPrompt } from '../../requests/prompt/system-prompt.ts'
export type { PromptTool } from '../../requests/prompt/tool-list.ts'
export type {
  FailedCall,
  FailedCallMetadata,
  FailureChoice,
  FailureChoices,
  FailureClass,
  FailureMetadata,
  OnError,
} from './failures.ts'
export {
  coerceBySchema,
  getPotentialStartIndex,
  originalToolSchemas,
  type Reviver,
  RJSON,
  type RjsonOptions,
  RXML,
  type RxmlOptions,
} from './helpers.ts'
export type { JsonMixOptions } from './json-mix.ts'
export { jsonMixMiddleware } from './json-mix.ts'
export type { ToolMiddlewareMethods, ToolMiddlewareOptions } from './middleware.ts'
export type { EmittedPart, PartLike, ToolCallPart } from './parts.ts'
export * from './ready.ts'
export { type RequestOptions, requestOptions } from './request-options.ts'
export type { FormatResult, ResultOutput, ResultToFormat } from './results.ts'
export { extractToolCallSegments, type SegmentOptions } from './segments.ts'
export { type StructuredOutputOptions, structuredOutputMiddleware } from './structured-output.ts'
export { type StreamedResult, type ToolChoiceOptions, toolChoiceStream } from './tool-choice.ts'
export { type SluiceTransformOptions, sluiceTransform, type TransformContext } from './transform.ts'
export { readUiEvents } from './ui-events.ts'
export { type UiChunkLike, UiEventReader, type UiEventsOptions } from './ui-reader.ts'
export {
  createToolMiddleware,
  createToolMiddlewareV2,
  createToolMiddlewareV3,
  createToolMiddlewareV4,
  type ToolMiddleware,
  type ToolMiddlewareV2,
  type ToolMiddlewareV3,
  type ToolMiddlewareV4,
} from './versions.ts'
