/**
 * The yaml-xml dialect: the tool's name is the tag, and its arguments are YAML. An entry of its own, because
 * it brings a YAML library.
 *
 *     <write_file>
 *     path: src/main.rs
 *     content: |
 *       fn main() {}
 *     </write_file>
 */

import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Scalar,
  stringify,
  visit,
  type YAMLParseError,
  type YAMLWarning,
} from 'yaml'
import type { JsonValue } from '../../base/event.ts'
import { define } from '../../engine/wire/dialect.ts'
import { type BodyNotation, body, type Dialect, perTool, tag, text, wire } from '../../engine/wire/index.ts'
import { jsonNumber } from '../../values/numbers/exact.ts'
import { keepNumber } from '../../values/numbers/written.ts'
import { fencedCalls } from '../fenced-call.ts'

type IsString = Parameters<BodyNotation['read']>[1]

const yaml: BodyNotation = {
  name: 'yaml',
  read(source, isString) {
    if (isTooDeep(source)) return 'It is too deeply nested.'
    try {
      // The core schema gives JSON's types; a tag for another type is a problem, and so is a second document, which
      // the library would leave out. Repeated keys are looked for here, because the library compares each key with
      // all the others.
      const document = parseDocument(source.replace(LAST_MARKER, '\n'), {
        schema: 'core',
        resolveKnownTags: false,
        uniqueKeys: false,
        logLevel: 'error',
      })
      const [problem] = [...document.errors, ...document.warnings]
      if (problem !== undefined) return problemOf(problem)
      const repeated = repeatedKey(document)
      if (repeated !== undefined) return `The key '${repeated}' is there twice.`
      keepText(document.contents, [], isString)
      const value: unknown = document.toJS({ maxAliasCount: 10 })
      keepNumbers(document.contents, value, document)
      if (value === null || value === undefined) return {}
      return typeof value === 'object' && !Array.isArray(value)
        ? (value as { [key: string]: JsonValue })
        : 'It has no keys.'
    } catch {
      return undefined
    }
  },
  write: (input) => (isEmpty(input) ? '' : stringify(input, { lineWidth: 0, schema: 'core' })),
}

/**
 * Keys keep their characters, and so do unquoted numbers and booleans where a string may stand and they may not, such as `zip: 01234`.
 */
function keepText(node: unknown, path: readonly (string | number)[], isString: IsString): void {
  if (isMap(node))
    for (const { key, value } of node.items) {
      if (isScalar(key) && typeof key.value === 'number') key.value = key.source
      keepText(value, [...path, isScalar(key) ? String(key.value) : ''], isString)
    }
  else if (isSeq(node))
    for (const [index, item] of node.items.entries()) keepText(item, [...path, index], isString)
  else if (
    isScalar(node) &&
    (typeof node.value === 'number' || typeof node.value === 'boolean') &&
    (isString(path) || isRounded(node))
  )
    node.value = node.source
}

const isRounded = ({ value, source = '' }: Scalar): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && /^[-+]?0[ox]/i.test(source)

/** Numbers keep how they were written, also where an alias repeats one. */
function keepNumbers(node: unknown, value: unknown, document: Document.Parsed): void {
  if (typeof value !== 'object' || value === null) return
  const keep = (key: string | number, item: unknown): void => {
    const inner = isAlias(item) ? item.resolve(document) : item
    const isNumber = isScalar(inner) && typeof inner.value === 'number' && isDecimal(inner.source)
    if (isNumber) keepNumber(value, key, jsonNumber(inner.source!))
    else if (inner === item) keepNumbers(item, (value as Record<string | number, unknown>)[key], document)
  }
  if (isMap(node))
    for (const { key, value: item } of node.items) keep(String(isScalar(key) ? key.value : key), item)
  else if (isSeq(node)) for (const [index, item] of node.items.entries()) keep(index, item)
}

const isDecimal = (source = ''): boolean => /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(source)

function repeatedKey(document: Document.Parsed): string | undefined {
  let repeated: string | undefined
  visit(document, {
    Map(_, map) {
      const keys = new Set<unknown>()
      for (const { key } of map.items) {
        const name = isScalar(key) ? String(key.value) : key
        if (keys.has(name)) repeated ??= String(name)
        keys.add(name)
      }
    },
  })
  return repeated
}

/** The end of a document behind which nothing stands. */
const LAST_MARKER = /\n---\s*$/

/** What the library says, without the lines that it shows: the model sees its call. */
function problemOf({ code, message }: YAMLParseError | YAMLWarning): string {
  if (code === 'MULTIPLE_DOCS') return 'It has more than one document.'
  return `${message.split(':\n')[0]}.`
}

/** The library descends one call per level, so a body that only nests must not reach it. */
function isTooDeep(source: string): boolean {
  let open = 0
  let nested = 0
  for (let at = 0; at < source.length; at++) {
    const character = source[at]!
    if (character === '[' || character === '{') open++
    else if (character === ']' || character === '}') open--
    else if (character === '\n') nested = 0
    else if ((character === '-' || character === '?' || character === ':') && source[at + 1] === ' ') nested++
    if (open > MOST_LEVELS || nested > MOST_LEVELS) return true
  }
  return false
}

const MOST_LEVELS = 100

function isEmpty(input: JsonValue): boolean {
  return input !== null && typeof input === 'object' && Object.keys(input).length === 0
}

/** The tool's own name is the tag, and its arguments are YAML. It needs the package `yaml`. */
export const yamlXml: Dialect = define('yaml-xml', {
  call: wire`${perTool(({ name }) => wire`${tag(name, {}, { others: 'none' })}${body(name, yaml)}`)}`,
  guessedCall: fencedCalls,
  result: wire`<tool_response>${text}</tool_response>`,
  spacedTags: true,
  knownToolsOnly: true,
  neutralise: { '<': '&lt;' },
  aliases: ['yaml_xml'],
})
