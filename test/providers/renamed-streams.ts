/**
 * Streams in which one name is another one, as in a version of a protocol that is not known here: the type of an event, a
 * field, an id, a place.
 */

type Path = readonly (string | number)[]
type Change = (parent: Record<string, unknown>, key: string) => void

/** What of a payload is the input of a call, whose fields are the model's. */
const INPUT = /^(input|args|arguments|action|operation)$/

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key]
    return [at, ...(INPUT.test(key) && typeof inner === 'object' ? [] : pathsIn(inner, at))]
  })
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((inner, key) => (inner as Record<string, unknown>)[key], value)

function changed(payload: object, path: Path, change: Change): object {
  const copy = structuredClone(payload)
  change(valueAt(copy, path.slice(0, -1)) as Record<string, unknown>, String(path.at(-1)))
  return copy
}

const rename: Change = (parent, key) => {
  const entries = Object.entries(parent).map(([name, value]) => [name === key ? `${name}_2` : name, value])
  for (const name of Object.keys(parent)) delete parent[name]
  Object.assign(parent, Object.fromEntries(entries))
}
const remove: Change = (parent, key) => {
  delete parent[key]
}
const put =
  (value: unknown): Change =>
  (parent, key) => {
    parent[key] = value
  }

/** What can be changed about the field at a path. In a whole UI message, the type of a part names the tool. */
function changesOf(key: string, value: unknown): [what: string, change: Change][] {
  const changes: [string, Change][] = [['renamed', rename]]
  if (/type$/.test(key) && typeof value === 'string' && !/^tool-(?!(input|output|call)\b)/.test(value))
    changes.push(['of another type', put(`${value}_2`)])
  if (/id$/i.test(key) && typeof value === 'string')
    changes.push(['another', put('zzz')], ['missing', remove])
  if (/index$/i.test(key) && typeof value === 'number')
    changes.push(['another', put(77)], ['the first', put(0)], ['missing', remove])
  return changes
}

/** A change, and how to make it: few of all that there are may be wanted. */
export type Renaming = readonly [what: string, renamed: () => object[]]

/** Each name of a stream, changed where it stands, and those of types and fields in all payloads. */
export function renamingsOf(payloads: readonly object[]): Renaming[] {
  const places = payloads.flatMap((payload, at) => pathsIn(payload).map((path) => [at, path] as const))
  const renamings: Renaming[] = []
  const seen = new Set<string>()
  for (const [at, path] of places) {
    const key = path.at(-1)!
    if (typeof key === 'number') continue
    const value = valueAt(payloads[at], path)
    const form = path.map((part) => (typeof part === 'number' ? '#' : part)).join('.')
    for (const [what, change] of changesOf(key, value)) {
      renamings.push([
        `payload ${at}: ${path.join('.')} ${what}`,
        () => payloads.map((payload, other) => (other === at ? changed(payload, path, change) : payload)),
      ])
      const all = `all payloads: ${form} ${what}${what === 'of another type' ? ` than ${value}` : ''}`
      if (what === 'another' || what === 'the first' || seen.has(all)) continue
      seen.add(all)
      const isMeant = (payload: object, other: Path): boolean =>
        other.map((part) => (typeof part === 'number' ? '#' : part)).join('.') === form &&
        (what !== 'of another type' || valueAt(payload, other) === value)
      renamings.push([
        all,
        () =>
          payloads.map((payload) =>
            pathsIn(payload)
              .filter((other) => isMeant(payload, other))
              .reduce<object>((one, other) => changed(one, other, change), payload),
          ),
      ])
    }
  }
  return renamings
}
