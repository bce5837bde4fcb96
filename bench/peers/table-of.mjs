/** Measures one table, in a process of its own, so that no table is measured with code that was compiled for another. */

import { race } from './race.mjs'
import { WORKS } from './works.mjs'

const [name, cap, most] = process.argv.slice(2)
const { reference, contestants, sizes } = WORKS.find((work) => work.name === name)
const results = []
for (const { label, size, make, isRight } of sizes.slice(0, Number(most))) {
  const entrants = [reference, ...contestants].map((one) => ({
    ...one,
    run: one === reference ? (input) => ({ reference: one.run(input) }) : one.run,
  }))
  const times = await race(
    entrants,
    make(),
    (result) => result?.reference !== undefined || isRight(result),
    Number(cap),
  )
  results.push({ label, size, times })
}
process.send(results)
