/** The markers between which a dialect writes a call, taken from its templates. */

import { createToolTable } from '../../calls/tools.ts'
import type { ParserOptions } from '../../parser.ts'
import { namesCall } from '../../wire/call-layout.ts'
import type { Dialect } from '../../wire/dialect.ts'
import type { Node } from '../../wire/template.ts'

export interface MarkerPair {
  readonly open: string
  /** Empty where the format has none. */
  readonly close: string
  /** The same where nothing but the closer is read behind a call that is whole. */
  readonly lateClose: string
}

/** The markers that a parser with these options looks for. */
export function callMarkers({ dialect = [], tools, calls }: ParserOptions): MarkerPair[] {
  const { names } = createToolTable(tools)
  return calls === false ? [] : [dialect].flat().flatMap((one: Dialect) => markerPairs(one, names))
}

/** The literals between which the dialect writes a call. A single bracket marks nothing. */
function markerPairs({ calls }: Dialect, names: readonly string[]): MarkerPair[] {
  const pairs = calls.flatMap(({ nodes }) => {
    const lists = nodes.flatMap((node) =>
      node.kind === 'per-tool' ? names.map((name) => node.make({ name, streams: undefined }).nodes) : [],
    )
    return (lists.length > 0 ? lists : [nodes]).map((list) => {
      const literals = list.flatMap(literalsOf)
      const close = literals.length > 1 ? literals.at(-1)! : ''
      return { open: literals[0] ?? '', close, lateClose: endsWithCall(list) ? close : '' }
    })
  })
  return pairs.filter(({ open }) => open.length > 2)
}

/** One call, and nothing behind it but its closers: no section of several calls, no bracket of a list. */
function endsWithCall(nodes: readonly Node[]): boolean {
  const isSection = nodes.some((node) => node.kind === 'each' && namesCall(node.body))
  const written = nodes.filter(({ kind }) => kind !== 'space')
  const last = written.findIndex((_, at) => written.slice(at).every(({ kind }) => kind === 'closer')) - 1
  return !isSection && last >= 0 && written[last]!.kind !== 'literal'
}

function literalsOf(node: Node): string[] {
  if (node.kind === 'literal') return [node.forms[0]!]
  if (node.kind === 'wrapper' || node.kind === 'closer') return node.body.flatMap(literalsOf)
  return []
}
