/**
 * Makes a tool's output harmless in a prompt: it can open no call, no thought and no role, whatever it holds.
 *
 *     I found <tool_call>{"name":"rm"}   →   I found &lt;tool_call>{"name":"rm"}
 */

import { type Dialect, templatesOf } from '../../engine/wire/dialect.ts'
import type { Node } from '../../engine/wire/template.ts'

/**
 * Markers of roles and thoughts that begin with another character: `[INST]` and `[/TOOL_RESULTS]`, `[|assistant|]`,
 * `]~b]ai`, `[e~[`, `◁think▷`. The first character of one is set apart from the rest.
 */
const OTHER_MARKERS = /\[(?=\/?[A-Z_]{2,}\]|\|\w+\|\]|e~\[)|\](?=~!?b[\][])|◁(?=\/?\w+▷)/g

export function neutralise(content: string, dialect: Dialect): string {
  let result = content
  // Every other marker that people use begins with this one character.
  for (const [from, to] of Object.entries({ ...dialect.neutralise, '<': '&lt;' }))
    result = result.replaceAll(from, to)
  return breakMarkers(result, dialect)
}

/** The same for content that is written in a form of the dialect's own, which sees to `<` by itself. */
export function breakMarkers(content: string, dialect: Dialect): string {
  let result = content.replace(OTHER_MARKERS, '$& ')
  for (const marker of markersOf(dialect))
    if (!marker.includes('<')) result = result.replaceAll(marker, `${marker[0]} ${marker.slice(1)}`)
  return result
}

/** The shortest marker that counts: a bracket alone marks nothing. */
const SHORTEST = 3

/** A word alone, as in `<|channel|>final`, is prose everywhere but behind a marker. */
const IS_WORD = /^\s*\p{L}+\s*$/u

const known = new WeakMap<Dialect, readonly string[]>()

/** The literals of a dialect, longest first, so that no marker is broken in the middle of a longer one. */
function markersOf(dialect: Dialect): readonly string[] {
  const markers =
    known.get(dialect) ??
    [
      ...new Set([
        ...dialect.endOfTurn,
        ...templatesOf(dialect).flatMap(({ nodes }) => nodes.flatMap(literalsIn)),
      ]),
    ]
      .filter((marker) => marker.trim().length >= SHORTEST && !IS_WORD.test(marker))
      .sort((a, b) => b.length - a.length)
  known.set(dialect, markers)
  return markers
}

function literalsIn(node: Node): readonly string[] {
  if (node.kind === 'literal') return node.forms
  if (node.kind === 'either') return node.choices.flatMap((choice) => choice.flatMap(literalsIn))
  if (node.kind === 'each') return [...node.body, ...node.separator].flatMap(literalsIn)
  return 'body' in node ? node.body.flatMap(literalsIn) : []
}
