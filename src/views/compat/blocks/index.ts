/** A response as blocks for two callbacks, and its visible text for a voice. */

export { type BlocksView, type BlocksViewOptions, createBlocksView } from './blocks-view.ts'
export { formatToolResultsXml } from './format-tool-results.ts'
export { IncrementalXmlParser, type ParsedChunk } from './incremental-xml-parser.ts'
export { type SpeakOptions, type SpeechTimer, speak, speakSync } from './speech/speak.ts'
export { createSpeaker, type Speaker } from './speech/speaker.ts'
export type { SpeechManner, SpeechOptions, Unspoken } from './speech/speech-options.ts'
export type {
  ApprovedToolCall,
  BlockEvent,
  ChunkMeta,
  ChunkType,
  MembraneBlock,
  MembraneBlockType,
  OnBlockCallback,
  OnChunkCallback,
  OnContentBlockCallback,
  StreamOptions,
  ToolContext,
  ToolResult,
} from './types.ts'
