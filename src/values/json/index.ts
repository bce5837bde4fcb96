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
export type { Growing } from './growing.ts'
export type { JsonErrorCode, JsonLimits, JsonRepairCode } from './handler.ts'
export type { JsonParserOptions } from './json-options.ts'
export { createJsonParser, type JsonParser } from './json-parser.ts'
export type { WatchError, WatchResult } from './reading.ts'
export type { Hold, ObjectOptions } from './reading-options.ts'
export { type ParseOptions, type ParseResult, parseJson, safeParseJson } from './relaxed.ts'
export { parseObject } from './typed/parse-object.ts'
export {
  type Snapshot,
  type Watched,
  type WatchOptions,
  type WatchSource,
  watchObject,
} from './watch-object.ts'
