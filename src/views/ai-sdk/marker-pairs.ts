/** The markers between which a dialect writes a call, taken from its templates. */

import type { ParserOptions } from '../../engine/parser.ts'
import type { Node } from '../../engine/wire/template.ts'
import { callForms } from './call-forms.ts'

export interface MarkerPair {
  readonly open: string
  /** Empty where the format has none. */
  readonly close: string
}

/** The markers that a parser with these options looks for. A single bracket marks nothing. */
export function callMarkers(options: ParserOptions): MarkerPair[] {
  const pairs = callForms(options, ({ calls }) => calls).map((nodes) => {
    const literals = nodes.flatMap(literalsOf)
    return { open: literals[0] ?? '', close: literals.length > 1 ? literals.at(-1)! : '' }
  })
  return pairs.filter(({ open }) => open.length > 2)
}

function literalsOf(node: Node): string[] {
  if (node.kind === 'literal') return [node.forms[0]!]
  if (node.kind === 'wrapper' || node.kind === 'closer') return node.body.flatMap(literalsOf)
  return []
}
