/** The template language. */

export { type BodyNotation, body } from './body.ts'
export { dialect, withReasoning } from './checked-dialect.ts'
export { object } from './checked-object.ts'
export type { Dialect, DialectDefinition } from './dialect.ts'
export { elements } from './elements.ts'
export type { ElementsOptions } from './elements-syntax.ts'
export { header } from './header.ts'
export { args } from './json.ts'
export { literalCall, pythonCall } from './literal-call.ts'
export { tag } from './tag.ts'
export {
  again,
  closer,
  each,
  either,
  extra,
  id,
  idWithName,
  key,
  list,
  literal,
  name,
  newline,
  optional,
  perTool,
  skip,
  space,
  stray,
  Template,
  text,
  value,
  valueWith,
  wire,
  wrapper,
} from './template.ts'
