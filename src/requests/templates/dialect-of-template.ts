/** The dialect of a chat template, known or not. */

import type { ChatTemplate } from './chat-template.ts'
import { deriveDialect } from './derive-dialect.ts'
import { detectDialect } from './detect-dialect.ts'
import { type TemplateFormat, UnprovedDialectError } from './template-format.ts'
import type { TemplateOptions } from './turns.ts'

/**
 * The dialect of the library that reads what a template writes, or else one that is made from the template.
 *
 *     const { dialect, start, origin } = dialectOfTemplate(await readFile('chat_template.jinja', 'utf8'))
 *
 * Throws an `UnprovedDialectError` where there is neither.
 */
export function dialectOfTemplate(
  template: string | ChatTemplate,
  options: TemplateOptions = {},
): TemplateFormat {
  try {
    return detectDialect(template, options)
  } catch (error) {
    if (!(error instanceof UnprovedDialectError)) throw error
    return deriveDialect(template, options)
  }
}
