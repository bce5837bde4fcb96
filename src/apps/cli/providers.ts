/** The providers, by the names that were typed. Commands import this file only when they read a provider's stream. */

import { messageOf } from '../../base/errors.ts'
import { allProviders, allWriters, anyProvider, findProvider, findWriter } from '../../providers/any.ts'
import { anyProviderOf, type Provider, type WireFormat } from '../../providers/index.ts'
import { UsageError } from './command.ts'

export { createProviderParser, createWriter, readProvider } from '../../providers/index.ts'

/** The provider of a name; `auto` goes by the first payload. */
export function providerNamed(name: string): Provider {
  return name === anyProvider.name ? anyProvider : findProvider(name)
}

export const PROVIDER_NAMES: readonly string[] = allProviders.map((provider) => provider.name)

export const WRITER_NAMES: readonly string[] = allWriters.map((writer) => writer.name)

/** As an option of the command, where an unknown name is an error of use. */
export function providerOption(name: string): Provider {
  return typed(() => providerNamed(name), " 'auto' detects it from the first payload.")
}

/** The same provider, which tells its name when it is opened: where it is one of several, the name of the one that was found. */
export function tellingProvider(provider: Provider, tell: (name: string) => void): Provider {
  if (provider === anyProvider)
    return anyProviderOf(
      allProviders.map((one) => tellingProvider(one, tell)),
      provider.name,
    )
  return {
    ...provider,
    open(out, state) {
      tell(provider.name)
      return provider.open(out, state)
    },
  }
}

export function writerOption(name: string): WireFormat {
  return typed(() => findWriter(name))
}

function typed<Found>(find: () => Found, hint = ''): Found {
  try {
    return find()
  } catch (error) {
    throw new UsageError(`${messageOf(error)}${hint}`)
  }
}
