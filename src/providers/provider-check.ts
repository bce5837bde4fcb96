/** Checks what was passed as a provider, for callers that no compiler has checked. */

import { SluiceError } from '../base/errors.ts'
import { checkOptions, described, type KnownOptions } from '../base/options.ts'
import type { Provider } from './provider.ts'

/** Checks options, of which the provider is the one that must be there. */
export function checkProviderOptions<Options extends { readonly provider: Provider }>(
  options: Options,
  known: KnownOptions<Options>,
): void {
  if (options !== undefined) checkOptions(options, known)
  checkProvider(options?.provider)
}

/** Throws for what is no provider, and says how to get one. */
export function checkProvider(provider: unknown): Provider {
  const { open, detect } = Object(provider) as Partial<Provider>
  if (typeof open === 'function' && typeof detect === 'function') return provider as Provider
  if (typeof provider === 'string')
    throw new SluiceError(
      'invalid-option',
      `'provider' takes a provider and not its name: import it from 'sluice/providers', or pass findProvider(${JSON.stringify(provider)}) from 'sluice/providers/any'.`,
    )
  const problem = provider === undefined ? 'is missing' : `takes a provider, not ${described(provider)}`
  throw new SluiceError(
    'invalid-option',
    `'provider' ${problem}: pass one of 'sluice/providers', such as { provider: anthropic }, or anyProvider of 'sluice/providers/any', which detects the provider from the first payload.`,
  )
}
