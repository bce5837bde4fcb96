/** The forms in which a dialect writes a call, as its templates have them. */

import { createToolTable } from '../../engine/calls/tools.ts'
import { dialectsOf, type ParserOptions } from '../../engine/parser.ts'
import type { Dialect } from '../../engine/wire/dialect.ts'
import type { Node, Template } from '../../engine/wire/template.ts'

/** Those that a parser with these options looks for. A form with its own markup for each tool is there for each of them. */
export function callForms(
  options: ParserOptions,
  templatesOf: (dialect: Dialect) => readonly Template[],
): (readonly Node[])[] {
  if (options.calls === false) return []
  const { names } = createToolTable(options.tools)
  return dialectsOf(options).flatMap((dialect) =>
    templatesOf(dialect).flatMap(({ nodes }) => {
      const forms = nodes.flatMap((node) =>
        node.kind === 'per-tool' ? names.map((name) => node.make({ name, streams: undefined }).nodes) : [],
      )
      return forms.length > 0 ? forms : [nodes]
    }),
  )
}
