/** A provider that is one of several: the first payload decides which. */

import { flag, optional, resumed, type StateOf } from '../base/declared-state.ts'
import { SluiceError } from '../base/errors.ts'
import type { Fields } from '../base/fields.ts'
import { damaged, isAnything, isString } from '../base/plain-state.ts'
import type { Output } from './output.ts'
import type { PayloadReader, Provider } from './provider.ts'
import { checkProvider } from './provider-check.ts'
import { errorIn, ProviderError } from './provider-error.ts'

/**
 * Detects which of these providers a stream comes from. `name` identifies it in snapshots.
 *
 *     readProvider(response, { provider: anyProviderOf([anthropic, openaiChat]) })
 */
export function anyProviderOf<Name extends string = string>(
  providers: readonly Provider[],
  name?: Name,
): Provider<Name> {
  if (!Array.isArray(providers) || providers.length === 0)
    throw new SluiceError(
      'invalid-option',
      'anyProviderOf takes a list of providers: anyProviderOf([anthropic, ollama]).',
    )
  for (const provider of providers) checkProvider(provider)
  const framings = providers.map(({ framing }) => framing)
  return {
    name: name ?? (providers.map((provider) => provider.name).join(' | ') as Name),
    framing: framings.find((framing) => typeof framing === 'object'),
    detect: (payload, isFramed) => providers.some((provider) => provider.detect(payload, isFramed)),
    open: (out, state) => new DetectingReader(out, providers, state),
  }
}

/** What a snapshot holds of it. */
const STATE = {
  /** The name of the provider, once it is known. */
  found: optional(isString),
  /** The state of its reader, which checks it. */
  reader: optional(isAnything),
  hasPayloads: flag,
}

class DetectingReader implements PayloadReader {
  private readonly out: Output
  private readonly providers: readonly Provider[]
  private found: Provider | undefined
  private reader: PayloadReader | undefined
  private hasPayloads: boolean

  constructor(out: Output, providers: readonly Provider[], saved: unknown) {
    this.out = out
    this.providers = providers
    const { found, reader, hasPayloads } = resumed(STATE, saved)
    this.hasPayloads = hasPayloads
    this.found = providers.find(({ name }) => name === found)
    if (this.found === undefined && found !== null)
      throw damaged(`it belongs to a stream of '${found}', which is not one of ${this.names}`)
    this.reader = this.found?.open(out, reader ?? undefined)
    if ((reader === null) !== (this.reader?.state === undefined))
      throw damaged('the state is that of another reader')
  }

  get state(): StateOf<typeof STATE> {
    const { found, reader, hasPayloads } = this
    return { found: found?.name ?? null, reader: reader?.state ?? null, hasPayloads }
  }

  read(payload: Fields, isFramed: boolean): void {
    this.hasPayloads = true
    this.found ??= this.providers.find((provider) => provider.detect(payload, isFramed))
    this.reader ??= this.found?.open(this.out)
    if (this.reader !== undefined) {
      this.reader.read(payload, isFramed)
      return
    }
    const error = errorIn(payload, 'unknown')
    if (error === undefined) this.out.unknown('payload', payload)
    else this.out.error(error)
  }

  end(): void {
    this.reader?.end?.()
    if (this.reader === undefined && this.hasPayloads) {
      const message = `None of the providers ${this.names} reads this stream. To parse plain text, use sluice() of 'sluice'.`
      this.out.error(new ProviderError('unknown', message, 'unknown-provider', undefined))
    }
  }

  private get names(): string {
    return this.providers.map(({ name }) => name).join(', ')
  }
}
