/** A fence around calls that nothing marks, as models write it that were trained on Markdown. */

import { closer, literal, type Template, wire } from '../engine/wire/index.ts'

const FENCE = '```'

export function fenced(calls: Template): Template {
  return wire`${literal(`${FENCE}json`, `${FENCE}python`, `${FENCE}tool_code`, `${FENCE}tool_call`, `${FENCE}\n`)}
    ${calls}
    ${closer`${FENCE}`}`
}
