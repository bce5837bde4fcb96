/** How the calls of a tool are shown. */

import type { JsonValue } from '../../base/event.ts'

/** How the calls of one tool are shown. */
export interface ToolDisplay {
  /**
   * `card`: short arguments behind the name, the others below it. `call`: `name(path: "a.ts")`. `json`: as JSON.
   * `off`: not at all. A function says it in its own words, once the call is complete. Default `card`.
   */
  readonly arguments?: 'card' | 'call' | 'json' | 'off' | ((input: JsonValue) => string)
  /** How much of a finished argument is shown: lines of its beginning, or all of it. Default all of it. */
  readonly argumentLines?: number | 'all'
  /** How much of a result is shown: all of it, nothing, or so many lines. Default `full`. */
  readonly results?: 'full' | 'off' | number
  /** The calls of the tool are not shown at all, not even their names. They run like any other. */
  readonly hidden?: boolean
}

/** One display for all tools, or for each its own. */
export type Displays = ToolDisplay | ((toolName: string) => ToolDisplay | undefined)

export function displayOf(displays: Displays | undefined, toolName: string): ToolDisplay {
  return (typeof displays === 'function' ? displays(toolName) : displays) ?? {}
}
