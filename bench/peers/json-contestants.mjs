/**
 * Readers of JSON that arrives in chunks, each used as its documentation says. After every chunk the consumer asks how
 * long the text of `content` is, as far as the reader tells.
 */

import { JSONParser } from '@streamparser/json'
import { parsePartialJson } from 'ai'
import { parse as bestEffort } from 'best-effort-json-parser'
import { jsonrepair } from 'jsonrepair'
import { parse as river } from 'jsonriver'
import { parse as partialJson } from 'partial-json'
import { jsonParser as streamJson } from 'stream-json/parser.js'
import { hermes } from '../../dist/dialects/index.js'
import { createSinkParser } from '../../dist/index.js'
import { createJsonParser, watchObject } from '../../dist/values/json/index.js'

export async function* streamOf(chunks) {
  yield* chunks
}

/** What any reader has to do at least: keep the text. */
export const concatenation = {
  name: 'concatenation',
  gives: 'nothing',
  run(chunks) {
    let text = ''
    for (const chunk of chunks) text += chunk
    return text.charCodeAt(0)
  },
}

/** Reads the whole text so far again after every chunk. */
const byParsingAgain = (name, parse) => ({
  name,
  gives: 'snapshots',
  async run(chunks, clock) {
    let text = ''
    let value
    for (const [at, chunk] of chunks.entries()) {
      text += chunk
      try {
        value = parse(text)
        if (value instanceof Promise) value = await value
      } catch {
        // The text so far is none that it takes.
      }
      if (clock.isOver((at + 1) / chunks.length)) return undefined
    }
    return value
  },
})

const watching = (name, gives, options) => ({
  name,
  gives,
  async run(chunks) {
    let last
    for await (const { value } of watchObject(streamOf(chunks), undefined, options)) last = value
    return last
  },
})

export const SNAPSHOT_READERS = [
  watching('Sluice `watchObject`', 'snapshots', {}),
  watching('Sluice `watchObject`, in place', 'snapshots, one object that grows', { inPlace: true }),
  {
    name: 'jsonriver',
    gives: 'snapshots, one object that grows',
    async run(chunks) {
      let last
      for await (const value of river(streamOf(chunks))) last = value
      return last
    },
  },
  byParsingAgain('ai `parsePartialJson`', async (text) => (await parsePartialJson(text)).value),
  byParsingAgain('partial-json', (text) => partialJson(text)),
  byParsingAgain('best-effort-json-parser', (text) => bestEffort(text)),
  byParsingAgain('jsonrepair', (text) => JSON.parse(jsonrepair(text))),
]

/** The parser reads the arguments inside a call, which it is given as well. */
const DECODED = { json: false, arguments: true, input: false }
const argumentsOfCall = {
  name: 'Sluice parser, hermes',
  gives: 'live deltas',
  isOfText: true,
  run(chunks) {
    let content = ''
    const parser = createSinkParser(
      (event) => {
        if (event.type === 'argument-delta' && event.path[0] === 'content') content += event.delta
      },
      { dialect: hermes, emit: DECODED },
    )
    parser.push('<tool_call>{"name": "write_file", "arguments": ')
    for (const chunk of chunks) parser.push(chunk)
    parser.push('}</tool_call>')
    parser.end()
    return { content }
  },
}

/** `isOfText`: the consumer takes the text of an argument, and no other values. */
export const DELTA_READERS = [
  argumentsOfCall,
  {
    name: 'Sluice `createJsonParser`',
    gives: 'live deltas',
    run(chunks) {
      let seen = 0
      const parser = createJsonParser({
        onEvent(event) {
          if (event.type === 'delta') seen += event.text.length
        },
      })
      for (const chunk of chunks) parser.push(chunk)
      parser.end()
      return { ...parser.value, seen }
    },
  },
  {
    name: 'stream-json, its parser stage',
    gives: 'live deltas, no value',
    isOfText: true,
    run(chunks) {
      let content = ''
      let isContent = false
      const read = streamJson({ packStrings: false, streamStrings: true, packKeys: true, streamKeys: false })
      for (const chunk of chunks)
        for (const { name, value } of read(chunk).values ?? []) {
          if (name === 'keyValue') isContent = value === 'content'
          else if (isContent && name === 'stringChunk') content += value
        }
      return { content }
    },
  },
  {
    name: '@streamparser/json',
    gives: 'snapshots of each value',
    run(chunks) {
      let last
      const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true })
      parser.onValue = ({ value }) => {
        last = value
      }
      for (const chunk of chunks) parser.write(chunk)
      return last
    },
  },
]
