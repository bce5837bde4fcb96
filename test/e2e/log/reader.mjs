// Reads a run, and says on stdout which records it saw.
//
//   node reader.mjs LOG RUN LEASE
import { openLog } from './open-log.mjs'

const [address = '', id = '', lease] = process.argv.slice(2)
const log = await openLog(address, Number(lease))
for await (const record of log.read(id)) process.stdout.write(`${JSON.stringify(record)}\n`)
await log.shut()
process.exit()
