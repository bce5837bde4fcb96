/** A fence around calls that nothing marks, as models write it that were trained on Markdown. */

import { closer, literal, type Template, wire } from '../engine/wire/index.ts'
import { ahead } from '../engine/wire/template.ts'

const FENCE = '```'

export function fenced(calls: Template): Template {
  return wire`${literal(`${FENCE}json`, `${FENCE}python`, `${FENCE}tool_code`, `${FENCE}tool_call`, `${FENCE}\n`)}
    ${calls}
    ${closer`${FENCE}`}`
}

/** The same on one line, or code in a line; `first`: what the calls begin with. */
export function quoted(calls: Template, first: string): readonly Template[] {
  return ['`', FENCE].map((mark) => wire`${ahead(mark, first)}${calls}${closer`${mark}`}`)
}
