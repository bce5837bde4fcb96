/** A log in a folder. It serves one process per folder. */

import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { FIXED_LIMITS } from '../../../base/limits.ts'
import { checkOptions, type KnownOptions } from '../../../base/options.ts'
import { DEFAULT_TTL, type Log } from '../log.ts'
import { StoredLog } from '../stored-log.ts'
import { FileStore } from './file-store.ts'
import { lockFolder } from './folder-lock.ts'

/** Options of `openFileLog`. */
export interface FileLogOptions {
  /** How long a run is kept behind its last record (an hour), in milliseconds. */
  readonly ttlMs?: number
  /** Whether each record is on the disk before it counts. Without it (the default), a crash of the machine loses some. */
  readonly sync?: boolean
}

const OPTIONS: KnownOptions<FileLogOptions> = { ttlMs: 'number', sync: 'boolean' }

/**
 * Opens a folder of runs, and makes it where there is none.
 *
 *     const log = await openFileLog('./runs')
 *     const writer = await log.create({ provider: 'openai-chat', kind: 'bytes' })
 *
 * Throws `locked` where another process uses the folder.
 */
export async function openFileLog(folder: string, options: FileLogOptions = {}): Promise<Log> {
  checkOptions(options, OPTIONS)
  const { ttlMs = DEFAULT_TTL, sync = false } = options
  const path = resolve(folder)
  // What people say to a model is nobody else's business.
  await mkdir(path, { recursive: true, mode: 0o700 })
  const unlock = lockFolder(path)
  try {
    return new StoredLog(
      await FileStore.open(path, { ttlMs, sync, recordBytes: FIXED_LIMITS.recordBytes, unlock }),
    )
  } catch (error) {
    unlock()
    throw error
  }
}
