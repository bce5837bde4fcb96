/** What is counted: answers that depend on the cut, leaked markup, contradicted snapshots, truncated calls. */

/** A text in one piece, in two at every place, and one UTF-16 unit at a time. */
export function cutsOf(text) {
  const cuts = [[text]]
  for (let at = 1; at < text.length; at++) cuts.push([text.slice(0, at), text.slice(at)])
  cuts.push(text.split(''))
  return cuts
}

/** How many answers a text has too many: zero if the cut makes no difference. */
export const surplus = (answers) => new Set(answers.map(canonical)).size - 1

/** The same text for equal values, whatever the order of their keys. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
      .join(',')}}`
  return JSON.stringify(value) ?? 'undefined'
}

/**
 * Whether a snapshot contradicts the final value: it has a key, an element, a number or a literal that the final value
 * does not have in that place, or a string that the final string does not begin with.
 */
export function contradicts(snapshot, final) {
  if (typeof snapshot === 'string') return typeof final !== 'string' || !final.startsWith(snapshot)
  if (typeof snapshot !== 'object' || snapshot === null) return !Object.is(snapshot, final)
  if (typeof final !== 'object' || final === null || Array.isArray(snapshot) !== Array.isArray(final))
    return true
  return Object.keys(snapshot).some(
    (key) => !Object.hasOwn(final, key) || contradicts(snapshot[key], final[key]),
  )
}

/** The value at a path; undefined where there is none. */
export const at = (value, path) =>
  path.reduce((inner, key) => (typeof inner === 'object' && inner !== null ? inner[key] : undefined), value)

/** Characters of `shown` that `wanted` does not account for, and the other way round. Whitespace does not count. */
export function difference(shown, wanted) {
  const [a, b] = [shown, wanted].map((text) => text.replace(/\s/g, ''))
  if (a === b) return { leaked: 0, lost: 0 }
  const common = longestCommonSubsequence(a, b)
  return { leaked: a.length - common, lost: b.length - common }
}

function longestCommonSubsequence(a, b) {
  let above = new Array(b.length + 1).fill(0)
  for (let row = 0; row < a.length; row++) {
    const here = [0]
    for (let column = 0; column < b.length; column++)
      here.push(a[row] === b[column] ? above[column] + 1 : Math.max(above[column + 1], here[column]))
    above = here
  }
  return above[b.length]
}

/** A copy that later changes to the value do not reach, for peers that grow one object in place. */
export const copyOf = (value) => (value === undefined ? undefined : structuredClone(value))
