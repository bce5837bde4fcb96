/** Tags, attributes and entities as models write them, and the values that trees of elements stand for. */

export type { EntityDecoderState } from './entities.ts'
export { decodeEntities, EntityDecoder, escapeAttribute, escapeText } from './entities.ts'
export type { TagReaderOptions, TagStatus } from './opening-tag.ts'
export type { RenderElementsOptions } from './render-elements.ts'
export { renderElements } from './render-elements.ts'
export type { TagReaderState } from './tag-reader.ts'
export { TagReader } from './tag-reader.ts'
export type {
  OpenElement,
  ReadElementsOptions,
  XmlElement,
  XmlNode,
  XmlProblem,
  XmlProblemCode,
  XmlText,
} from './tree.ts'
export { readElements } from './tree.ts'
export type { ValueOptions, XmlValue } from './value.ts'
export { readValue, valueOfElements } from './value.ts'
