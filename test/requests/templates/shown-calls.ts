import type { Dialect } from '../../../src/engine/wire/dialect.ts'
import { showTemplate } from '../../../src/engine/wire/template.ts'

/** How a dialect's calls are written, in the template language. */
export function shownCalls({ calls, weakCalls }: Dialect): string {
  return [...calls, ...weakCalls].map(({ nodes }) => showTemplate(nodes)).join('\n')
}
