/** What reads chat templates, which needs a package that is installed by those who use it. */

import { Failure } from './command.ts'

export async function loadTemplates(): Promise<typeof import('../../requests/templates/index.ts')> {
  try {
    return await import('../../requests/templates/index.ts')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Failure(
      'A chat template needs the package @huggingface/jinja, which is not installed: npm install @huggingface/jinja.',
    )
  }
}
