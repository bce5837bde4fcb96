/** JSON as it arrives: events, growing values and verdicts, from text that may be broken or cut off. */

export type { JsonValue, RepairClass, Span } from '../../base/event.ts'
export { Path } from '../../base/path.ts'
export type {
  JsonComplete,
  JsonDelta,
  JsonDuplicate,
  JsonEnd,
  JsonEvent,
  JsonFailure,
  JsonKey,
  JsonOpen,
  JsonPartial,
  JsonRepair,
  JsonVerdict,
  JsonWarning,
} from './events.ts'
export type { JsonErrorCode, JsonLimits, JsonRepairCode } from './handler.ts'
export type { JsonParserOptions } from './json-options.ts'
export { createJsonParser, type JsonParser } from './json-parser.ts'
export { type ParseOptions, type ParseResult, parseJson, safeParseJson } from './relaxed.ts'
export {
  type Growing,
  type Snapshot,
  type WatchError,
  type Watched,
  type WatchOptions,
  type WatchResult,
  type WatchSource,
  watchObject,
} from './watch-object.ts'
