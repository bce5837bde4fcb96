// Produces one run, record by record, and says on stdout which records are stored. It is killed while it does so.
//
//   node producer.mjs LOG SEED LEASE [PAUSE]

import { createParser, hermes, openLog } from './open-log.mjs'
import { piecesOf, randomOf } from './script.mjs'

const [address = '', seed, lease, pause = '4'] = process.argv.slice(2)
const log = await openLog(address, Number(lease))
const parser = createParser({ dialect: hermes })
const random = randomOf(Number(seed) + 1)
const writer = await log.create({ kind: 'text', dialect: 'hermes' })
const say = (/** @type {string} */ word) => process.stdout.write(`${word}\n`)
say(`run ${writer.id}`)
const start = Date.now()
for (const piece of piecesOf(Number(seed))) {
  const events = parser.push(piece)
  const n = writer.next
  await writer.append({ at: Date.now() - start, input: piece, events })
  say(`stored ${n}`)
  await new Promise((resolve) => setTimeout(resolve, random() * Number(pause)))
}
await writer.close({ at: Date.now() - start, events: parser.end(), end: 'finished' })
say('closed')
await log.shut()
process.exit()
