/** `sluice/log`: runs as append-only logs, which any number of readers follow, now or later. */

export { type FileLogOptions, openFileLog } from './file/file-log.ts'
export type { Log, LogOptions, ReadOptions, RunState, RunWriter } from './log.ts'
export { LogError, type LogErrorCode } from './log-error.ts'
export {
  asRecording,
  type HeaderRecord,
  isHeader,
  type NewRun,
  type RunEnd,
  type RunHeader,
  type RunIdentity,
  type RunRecord,
  type RunStep,
  type StepRecord,
  type StreamPlace,
} from './run-record.ts'
export {
  type Ending,
  type GoOn,
  type LostRun,
  takeOver,
  type WatcherOptions,
  watchLost,
} from './take-over.ts'
