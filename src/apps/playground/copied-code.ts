/** What is looked at, as code to paste: a test with `node:test`, and the lines that read a stream like it. */

import type { SluiceEvent } from '../../base/event.ts'
import { foldEvents } from '../../engine/message.ts'
import { CHAT_TEMPLATE, type Settings } from './settings.ts'

/** A test that reads the text in these chunks, and expects these events, adjacent deltas joined. */
export function copyAsTest(
  settings: Settings,
  chunks: readonly string[],
  events: readonly SluiceEvent[],
): string {
  if (settings.form === 'events') return testOfMessage(events)
  const parser = settings.form === 'text' ? 'createSinkParser' : 'createProviderParser'
  const { imports, options } = readerCode(settings, parser)
  // In the text of a binary stream each character is one byte.
  const chunk = settings.form === 'bedrock' ? "Buffer.from(chunk, 'latin1')" : 'chunk'
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
      'delta' in event && last?.type === event.type && last.id === event.id &&
      JSON.stringify(last.path) === JSON.stringify(event.path)
    if (continues) events[events.length - 1] = { ...last, delta: last.delta + event.delta }
    else events.push(event)
  }
  const parser = ${parser}(sink, {
${indented(options, 4)}
    emit: { json: false, arguments: true },
  })
  for (const chunk of chunks) parser.push(${chunk})
${events.at(-1)?.type === 'finish' ? '  parser.end()\n' : ''}  assert.deepEqual(JSON.parse(JSON.stringify(events)), expected)
})
`
}

/** Recorded events are parsed already: the message that they make is what can be tested. */
function testOfMessage(events: readonly SluiceEvent[]): string {
  return `import assert from 'node:assert/strict'
import test from 'node:test'
import { foldEvents } from 'sluice'

const events = ${json(events)}

const expected = ${json(foldEvents(events))}

test('the message is as the playground showed it', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(foldEvents(events))), expected)
})
`
}

/** The lines that read such a stream. */
export function copyAsCode(settings: Settings): string {
  const { imports, read } = streamCode(settings)
  const source =
    settings.form === 'text'
      ? "const source = ['Hello'] // text in pieces, such as a stream of tokens"
      : `const url = 'https://example.com/v1/chat/completions'
const request = { method: 'POST', body: '{}' }
const source = await fetch(url, request)`
  return `${imports}

${source}

for await (const event of ${read}) {
  if (event.type === 'text-delta') console.log(event.delta)
  if (event.type === 'tool-call') console.log(event.toolName, event.input, event.status)
  if (event.type === 'error') console.error(event.error.message)
}
`
}

function streamCode(settings: Settings): { imports: string; read: string } {
  if (settings.form === 'events')
    return { imports: "import { readEvents } from 'sluice/providers'", read: 'readEvents(source)' }
  const name = settings.form === 'text' ? 'sluice' : 'readProvider'
  const { imports, options } = readerCode(settings, name)
  return { imports, read: `${name}(source, {\n${indented(options, 2)}\n})` }
}

/** The imports of a function that reads the stream, and the options that it takes. */
function readerCode(
  { form, dialect, template = '', tools, start }: Settings,
  name: string,
): { imports: string; options: readonly string[] } {
  const isText = form === 'text'
  const imports = [`import { ${name} } from '${isText ? 'sluice' : 'sluice/providers'}'`]
  const options: string[] = []
  if (!isText) {
    const isAny = form === 'provider'
    imports.push(`import { ${isAny ? 'anyProvider' : 'findProvider'} } from 'sluice/providers/any'`)
    options.push(`provider: ${isAny ? 'anyProvider' : `findProvider(${json(form)})`},`)
  }
  if (dialect === CHAT_TEMPLATE) {
    imports.push("import { dialectOfTemplate } from 'sluice/templates'")
    options.push(`dialect: dialectOfTemplate(${escaped(JSON.stringify(template))}).dialect,`)
  } else if (dialect !== 'auto') {
    imports.push("import { findDialect } from 'sluice/dialects'")
    options.push(`dialect: findDialect(${json(dialect)}),`)
  } else if (isText) {
    imports.push("import { detect } from 'sluice/dialects'")
    options.push('dialect: detect(),')
  }
  if (tools !== undefined) options.push(`tools: ${escaped(JSON.stringify(tools))},`)
  if (start !== 'text') options.push(`start: ${json(start)},`)
  return { imports: imports.join('\n'), options }
}

const indented = (lines: readonly string[], by: number): string =>
  lines.map((line) => ' '.repeat(by) + line).join('\n')

const json = (value: unknown): string => escaped(JSON.stringify(value, null, 2))

/** Characters that a reader would not see, or that an editor would obey, are escaped. */
function escaped(text: string): string {
  return text.replaceAll(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
