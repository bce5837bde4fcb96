#!/usr/bin/env node
/** The `sluice` command, in this process. */

import { sanitise } from '../terminal/sanitise.ts'
import { run } from './run.ts'

/** The reader of the output may leave first, as `head` does; that is no failure. A full disk is one. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  process.stderr.write(`sluice: The output cannot be written: ${error.message}.\n`)
  process.exit(1)
})
// Standard error is closed, and nothing can be reported.
process.stderr.on('error', () => process.exit(1))
try {
  process.exitCode = await run(process.argv.slice(2), process)
} catch (error) {
  // A fault of ours. Its message may quote what was read.
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${sanitise(what, 'visualise')}\n`)
  process.exitCode = 1
}
