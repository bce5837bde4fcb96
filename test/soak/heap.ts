/**
 * The heap at moments of a long run, and whether it grows.
 *
 * @reads nothing
 */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** Frees what nobody needs. */
export const collect = runInNewContext('gc') as () => void

/** Bytes in use, once what nobody needs is gone. */
export function heapInUse(): number {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`

/** Each tenth of a run, in words. */
export const shown = (tenths: readonly number[]): string => tenths.map(megabytes).join(', ')

/** How much more the last tenth needs than the first, as a share of it. */
export const growthOf = (tenths: readonly number[]): number => tenths.at(-1)! / tenths[0]! - 1
