/** Every dialect as a list, for those who look one up by its name. */

import type { Dialect } from '../engine/wire/index.ts'
import * as named from './named-dialects.ts'

/** Every dialect, in alphabetical order. Importing it puts all of them into a bundle. */
export const ALL: readonly Dialect[] = Object.values(named)
