/** The table of views under the laws. A new view is one more row. */

import type { ViewUnderLaw } from './view.ts'
import { aiSdk } from './views/ai-sdk.ts'
import { blocks } from './views/blocks.ts'
import { openPolicy, strictPolicy } from './views/policy.ts'
import { progress } from './views/progress.ts'
import { segments } from './views/segments.ts'
import { speech } from './views/speech.ts'
import { terminal } from './views/terminal.ts'

export const VIEWS: readonly ViewUnderLaw[] = [
  terminal,
  segments,
  blocks,
  speech,
  aiSdk,
  progress,
  openPolicy,
  strictPolicy,
]
