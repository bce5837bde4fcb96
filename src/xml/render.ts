/** A value written as elements, for prompts: the inverse of reading one. */

import { SluiceError } from '../errors.ts'
import type { JsonValue } from '../event.ts'
import { checkOptions, type KnownOptions } from '../options.ts'
import { escapeText } from './entities.ts'
import { isElementName } from './tree.ts'

export interface RenderElementsOptions {
  /**
   * Write `<`, `>` and `&` in texts as character references. Default true. Without it, a text that
   * would be read as the end of an element is refused.
   */
  readonly escape?: boolean | undefined
  /** Spaces to indent nested elements by, each on its own line. Default: no lines and no spaces. */
  readonly indent?: number | undefined
}

const OPTIONS: KnownOptions<RenderElementsOptions> = { escape: 'boolean', indent: 'number' }

interface Step {
  readonly name: string
  readonly value: JsonValue
  readonly parent: Step | undefined
  readonly depth: number
}

/**
 * Writes a value as one element: objects as elements by their keys, lists as `<item>`s, `null` and the
 * other scalars as text. Read it back with the value's schema; without one, a text such as `"5"` comes
 * back as a number.
 *
 *     renderElements('edit', { path: 'a.ts', lines: [3, 5] })
 *     // '<edit><path>a.ts</path><lines><item>3</item><item>5</item></lines></edit>'
 */
export function renderElements(name: string, value: JsonValue, options: RenderElementsOptions = {}): string {
  checkOptions(options, OPTIONS)
  const { indent } = options
  const isEscaped = options.escape ?? true
  const newline = (depth: number): string => (indent === undefined ? '' : `\n${' '.repeat(indent * depth)}`)
  let xml = ''
  const waiting: (Step | string)[] = [{ name, value, parent: undefined, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') {
      xml += next
      continue
    }
    const step = next
    if (!isElementName(step.name))
      throw new SluiceError(
        'unrepresentable',
        `'${step.name}' cannot be the name of an element; rename the key.`,
      )
    const children = childrenOf(step.value)
    xml += `<${step.name}>`
    if (children.length === 0) xml += `${textOf(step, isEscaped)}</${step.name}>`
    else {
      waiting.push(`${newline(step.depth)}</${step.name}>`)
      for (const [key, child] of children.reverse())
        waiting.push(
          { name: key, value: child, parent: step, depth: step.depth + 1 },
          newline(step.depth + 1),
        )
    }
  }
  return xml
}

function childrenOf(value: JsonValue): [key: string, value: JsonValue][] {
  if (typeof value !== 'object' || value === null) return []
  return Array.isArray(value) ? value.map((item) => ['item', item]) : Object.entries(value)
}

function textOf(step: Step, isEscaped: boolean): string {
  const { value } = step
  if (typeof value !== 'string') return typeof value === 'object' && value !== null ? '' : String(value)
  if (isEscaped) return escapeText(value)
  if (value.includes('<'))
    for (let open: Step | undefined = step; open !== undefined; open = open.parent)
      if (value.includes(`</${open.name}`) || value.includes(`<${open.name}`))
        throw new SluiceError(
          'unrepresentable',
          `The text of <${step.name}> contains a tag of <${open.name}>, which would be read as its end; escape it.`,
        )
  return value
}
