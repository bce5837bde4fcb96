/** `sluice/dialects`: the dialects, by value and by name, and the template language. */

export { type Detection, detectAmong } from '../engine/wire/detection.ts'
export * from '../engine/wire/index.ts'
export { ALL as allDialects } from './all.ts'
export { detect } from './detect.ts'
export { dialectFor, type ModelFormat, type ModelOptions } from './dialect-for.ts'
export { type DialectName, findDialect } from './find.ts'
export { functionCallsWith } from './function-calls.ts'
export { jsonMix } from './hermes.ts'
export * from './named-dialects.ts'
export { think } from './reasoning.ts'
export { reasoningMarkers } from './reasoning-markers.ts'
