/** `sluice/providers`: every provider's stream in, the same events out, and back again. */

export { ProviderError } from './error.ts'
export type { CallEnd, Output, ProviderResult, SpanOptions, TextCallDelta } from './output.ts'
export {
  createProviderParser,
  type ProviderChunk,
  type ProviderOptions,
  type ProviderParser,
  type ProviderSnapshot,
  restoreProviderParser,
} from './parser.ts'
export type { PayloadReader, Provider } from './provider.ts'
export { collect, type ProviderSource, type ReadProviderOptions, readProvider } from './read.ts'
export type { PayloadWriter, WireFormat, WriterOptions } from './write/format.ts'
export { createWriter, type ProviderWriter, writeProvider } from './write/writer.ts'
