/** What a request itself can set about how its answer is read. */

import { checkOptions, type KnownOptions } from '../../base/options.ts'
import type { JsonSchema } from '../../values/schema/json-schema.ts'
import type { OnError } from './failures.ts'

/** Where it stands among the options for providers. They never see it. */
export const OWN_OPTIONS = 'toolCallMiddleware'

/** What one request can set for the middleware, with `requestOptions`. */
export interface RequestOptions {
  /** Schemas by which values are typed, where the ones in the request are not those of the tools themselves. */
  readonly originalToolSchemas?: Readonly<Record<string, JsonSchema>>
  readonly onError?: OnError
}

const OPTIONS: KnownOptions<RequestOptions> = { originalToolSchemas: 'object', onError: 'function' }

/**
 * Options of one request. The AI SDK wants options for providers to be JSON, and a function is none, so their type
 * here says nothing of them.
 *
 *     generateText({ model, tools, prompt, providerOptions: requestOptions({ onError }) })
 */
export function requestOptions(options: RequestOptions): Record<typeof OWN_OPTIONS, Record<string, never>> {
  checkOptions(options, OPTIONS)
  return { [OWN_OPTIONS]: options as Record<string, never> }
}
