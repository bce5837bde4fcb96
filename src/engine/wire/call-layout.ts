/**
 * Where the parts of a call stand in its template: the part behind which its name is known, the part behind which it
 * is over, and the markers that end it.
 *
 *     <tool_call>⏎<function=${name}>…</function>⏎${closer`</tool_call>`}
 *                                  ^ named      ^ over
 */

import { insideOf, type Node } from './template.ts'

/** Whole calls that are repeated. */
export function isSection(node: Node): node is Node & { kind: 'each' } {
  return node.kind === 'each' && namesCall(node.body)
}

/** Does one of these parts give the call's name, or the id it comes with? */
export function namesCall(nodes: readonly Node[]): boolean {
  return nodes.some((node) => {
    switch (node.kind) {
      case 'word':
        return node.role !== 'key'
      case 'tag':
        return node.header
      case 'reader':
        return node.type.namesCall
      case 'per-tool':
      case 'unnamed':
        return true
      default:
        return insideOf(node).some(namesCall)
    }
  })
}

/**
 * How many parts have been read when the call's name (and its id, where that comes first) is known; -1 where a reader
 * finds the name. In a template made for one tool, that is behind the first part that holds the tool's name. Where the
 * name stands alone, prose may go on with it, so that the call is certain where the next part begins.
 */
export function certainAt(nodes: readonly Node[], tool: string): number {
  const alone = nodes.findIndex((node) => node.kind === 'literal' && node.forms[0] === tool)
  if (alone !== -1) return nodes.findIndex((node, index) => index > alone && node.kind !== 'space')
  let certain = -1
  let isNamed = tool === ''
  for (const [index, node] of nodes.entries()) {
    if (node.kind === 'each' || node.kind === 'value' || node.kind === 'reader') break
    if (!isNamed || namesCall([node])) certain = index + 1
    isNamed ||= writes(node, tool)
  }
  return certain
}

/** Does the markup of this part hold the tool's name? */
function writes(node: Node, tool: string): boolean {
  if (node.kind === 'literal') return node.forms.some((form) => form.includes(tool))
  if (node.kind === 'tag') return node.names.some((name) => name.includes(tool))
  return insideOf(node).some((nodes) => nodes.some((inner) => writes(inner, tool)))
}

/**
 * How many parts of a call have been read when it is over; 0 if the end of the last part cannot be recognised.
 * Closing markers that may be missing come after that.
 */
export function endOf(nodes: readonly Node[]): number {
  const last = lengthWithout(nodes, isTail)
  if (endsByItself(nodes.slice(0, last))) return last
  return nodes.findIndex((node, index) => index >= last && node.kind === 'closer') + 1
}

/** The index of the part before the markup at the end: from here on, a marker may end the call. */
export function firstEnding(nodes: readonly Node[]): number {
  return lengthWithout(nodes, isMarkup) - 1
}

/** The spellings of a marker that ends something: a literal, or the closer that a reader reads itself. */
export function endMarkers(node: Node | undefined): readonly string[] {
  if (node?.kind === 'literal') return node.forms
  if (node?.kind === 'reader' && node.type.closer !== undefined) return [node.type.closer]
  if (node?.kind === 'either') return node.choices.flatMap(([first]) => endMarkers(first))
  return node?.kind === 'closer' ? endMarkers(node.body[0]) : []
}

/** The number of parts without those at the end for which the predicate holds. */
function lengthWithout(nodes: readonly Node[], isDropped: (node: Node) => boolean): number {
  let count = nodes.length
  while (count > 0 && isDropped(nodes[count - 1]!)) count--
  return count
}

/** A part that may be missing behind a call. */
function isTail(node: Node): boolean {
  return (
    node.kind === 'closer' ||
    node.kind === 'space' ||
    node.kind === 'newline' ||
    node.kind === 'again' ||
    (node.kind === 'extra' && node.code === 'stray-markup') ||
    (node.kind === 'optional' && !node.isInside && node.body.every(isMarkup))
  )
}

function isMarkup(node: Node): boolean {
  return node.kind === 'literal' || isTail(node)
}

/** Is the end of the last part recognised without lookahead? */
function endsByItself(nodes: readonly Node[]): boolean {
  const last = nodes.at(-1)
  switch (last?.kind) {
    case 'literal':
    case 'reader':
    case 'tag':
      return true
    case 'optional':
      return last.isInside === true
    case 'closer':
      return endsByItself(last.body)
    case 'either':
      return last.choices.every(endsByItself)
    default:
      return false
  }
}
