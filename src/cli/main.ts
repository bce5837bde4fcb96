#!/usr/bin/env node
/** The `sluice` command, in this process. */

import { run } from './run.ts'

/** Whoever reads the output may leave first, as `head` does; that is no fault of ours. */
function onBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}

process.stdout.on('error', onBrokenPipe)
process.stderr.on('error', onBrokenPipe)
process.exitCode = await run(process.argv.slice(2), process)
