/** What the dialects of this view know of a call beyond its events. */

import type { JsonValue } from '../../../base/event.ts'
import type { Literals } from '../../../engine/wire/literals.ts'
import type { ToolSyntax } from './tool-syntax.ts'

export interface SegmentHints {
  /** The tool's name as it was spelled; null: it is no part of START's metadata. */
  readonly toolName?: string | null
  /** What START carries already, such as the attributes of a tag. */
  readonly metadata?: Readonly<Record<string, JsonValue>>
  /** How many characters of the source stand before the content, and what stands behind it. */
  readonly opener?: number
  readonly closer?: Literals
  /** How it is shown, where its tool does not decide that. */
  readonly syntax?: ToolSyntax
  /** The wire says that it is a call like any other, whatever its tool. */
  readonly generic?: boolean
  /** It came as a native call. */
  readonly native?: boolean
  /** A state of the user emits its segments. */
  readonly silent?: boolean
}
