/**
 * Readers of JSON that is still arriving, each used as its documentation says.
 *
 * `read(chunks)` gives what a consumer sees: `seen`, a list of `{ path, value }` in order of time; `value`, the answer at
 * the end; and `isWhole`: true or false if the reader tells a whole document from a truncated one, undefined if not.
 */

import { JSONParser } from '@streamparser/json'
import { parsePartialJson } from 'ai'
import { parse as bestEffort } from 'best-effort-json-parser'
import { jsonrepair } from 'jsonrepair'
import { parse as river } from 'jsonriver'
import { parse as partialJson } from 'partial-json'
import { watchObject } from '../../dist/values/json/index.js'
import { copyOf } from './judge.mjs'

async function* streamOf(chunks) {
  yield* chunks
}

/** Readers that take the whole text so far, after every chunk. What they throw at is shown as nothing. */
const byParsingAgain = (parse) => async (chunks) => {
  const seen = []
  let text = ''
  let last = {}
  for (const chunk of chunks) {
    text += chunk
    last = await attempt(() => parse(text))
    if (last.value !== undefined) seen.push({ path: [], value: copyOf(last.value) })
  }
  return { seen, ...last }
}

async function attempt(parse) {
  try {
    return await parse()
  } catch (error) {
    return { value: undefined, isWhole: false, error: String(error.message) }
  }
}

export const JSON_PEERS = [
  {
    name: 'Sluice `watchObject`',
    claims: 'snapshots that only grow; a verdict at the end',
    async read(chunks) {
      const seen = []
      const watched = watchObject(streamOf(chunks))
      for await (const { value } of watched) seen.push({ path: [], value })
      const { value, status } = await watched.result
      return { seen, value, isWhole: status === 'complete' }
    },
  },
  {
    name: 'jsonriver',
    claims: 'a sequence of increasingly complete values; throws if the text ends early',
    async read(chunks) {
      const seen = []
      let value
      try {
        for await (value of river(streamOf(chunks))) seen.push({ path: [], value: copyOf(value) })
        return { seen, value: copyOf(value), isWhole: true }
      } catch {
        return { seen, value: copyOf(value), isWhole: false }
      }
    },
  },
  {
    name: '@streamparser/json',
    claims: 'values by path, partial ones marked `partial`; throws if the text ends early',
    async read(chunks) {
      const seen = []
      let value
      const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true })
      parser.onValue = (found) => {
        const path = [...found.stack.slice(1).map(({ key }) => key), found.key].filter(
          (key) => key !== undefined,
        )
        if (found.value !== undefined) seen.push({ path, value: copyOf(found.value) })
        if (found.stack.length === 0 && !found.partial) value = found.value
      }
      try {
        for (const chunk of chunks) parser.write(chunk)
        if (!parser.isEnded) parser.end()
        return { seen, value, isWhole: true }
      } catch {
        return { seen, value, isWhole: false }
      }
    },
  },
  {
    name: 'ai `parsePartialJson`',
    claims: 'the value so far; `state` says whether the text was repaired',
    read: byParsingAgain(async (text) => {
      const { value, state } = await parsePartialJson(text)
      return { value, isWhole: state === 'successful-parse' }
    }),
  },
  {
    name: 'partial-json',
    claims: 'as much of the value as there is, by default of every type',
    read: byParsingAgain((text) => ({ value: partialJson(text) })),
  },
  {
    name: 'best-effort-json-parser',
    claims: 'the partial data of an incomplete text',
    read: byParsingAgain((text) => ({ value: bestEffort(text) })),
  },
  {
    name: 'jsonrepair',
    claims: 'a repaired document, truncated ones too',
    read: byParsingAgain((text) => ({ value: JSON.parse(jsonrepair(text)) })),
  },
]
