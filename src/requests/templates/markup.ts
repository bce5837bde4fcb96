/** Markup that was found in a text, as parts of a template. */

import { wire } from '../../engine/wire/index.ts'
import { type Node, Template } from '../../engine/wire/template.ts'

export type Part = Node | Template | string

/** Markup as it stands, but that any white space, or none, may stand where it has a line break. */
export function markup(text: string): Part[] {
  return text.split(/(\s*\n\s*)/).map((piece) => (piece.includes('\n') ? whiteSpace(piece) : piece))
}

/** The same before or behind JSON, where white space means nothing. */
export function markupBefore(text: string): Part[] {
  const end = text.trimEnd().length
  return [...markup(text.slice(0, end)), whiteSpace(text.slice(end))]
}

export function markupBehind(text: string): Part[] {
  const start = text.length - text.trimStart().length
  return [whiteSpace(text.slice(0, start)), ...markup(text.slice(start))]
}

function whiteSpace(written: string): Node {
  return { kind: 'space', written }
}

/** A template of these parts. White space that follows white space is one. */
export function templateOf(parts: readonly Part[]): Template {
  const nodes: Node[] = []
  for (const node of parts.flatMap((part) => wire(part).nodes)) {
    const last = nodes.at(-1)
    if (node.kind === 'space' && last?.kind === 'space')
      nodes.splice(-1, 1, { kind: 'space', written: last.written + node.written })
    else if (
      node.kind === 'literal' &&
      last?.kind === 'literal' &&
      last.forms.length + node.forms.length === 2
    )
      nodes.splice(-1, 1, { kind: 'literal', forms: [`${last.forms[0]}${node.forms[0]}`] })
    else nodes.push(node)
  }
  return new Template(nodes)
}
