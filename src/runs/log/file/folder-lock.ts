/**
 * One process per folder. The lock is a file that names the process that holds it; one whose process is gone is taken
 * over.
 */

import { linkSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LogError, unavailable } from '../log-error.ts'

interface Holder {
  readonly pid: number
  /** When the process started, in the system's own measure: a pid is used again. */
  readonly started: string
}

const NAME = 'lock'

/** Returns what gives the folder up again. Throws `locked`. */
export function lockFolder(folder: string): () => void {
  const path = join(folder, NAME)
  const own = JSON.stringify({ pid: process.pid, started: startOf(process.pid) ?? '' } satisfies Holder)
  // A file that appears whole: it is written elsewhere, and then linked.
  const draft = join(folder, `${NAME}.${process.pid}.${globalThis.crypto.randomUUID()}`)
  writeFileSync(draft, own, { mode: 0o600 })
  try {
    for (;;) {
      try {
        linkSync(draft, path)
        return () => unlock(path, own)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      clearStale(folder, path)
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

function unlock(path: string, own: string): void {
  if (read(path) === own) rmSync(path, { force: true })
}

/** Removes a lock that nobody holds; throws if somebody does. */
function clearStale(folder: string, path: string): void {
  const found = read(path)
  if (found === undefined) return
  const holder = parse(found)
  if (holder !== undefined && startOf(holder.pid) === holder.started)
    throw new LogError(
      'locked',
      `The folder ${folder} is used by the process ${holder.pid}; a folder of runs serves one process. Use another folder, or Redis or NATS.`,
    )
  // Another process may have done the same in between. What is moved away is looked at before it is deleted.
  const aside = join(folder, `${NAME}.stale.${globalThis.crypto.randomUUID()}`)
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  try {
    if (read(aside) !== found) linkSync(aside, path)
  } catch {
    // A third process holds it by now.
  } finally {
    rmSync(aside, { force: true })
  }
}

/** Undefined if there is no such file. */
function read(path: string): string | undefined {
  try {
    // Reading a pipe waits for its other end.
    if (lstatSync(path).isFile()) return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unavailable(`The lock ${path} cannot be read`, error)
  }
  throw new LogError('unavailable', `The lock ${path} is not a regular file; remove it.`)
}

function parse(text: string): Holder | undefined {
  try {
    const { pid, started } = JSON.parse(text) as Partial<Holder>
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : undefined
  } catch {
    return undefined
  }
}

/** Undefined for a process that is not there; otherwise something that a later process with the same id does not have. */
function startOf(pid: number): string | undefined {
  try {
    // Behind the name, which may hold anything but ends with the last parenthesis: the state, and later the start.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // It has ended, and its parent has not noticed yet.
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch {
    // No such process, or a system without /proc.
  }
  try {
    process.kill(pid, 0)
    return 'alive'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'alive' : undefined
  }
}
