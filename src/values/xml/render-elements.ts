/** A value written as elements, for prompts: the inverse of reading one. */

import { SluiceError } from '../../base/errors.ts'
import type { JsonValue } from '../../base/event.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import { escapeAttribute, escapeText } from './entities.ts'
import { isElementName, tagNameAt } from './tree.ts'

/** Options of `renderElements`. */
export interface RenderElementsOptions {
  /**
   * Write `<`, `>` and `&` in texts as character references. Default true. Without it, a text that
   * would be read as the end of an element is refused.
   */
  readonly escape?: boolean | undefined
  /** Spaces to indent nested elements by, each on its own line. Default: no lines and no spaces. */
  readonly indent?: number | undefined
  /** Keys that begin with this, such as `@_`, are attributes. Default: all are elements. */
  readonly attributePrefix?: string | undefined
  /** The key of an object for text beside its elements or attributes. Default: it is an element. */
  readonly textKey?: string | undefined
}

const OPTIONS: KnownOptions<RenderElementsOptions> = {
  escape: 'boolean',
  indent: 'number',
  attributePrefix: 'string',
  textKey: 'string',
}

/** An element that is to be written, or the end of one. */
type Step =
  | { readonly name: string; readonly value: JsonValue; readonly depth: number }
  | { readonly ends: string; readonly value: JsonValue; readonly depth: number }

/** Spaces, and levels beyond which nothing is indented further: otherwise deep values would become very long texts. */
const MAX_INDENT = 16
const MAX_INDENTED = 100

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
  const { indent, escape: isEscaped = true } = options
  if (indent !== undefined && !(indent >= 0 && indent <= MAX_INDENT))
    throw new SluiceError(
      'invalid-option',
      `'indent' is a number of spaces up to ${MAX_INDENT}, not ${indent}.`,
    )
  const newline = (depth: number): string =>
    indent === undefined ? '' : `\n${' '.repeat(indent * Math.min(depth, MAX_INDENTED))}`
  let xml = ''
  /** The elements that are open: how many of each name, and what they hold. */
  const open = new Map<string, number>()
  const around = new Set<JsonValue>()
  const waiting: Step[] = [{ name, value, depth: 0 }]
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const { value, depth } = step
    if ('ends' in step) {
      xml += `${newline(depth)}</${step.ends}>`
      open.set(step.ends, open.get(step.ends)! - 1)
      around.delete(value)
      continue
    }
    const { name } = step
    checkName(name, 'an element')
    if (around.has(value)) throw new SluiceError('unrepresentable', `The value of <${name}> holds itself.`)
    open.set(name, (open.get(name) ?? 0) + 1)
    const { attributes, text, children } = contentOf(value, options)
    xml += `${depth === 0 ? '' : newline(depth)}<${name}${attributes}>`
    xml += isEscaped ? escapeText(text) : unescaped(text, name, open)
    if (children.length === 0) {
      xml += `</${name}>`
      open.set(name, open.get(name)! - 1)
      continue
    }
    around.add(value)
    waiting.push({ ends: name, value, depth })
    for (const [key, child] of children.reverse()) waiting.push({ name: key, value: child, depth: depth + 1 })
  }
  return xml
}

interface Content {
  readonly attributes: string
  readonly text: string
  readonly children: [key: string, value: JsonValue][]
}

function contentOf(value: JsonValue, { attributePrefix, textKey }: RenderElementsOptions): Content {
  const isScalar = (value: JsonValue): boolean => typeof value !== 'object' || value === null
  if (isScalar(value)) return { attributes: '', text: String(value), children: [] }
  if (Array.isArray(value)) return { attributes: '', text: '', children: value.map((item) => ['item', item]) }
  let attributes = ''
  let text = ''
  const children: [string, JsonValue][] = []
  for (const [key, child] of Object.entries(value as object) as [string, JsonValue][])
    if (key === textKey && isScalar(child)) text = String(child)
    else if (attributePrefix && key.startsWith(attributePrefix) && isScalar(child)) {
      const name = key.slice(attributePrefix.length)
      checkName(name, 'an attribute')
      attributes += ` ${name}="${escapeAttribute(String(child))}"`
    } else children.push([key, child])
  return { attributes, text, children }
}

function checkName(name: string, what: string): void {
  if (!isElementName(name))
    throw new SluiceError('unrepresentable', `'${name}' cannot be the name of ${what}; rename the key.`)
}

/** A text as it is, unless a tag in it would be taken for one of an element around it. */
function unescaped(text: string, name: string, open: ReadonlyMap<string, number>): string {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    const tag = tagNameAt(text, at)
    if ((open.get(tag) ?? 0) > 0)
      throw new SluiceError(
        'unrepresentable',
        `The text of <${name}> contains a tag of <${tag}>, which would be read as its end; escape it.`,
      )
  }
  return text
}
