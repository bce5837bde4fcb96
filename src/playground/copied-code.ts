/** What is looked at, as code to paste: a test with `node:test`, and the lines that read a stream like it. */

import type { SluiceEvent } from '../event.ts'
import type { Sample } from './settings.ts'

/** A test that reads the text in these chunks, and expects these events, adjacent deltas joined. */
export function copyAsTest(
  sample: Sample,
  chunks: readonly string[],
  events: readonly SluiceEvent[],
): string {
  const { imports, options, create } = readerCode(sample)
  return `import assert from 'node:assert/strict'
import test from 'node:test'
${imports}

const chunks = ${json(chunks)}

const expected = ${json(events)}

test('the events are as the playground showed them', () => {
  const events = []
  const sink = (event) => {
    const last = events.at(-1)
    const continues =
      'delta' in event && last?.type === event.type && last.id === event.id && String(last.path) === String(event.path)
    if (continues) events[events.length - 1] = { ...last, delta: last.delta + event.delta }
    else events.push(event)
  }
  const parser = ${create}(sink, {
${options}
    emit: { json: false, arguments: true },
  })
  for (const chunk of chunks) parser.push(chunk)
  parser.end()
  assert.deepEqual(JSON.parse(JSON.stringify(events)), expected)
})
`
}

/** The lines that read such a stream. */
export function copyAsCode(sample: Sample): string {
  const isText = sample.form === 'text'
  const { imports, options } = readerCode(sample, 'stream')
  const read = isText ? 'sluice' : 'readProvider'
  const source = isText
    ? "['Hello'] // text in pieces, such as a stream of tokens"
    : 'await fetch(url, request)'
  return `${imports}

${isText ? '' : "const url = 'https://example.com/v1/chat/completions'\nconst request = { method: 'POST', body: '{}' }\n"}const source = ${source}

for await (const event of ${read}(source, {
${options}
})) {
  if (event.type === 'text-delta') console.log(event.delta)
  if (event.type === 'tool-call') console.log(event.toolName, event.input, event.status)
  if (event.type === 'error') console.error(event.error.message)
}
`
}

function readerCode(
  { form, dialect, tools, start }: Sample,
  as: 'parser' | 'stream' = 'parser',
): { imports: string; options: string; create: string } {
  const isText = form === 'text'
  const read =
    as === 'parser'
      ? isText
        ? 'createSinkParser'
        : 'createProviderParser'
      : isText
        ? 'sluice'
        : 'readProvider'
  const imports = [`import { ${read} } from '${isText ? 'sluice' : 'sluice/providers'}'`]
  const options: string[] = []
  if (!isText) {
    const isAny = form === 'provider'
    imports.push(`import { ${isAny ? 'anyProvider' : 'findProvider'} } from 'sluice/providers/any'`)
    options.push(`provider: ${isAny ? 'anyProvider' : `findProvider(${json(form)})`},`)
  }
  if (dialect !== 'auto') {
    imports.push("import { findDialect } from 'sluice/dialects'")
    options.push(`dialect: findDialect(${json(dialect)}),`)
  } else if (isText) {
    imports.push("import { detect } from 'sluice/dialects'")
    options.push('dialect: detect(),')
  }
  if (tools !== undefined) options.push(`tools: ${JSON.stringify(tools)},`)
  if (start !== 'text') options.push(`start: ${json(start)},`)
  const indent = as === 'parser' ? '    ' : '  '
  return {
    imports: imports.join('\n'),
    options: options.map((line) => indent + line).join('\n'),
    create: read,
  }
}

/** Characters that a reader would not see, or that an editor would obey, are escaped. */
function json(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
