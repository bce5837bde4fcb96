/** The table of views under the laws. A new view is one more row. */

import type { ViewUnderLaw } from './view.ts'
import { openPolicy, strictPolicy } from './views/policy.ts'
import { progress } from './views/progress.ts'
import { terminal } from './views/terminal.ts'

export const VIEWS: readonly ViewUnderLaw[] = [terminal, progress, openPolicy, strictPolicy]
