/** `sluice/providers`: reads providers' streams as events, and writes events as providers' streams. */

export { collect } from '../engine/message.ts'
export { anyProviderOf } from './any-provider-of.ts'
export { readEvents } from './events/read.ts'
export { eventsWriter } from './events/write.ts'
export type { BinaryFraming, FrameReceiver, Framing, FramingName } from './framing/framing.ts'
export * from './named-providers.ts'
export * from './named-writers.ts'
export { type MessageSocket, type MessageSource, readResponses } from './openai-responses/socket.ts'
export type { CallEnd, Output, ProviderResult, SpanOptions, TextCallDelta } from './output.ts'
export type { PayloadReader, Provider } from './provider.ts'
export { ProviderError } from './provider-error.ts'
export {
  createProviderParser,
  type ProviderChunk,
  type ProviderOptions,
  type ProviderParser,
  type ProviderSnapshot,
  restoreProviderParser,
} from './provider-parser.ts'
export { type ProviderSource, type ReadProviderOptions, readProvider } from './read-provider.ts'
export { type ResponseOptions, toResponse } from './to-response.ts'
export type { PayloadWriter, WireFormat, WriterOptions } from './wire-format.ts'
export { createWriter, type ProviderWriter, writeProvider } from './write-provider.ts'
