/** Everything that is fuzzed. A new dialect, provider, view or request is here the moment it is listed. */

import type { JsonValue } from '../../src/base/event.ts'
import { GROWTH_TARGETS } from './growth-targets.ts'
import { JSON_TARGET } from './json-target.ts'
import { PROVIDER_TARGETS } from './provider-targets.ts'
import { REQUEST_TARGETS } from './request-targets.ts'
import type { Target } from './target.ts'
import { DIALECT_TARGETS, VIEW_TARGETS } from './text-targets.ts'

export const TARGETS: readonly Target[] = [
  ...DIALECT_TARGETS,
  ...VIEW_TARGETS,
  ...GROWTH_TARGETS,
  ...PROVIDER_TARGETS,
  ...REQUEST_TARGETS,
  JSON_TARGET,
] as readonly unknown[] as readonly Target<JsonValue>[]
