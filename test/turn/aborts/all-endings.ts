/**
 * A program: every end that a turn can come to on the wires that are named as arguments. It ends by itself only if nothing
 * is left open, and prints what was not as it should be.
 */

import { isFull } from '../../effort.ts'
import { WIRES } from '../wires.ts'
import { abortIn, MEANS } from './abort-in.ts'
import { ENDINGS, endOf } from './endings.ts'
import { STATES } from './states.ts'

process.on('unhandledRejection', (error) => console.log('unhandled rejection:', error))
process.on('warning', (warning) => console.log('warning:', warning.message))

let count = 0
for (const [at, name] of process.argv.slice(2).entries()) {
  const wire = WIRES[name]!
  for (const [nth, state] of STATES.entries())
    for (const means of isFull ? MEANS : [MEANS[(nth + at) % MEANS.length]!]) {
      count++
      for (const complaint of await abortIn(wire, state, means))
        console.log(`${name}, ${state.name}, ${means}: ${complaint}`)
    }
  for (const ending of ENDINGS) {
    count++
    const end = await endOf(wire, ending)
    if (end !== ending.end) console.log(`${name}, ${ending.name}: ${end}`)
  }
}
// A socket takes a moment to close, and the process would not end; a timer of ten minutes is to be noticed now.
const timers = process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout')
console.log(`${count} endings, ${timers.length} timers`)
process.on('exit', () => {
  const open = process.getActiveResourcesInfo().filter((resource) => /Timeout|TCP|Tickobject/i.test(resource))
  if (open.length > 0) console.log(`left open: ${open}`)
})
