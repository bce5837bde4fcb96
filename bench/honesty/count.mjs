/** Counts what each reader does with all texts and all cuts. */

import { at, canonical, contradicts, cutsOf, difference, surplus } from './judge.mjs'

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)

/** A truncated text for every place where one can end. */
const prefixesOf = (text) => Array.from({ length: text.length - 1 }, (_, index) => text.slice(0, index + 1))

/** @param {(typeof import('./json-peers.mjs').JSON_PEERS)[number]} peer */
export async function countJson({ read }, documents) {
  const counted = { surplus: 0, wrong: 0, contradicted: 0, snapshots: 0, passed: 0, truncated: 0 }
  for (const { text } of documents) {
    const wanted = JSON.parse(text)
    const readings = []
    for (const chunks of cutsOf(text)) readings.push(await read(chunks))
    counted.surplus += surplus(readings.map(({ value }) => value))
    if (readings.some(({ value }) => canonical(value) !== canonical(wanted))) counted.wrong++
    // One character at a time, when the most can be seen.
    const { seen } = readings.at(-1)
    counted.snapshots += seen.length
    counted.contradicted += seen.filter(({ path, value }) => contradicts(value, at(wanted, path))).length
    for (const prefix of prefixesOf(text)) {
      const { value, isWhole } = await read([prefix])
      counted.truncated++
      if (value !== undefined && isWhole !== false) counted.passed++
    }
  }
  return counted
}

const withoutIds = (calls) => calls.map(({ toolName, input }) => ({ toolName, input }))

/** @param {(typeof import('./text-peers.mjs').PROTOCOLS)[number]['peers'][number]} peer */
export async function countText({ read }, messages) {
  const counted = { surplus: 0, wrong: 0, leaked: 0, unlike: 0, calls: 0, passed: 0, truncated: 0, notes: [] }
  for (const { what, text, visible, calls } of messages) {
    const wanted = canonical(withoutIds(calls))
    const readings = []
    for (const chunks of cutsOf(text)) readings.push(await read(chunks))
    counted.surplus += surplus(readings.map((one) => ({ text: one.text, calls: withoutIds(one.calls) })))
    const isWrong = readings.some((one) => canonical(withoutIds(one.calls)) !== wanted)
    if (isWrong) counted.wrong++
    const differences = [...new Set(readings.map((one) => one.text))].map((shown) =>
      difference(shown, visible),
    )
    const leaked = Math.max(...differences.map((one) => one.leaked))
    counted.leaked += leaked
    if (isWrong || leaked > 0) counted.notes.push(what)
    counted.calls += sum(readings.map((one) => one.calls.length))
    counted.unlike += sum(readings.map((one) => one.unlike))
    for (const prefix of prefixesOf(text)) {
      // Of a prefix, the calls may run whose arguments are all there, with these arguments.
      const whole = calls.filter((call) => call.whole <= prefix.length)
      if (whole.length === calls.length) continue
      counted.truncated++
      const run = (await read([prefix])).calls
      if (withoutIds(run).some((call, index) => canonical(call) !== canonical(withoutIds(whole)[index])))
        counted.passed++
    }
  }
  return counted
}

/** @param {(typeof import('./provider-peers.mjs').PROVIDER_PEERS)[number]['peers'][number]} peer */
export async function countProvider({ read }, inputs) {
  const counted = { surplus: 0, wrong: 0, contradicted: 0, snapshots: 0, told: 0, untold: 0, truncated: 0 }
  for (const { input } of inputs) {
    const text = JSON.stringify(input)
    const readings = []
    for (const pieces of cutsOf(text)) readings.push(await read(pieces, 'calls', input))
    counted.surplus += surplus(readings.map(({ offered }) => offered))
    if (readings.some(({ offered }) => canonical(offered) !== canonical(input))) counted.wrong++
    const { seen } = readings.at(-1)
    counted.snapshots += seen.length
    counted.contradicted += seen.filter((value) => contradicts(value, input)).length
    for (const prefix of prefixesOf(text)) {
      counted.truncated++
      if ((await read([prefix], 'length', input)).offered !== undefined) counted.told++
      if ((await read([prefix], 'calls', input)).offered !== undefined) counted.untold++
    }
  }
  return counted
}
