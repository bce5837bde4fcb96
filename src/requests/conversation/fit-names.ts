/** Names and ids that a provider accepts, for those that an application uses. */

import type { NameRule } from './request-format.ts'

/** Gives each name one that fits, always the same for the same name and never the same for two. */
export class FittedNames {
  private readonly rule: NameRule
  private readonly given = new Map<string, string>()
  private readonly taken: Set<string>

  /** `names`: those that are known beforehand. The ones that fit stay as they are, whatever the others become. */
  constructor(rule: NameRule, names: Iterable<string>) {
    this.rule = rule
    const all = [...names]
    const fitting = all.filter((name) => name !== '' && this.cut(name) === name)
    this.taken = new Set(fitting)
    for (const name of fitting) this.given.set(name, name)
    for (const name of all) this.get(name)
  }

  get(name: string): string {
    const known = this.given.get(name)
    if (known !== undefined) return known
    const fitting = this.free(name)
    this.given.set(name, fitting)
    return fitting
  }

  /**
   * A name that no other has: the same one, or one with a number behind it. `isOwn`: the provider gave it itself, and
   * takes it whatever its rule is.
   */
  free(name: string, isOwn = false): string {
    const cut = (isOwn ? name : this.cut(name)) || 'unnamed'
    let free = cut
    for (let number = 2; this.taken.has(free); number++) {
      const suffix = `_${number}`
      free = (isOwn ? cut : cut.slice(0, this.rule.maxLength - suffix.length)) + suffix
    }
    this.taken.add(free)
    return free
  }

  /** The replaced names: from the one on the wire to the application's. */
  replaced(): Record<string, string> {
    return Object.fromEntries(
      [...this.given].flatMap(([name, wire]) => (name === wire ? [] : [[wire, name]])),
    )
  }

  private cut(name: string): string {
    return name.replace(this.rule.forbidden, '_').slice(0, this.rule.maxLength)
  }
}
