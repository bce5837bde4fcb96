/**
 * The input of a call that may run: what people and policies see of it, and what its tool gets.
 *
 * Nobody but the turn holds what is decided about. What is plain data is frozen, and the tool gets a copy of exactly that.
 * Anything else that a schema makes, such as a date or a function, cannot be frozen, so that only the tool gets it.
 */

import type { JsonValue } from '../base/event.ts'
import { frozenCopy, plainCopy } from '../base/plain-copy.ts'

export class JudgedInput {
  /** For people: frozen, or a copy. */
  readonly shown: unknown
  private readonly output: unknown
  private readonly isPlain: boolean
  private readonly takesBigInts: boolean

  /** `output`: what the schema of the tool made of the input. */
  constructor(output: unknown, takesBigInts: boolean) {
    const frozen = frozenCopy(output)
    this.isPlain = frozen !== undefined || output === undefined
    this.output = frozen ?? output
    this.shown = this.isPlain ? frozen : (cloneOf(output) ?? jsonOf(output))
    this.takesBigInts = takesBigInts
  }

  /** Whether `json` has all of it, so that a policy that finds nothing wrong with that has looked at everything. */
  get isJson(): boolean {
    return this.isPlain && isText(this.output, this.takesBigInts)
  }

  /** For policies and events, which know JSON: a bigint is its text. Undefined where JSON says nothing of it. */
  get json(): JsonValue | undefined {
    return jsonOf(this.output)
  }

  /** For the tool, which may do with it what it likes. */
  forTool(): unknown {
    return this.isPlain ? plainCopy(this.output) : this.output
  }
}

/** Whether JSON has a text for it: for a bigint it has one only as that of a string, and for what holds itself none. */
function isText(value: unknown, hasBigInts: boolean): boolean {
  try {
    JSON.stringify(value, hasBigInts ? bigIntAsText : undefined)
    return true
  } catch {
    return false
  }
}

function cloneOf(value: unknown): unknown {
  try {
    return structuredClone(value)
  } catch {
    return undefined
  }
}

function jsonOf(value: unknown): JsonValue | undefined {
  try {
    return JSON.parse(JSON.stringify(value, bigIntAsText)) as JsonValue
  } catch {
    return undefined
  }
}

const bigIntAsText = (_: string, part: unknown): unknown => (typeof part === 'bigint' ? String(part) : part)
