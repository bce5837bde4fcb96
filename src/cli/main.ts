#!/usr/bin/env node
/** The `sluice` command, in this process. */

import { run } from './run.ts'

/** Whoever reads the output may leave first, as `head` does; that is no fault of ours. A full disk is one. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  process.stderr.write(`sluice: What was found cannot be written: ${error.message}.\n`)
  process.exit(1)
})
// Nobody is left who could be told.
process.stderr.on('error', () => process.exit(1))
process.exitCode = await run(process.argv.slice(2), process)
