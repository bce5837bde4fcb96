/**
 * Follows a path as it is written, and knows where it leads in relation to a folder.
 *
 *     root /home/app      written ../app/./src//a.ts      in /home/app: 1 level below it
 *
 * Only what is written counts; nothing is looked up in a file system. A path may leave the folder and come back, so
 * in general it is certain only at its end where it leads.
 */

import { FIXED_LIMITS } from '../../base/limits.ts'
import type { Answer, CharacterReader } from './matcher.ts'
import { hidesPath, looksLike } from './path-look.ts'

/** One of the ways in which a system may read a path. */
export interface PathSystem {
  /** Backslashes separate, and there are drives. */
  readonly isWindows: boolean
  readonly ignoresCase: boolean
  /** `%2e` is a dot. */
  readonly decodesPercent: boolean
}

/** The names that lead to a folder; a drive is the first of them. */
export interface Folder {
  readonly names: readonly string[]
  readonly isAbsolute: boolean
}

const SLASH = 0x2f
const BACKSLASH = 0x5c
const PERCENT = 0x25
const COLON = 0x3a
const TILDE = 0x7e

export class PathReader implements CharacterReader {
  private readonly system: PathSystem
  private readonly root: Folder
  private readonly base: readonly string[] | undefined
  /** How many names of the root the path has followed, and how many others it has taken after that. */
  private followed = 0
  private astray = 0
  private name = ''
  private count = 0
  /** Nothing but separators came yet. */
  private separators = 0
  private isAtStart = true
  private endsInSpace = false
  /** It is relative, and not known to what. */
  private isAdrift = false
  problem: string | undefined
  /** What may become an encoded character: `%` or `%2`. */
  private encoded = ''

  /** `base`: the names of the folder that relative paths are relative to, if that is known. */
  constructor(root: Folder, base: readonly string[] | undefined, system: PathSystem) {
    this.root = root
    this.base = base
    this.system = system
  }

  read(code: number, count: number): Answer {
    this.count = count
    if (this.system.decodesPercent && (code === PERCENT || this.encoded !== '')) return this.readEncoded(code)
    return this.readCode(code)
  }

  /** `%2e`; anything else stands for itself. */
  private readEncoded(code: number): Answer {
    this.encoded += String.fromCharCode(code)
    if (/^%[0-9a-f]{0,1}$/i.test(this.encoded)) return 'not-yet'
    const { encoded } = this
    this.encoded = ''
    if (!/^%[0-9a-f]{2}$/i.test(encoded)) return this.readLiterally(encoded)
    const meant = Number.parseInt(encoded.slice(1), 16)
    // Decoded once more it is something else, and of a character outside ASCII this is only a part.
    return meant === PERCENT || meant > 0x7f ? 'unreadable' : this.readCode(meant)
  }

  private readLiterally(text: string): Answer {
    for (const character of text) {
      const answer = this.readCode(character.charCodeAt(0))
      if (answer !== 'not-yet') return answer
    }
    return 'not-yet'
  }

  private readCode(code: number): Answer {
    if (code === 0) return 'unreadable' // many systems end a path here
    const isSeparator = code === SLASH || (code === BACKSLASH && this.system.isWindows)
    this.endsInSpace = isSpaceOrControl(code)
    if (this.isAtStart) {
      // Shells and tools put a home folder here, and many drop space.
      if (code === TILDE || this.endsInSpace) return 'unreadable'
      if (isSeparator) return this.readFirstSeparator()
      this.isAtStart = false
      this.begin()
      // With a drive, `C` may become `C:`.
      if (this.isAdrift && !hasDrive(this.root)) return this.giveUp()
    } else if (!isSeparator) this.separators = 0
    if (isSeparator) return this.separators > 0 ? this.readFirstSeparator() : this.endName()
    if (code === COLON && this.system.isWindows) return this.readColon()
    if (hasColon(this.name) && this.system.isWindows) return 'unreadable' // `C:a` is wherever one was on that drive
    if (this.name.length === FIXED_LIMITS.pathName) return 'unreadable'
    this.name += String.fromCharCode(code)
    return 'not-yet'
  }

  /** `/etc`. Two of them lead into a network, where there are drives. */
  private readFirstSeparator(): Answer {
    this.isAtStart = false
    this.separators++
    if (!this.root.isAbsolute) return 'unreadable' // where the root is, is unknown
    if (this.system.isWindows && (this.separators > 1 || hasDrive(this.root))) return 'unreadable'
    return 'not-yet'
  }

  /** A relative path starts from the folder that it is relative to. */
  private begin(): void {
    this.isAdrift = this.base === undefined
    for (const name of this.base ?? []) this.enter(name)
  }

  private giveUp(): Answer {
    this.problem = 'a relative path needs the option `base`'
    return 'unreadable'
  }

  /** `C:` as the first name is a drive. */
  private readColon(): Answer {
    const isDrive = this.count === 2 && /^[a-z]$/i.test(this.name)
    if (!isDrive || !hasDrive(this.root)) return 'unreadable'
    this.name += ':'
    this.isAdrift = false
    this.followed = 0
    this.astray = 0
    return 'not-yet'
  }

  private endName(): Answer {
    if (this.isAdrift) return this.giveUp()
    const { name, system } = this
    this.name = ''
    if (name === '' || name === '.') return 'not-yet'
    if (name === '..') return this.leave()
    // Windows drops dots and spaces at the end of a name, and `.. ` becomes `..`.
    if (system.isWindows && /[. ]$/.test(name)) return 'unreadable'
    return hidesPath(name) ? 'unreadable' : this.enter(name)
  }

  private enter(name: string): Answer {
    const { names } = this.root
    const wanted = this.astray === 0 ? names[this.followed] : undefined
    if (wanted !== undefined && this.isSame(name, wanted)) {
      this.followed++
      return 'not-yet'
    }
    this.astray++
    return wanted !== undefined && looksLike(name, wanted, this.system) ? 'unreadable' : 'not-yet'
  }

  private leave(): Answer {
    const isOnDrive = this.followed === 1 && hasDrive(this.root)
    if (this.astray > 0) this.astray--
    else if (isOnDrive) return 'not-yet'
    else if (this.followed > 0) this.followed--
    // Above the top there is only the top; above a folder that is not known there is anything.
    else if (!this.root.isAbsolute) return 'unreadable'
    return 'not-yet'
  }

  private isSame(one: string, other: string): boolean {
    return this.system.ignoresCase || hasColon(other)
      ? one.toLowerCase() === other.toLowerCase()
      : one === other
  }

  last(): Answer {
    const literal = this.readLiterally(this.encoded)
    if (literal !== 'not-yet') return literal
    if (this.endsInSpace) return 'unreadable'
    if (this.isAtStart) this.begin()
    if (hasColon(this.name) && this.system.isWindows) return 'unreadable'
    const answer = this.endName()
    if (answer !== 'not-yet') return answer
    return this.followed === this.root.names.length ? 'yes' : 'no'
  }
}

export function hasDrive({ names }: Folder): boolean {
  return names[0] !== undefined && hasColon(names[0])
}

function isSpaceOrControl(code: number): boolean {
  return code <= 0x20 || (code > 0x7f && String.fromCharCode(code).trim() === '')
}

function hasColon(name: string): boolean {
  return name.endsWith(':')
}
