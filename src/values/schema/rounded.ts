/** Numbers that may have been other ones before JSON was parsed: a double keeps an integer exactly only up to 2^53. */

import type { JsonValue } from '../../base/event.ts'
import { Path } from '../../base/path.ts'
import type { Issue } from './validate.ts'

const LARGEST = Number.MAX_SAFE_INTEGER
const MESSAGE = `must be from ${-LARGEST} to ${LARGEST}, because a larger integer may lose digits; write it in quotes, and with an exponent if a number is wanted ("1.5e18")`

const MAX_ISSUES = 100

/** Ten digits and a point. Longer ones may be what was left of more digits. */
const LONGEST = 11

/**
 * Whether a number may be another one than was written: 9007199254740993 becomes 9007199254740992, and 1e20 cannot be told
 * from 100000000000000000001. From 1e21 on JavaScript writes an exponent. A number that then has few digits, such as
 * 6.02214076e+23, was most likely written with an exponent, too.
 */
function mayBeRounded(value: number): boolean {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return false
  const [digits = ''] = String(Math.abs(value)).split('e')
  return digits.length > LONGEST
}

/** An issue for each number in a value that may have been rounded. No recursion: values can be deep. */
export function roundedIn(value: JsonValue): Issue[] {
  const issues: Issue[] = []
  const open: (readonly [JsonValue, Path])[] = [[value, Path.root]]
  for (const [one, path] of open) {
    if (issues.length === MAX_ISSUES) break
    if (typeof one === 'number' && mayBeRounded(one))
      issues.push({ path: path.pointer, keyword: 'type', message: MESSAGE })
    if (typeof one !== 'object' || one === null) continue
    for (const [key, inner] of Object.entries(one))
      if (typeof inner !== 'string') open.push([inner, path.child(key)])
  }
  return issues
}
