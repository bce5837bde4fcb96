/** A builder that can be asked about what is open, for whoever tells of each part of a value. */

import type { JsonValue } from '../event.ts'
import type { Path } from '../path.ts'
import { JsonBuilder } from './builder.ts'

export class OpenBuilder extends JsonBuilder {
  get isInObject(): boolean {
    const top = this.containers[this.containers.length - 1]
    return top !== undefined && !Array.isArray(top)
  }

  get hasOpenString(): boolean {
    return this.stringPath !== null
  }

  /** What there is of the open value at `path`, which is `openPath` or one of its parents. */
  openValueAt(path: Path): JsonValue | undefined {
    return path === this.stringPath ? this.string.toString() : this.containers[path.depth]
  }

  /** A member of the innermost object. */
  member(key: string): JsonValue | undefined {
    const top = this.containers[this.containers.length - 1]
    return top !== undefined && Object.hasOwn(top, key) ? (top as Record<string, JsonValue>)[key] : undefined
  }
}
