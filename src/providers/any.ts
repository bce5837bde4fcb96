/** `sluice/providers/any`: every provider at once, for those who detect a stream or look a provider up by its name. */

import { SluiceError } from '../base/errors.ts'
import { unknownName } from '../base/options.ts'
import type { RequestFormat } from '../requests/conversation/request-format.ts'
import { anyProviderOf } from './any-provider-of.ts'
import * as providers from './named-providers.ts'
import * as requests from './named-requests.ts'
import * as writers from './named-writers.ts'
import type { Provider } from './provider.ts'
import type { WireFormat } from './wire-format.ts'

/** The names of the providers, such as `anthropic`. */
export type ProviderName = (typeof providers)[keyof typeof providers]['name']

/** The names of the formats that can be written. */
export type WriterName = (typeof writers)[keyof typeof writers]['name']

/** The names of the protocols whose requests are read and written. */
export type RequestName = (typeof requests)[keyof typeof requests]['name']

// Each of these is marked as pure, so that a bundle holds the providers, the writers, or both, as it uses them.

/** Every provider. Importing it puts all of them into a bundle. */
export const allProviders: readonly Provider<ProviderName>[] = /* @__PURE__ */ Object.values(providers)

/** Every writer. Importing it puts all of them into a bundle. */
export const allWriters: readonly WireFormat<WriterName>[] = /* @__PURE__ */ Object.values(writers)

/** Every request format. Importing it puts all of them into a bundle. */
export const allRequests: readonly RequestFormat<RequestName>[] = /* @__PURE__ */ Object.values(requests)

/**
 * Goes by the first payload.
 *
 *     for await (const event of readProvider(response, { provider: anyProvider })) show(event)
 */
export const anyProvider: Provider<'auto'> = /* @__PURE__ */ anyProviderOf(allProviders, 'auto')

/** A word that is written out has to be one of these; any string that is not known before may be. */
type Known<Word extends string, Words extends string> = Word & (string extends Word ? unknown : Words)

/** The provider of a name. Throws `unknown-provider` if there is none. */
export function findProvider<Name extends string>(name: Known<Name, ProviderName>): Provider<ProviderName> {
  return find(allProviders, name, 'There is no provider')
}

/** The writer of a name. Throws `unknown-provider` if there is none. */
export function findWriter<Name extends string>(name: Known<Name, WriterName>): WireFormat<WriterName> {
  return find(allWriters, name, 'Nothing can be written as')
}

/** The format of a protocol's requests. Throws `unknown-provider` if there is none. */
export function findRequest<Name extends string>(name: Known<Name, RequestName>): RequestFormat<RequestName> {
  return find(allRequests, name, 'There are no requests of')
}

function find<Named extends { readonly name: string }>(
  all: readonly Named[],
  name: string,
  complaint: string,
): Named {
  const found = all.find((one) => one.name === name)
  if (found !== undefined) return found
  const names = all.map((one) => one.name)
  throw new SluiceError('unknown-provider', unknownName(complaint, String(name), names))
}
