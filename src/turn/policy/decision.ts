/** What may become of a call, from the mildest to the strictest. */

export type Decision = 'allow' | 'ask' | 'deny'

export const DECISIONS: readonly Decision[] = ['allow', 'ask', 'deny']

export function isStricter(one: Decision, other: Decision): boolean {
  return DECISIONS.indexOf(one) > DECISIONS.indexOf(other)
}

export function stricter(one: Decision, other: Decision): Decision {
  return isStricter(one, other) ? one : other
}
