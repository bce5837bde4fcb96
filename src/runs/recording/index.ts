/** Recorded streams: written while they run, read back, and played again at any speed. */

export type { Clock } from './clock.ts'
export type {
  BytesRecording,
  EventsRecording,
  RecordedChunk,
  Recording,
  RecordingEnd,
  RecordingHeader,
  RecordingKind,
  TextRecording,
} from './format.ts'
export { formatRecording, parseRecording } from './format.ts'
export { Playback } from './playback.ts'
export { record } from './record.ts'
export { RecordingWriter } from './recording-writer.ts'
export { type ReplayOptions, replay } from './replay.ts'
