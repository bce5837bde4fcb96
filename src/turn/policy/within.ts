/** Whether a path is in a folder, however it is written. */

import { SluiceError } from '../../base/errors.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import { agreeing } from './combine.ts'
import { type Matcher, readCharacters } from './matcher.ts'
import { type Folder, hasDrive, PathReader, type PathSystem } from './path-reader.ts'

/** Options of `within`. */
export interface WithinOptions {
  /** The folder that relative paths are relative to. Without it they are unreadable if the root is absolute. */
  readonly base?: string
  /** Which system reads the paths. Without it, both have to agree; a root on a drive is one of Windows. */
  readonly system?: 'posix' | 'windows'
  /** Whether upper and lower case are the same. Without it, both have to agree; on Windows they are. */
  readonly ignoreCase?: boolean
  /** Whether `%2e` is a dot. Without it, both have to agree. */
  readonly decodePercent?: boolean
}

const OPTIONS: KnownOptions<WithinOptions> = {
  base: 'any',
  system: ['posix', 'windows'],
  ignoreCase: 'boolean',
  decodePercent: 'boolean',
}

/**
 * The path is this folder or leads into it.
 *
 *     within('/home/app')                    // /home/app/src//a.ts, but not /home/app/../x; a.ts is unreadable
 *     within('src', { base: '/home/app' })   // src/a.ts, ./src//a.ts, /home/app/src, but not src/../x
 *
 * A path that systems read in different ways (`src\..\..\x`, `SRC/a`, `%2e%2e/x`, `．．/x`), that begins with `~`, that
 * has space around it, or whose start is unknown, is unreadable: it is never allowed because of this, and asked for
 * where it might be denied.
 * Links are not followed, because nothing is looked up.
 */
export function within(root: string, options: WithinOptions = {}): Matcher {
  checkOptions(options, OPTIONS)
  const base = options.base === undefined ? undefined : folderOf(options.base)
  if (base !== undefined && !base.isAbsolute)
    throw new SluiceError(
      'invalid-rule',
      `The base ${JSON.stringify(options.base)} must be an absolute path.`,
    )
  const written = folderOf(root)
  const target =
    written.isAbsolute || base === undefined
      ? written
      : { names: resolved([...base.names, ...written.names]), isAbsolute: true }
  // Where an absolute root is known but not where a tool runs, a relative path may lead anywhere.
  const start = base?.names ?? (target.isAbsolute ? undefined : [])
  const systems = systemsFor({ ...(hasDrive(target) && { system: 'windows' }), ...options })
  return {
    about: `is within ${root}`,
    open: () => agreeing(systems.map((system) => readCharacters(new PathReader(target, start, system)))),
  }
}

function systemsFor({ system, ignoreCase, decodePercent }: WithinOptions): PathSystem[] {
  const either = (given: boolean | undefined): boolean[] => (given === undefined ? [false, true] : [given])
  return either(system === undefined ? undefined : system === 'windows').flatMap((isWindows) =>
    either(ignoreCase ?? (system === 'windows' ? true : undefined)).flatMap((ignoresCase) =>
      either(decodePercent).map((decodesPercent) => ({ isWindows, ignoresCase, decodesPercent })),
    ),
  )
}

/** A folder of the application's own, which knows what it writes: either kind of slash separates. */
function folderOf(path: string): Folder {
  if (typeof path !== 'string')
    throw new SluiceError('invalid-rule', `A folder is a string, not ${String(path)}.`)
  if (path === '')
    throw new SluiceError('invalid-rule', "A folder is a path, not ''; write '.' for the working directory.")
  const names = path.split(/[/\\]/)
  const isAbsolute = names[0] === '' || /^[a-z]:$/i.test(names[0]!)
  const found = resolved(names)
  if (found.includes('..'))
    throw new SluiceError(
      'invalid-rule',
      `The folder ${JSON.stringify(path)} leaves its base; write it as an absolute path.`,
    )
  return { names: found, isAbsolute }
}

function resolved(names: readonly string[]): string[] {
  const found: string[] = []
  for (const name of names) {
    if (name === '' || name === '.') continue
    if (name === '..' && found.length > 0 && found.at(-1) !== '..') found.pop()
    else found.push(name)
  }
  return found
}
