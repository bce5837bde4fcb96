/** The providers, by the names that were typed. Commands import this file only when they read a provider's stream. */

import { PROVIDERS } from '../providers/table.ts'
import { FORMATS } from '../providers/write-provider.ts'
import { UsageError } from './command.ts'

export { createProviderParser, createWriter, readProvider } from '../providers/index.ts'

/** A provider's name, or `auto`; an unknown one is an error of use. */
export function providerNamed(name: string): string {
  return oneOf(name, ['auto', ...PROVIDERS.map((provider) => provider.name)], 'provider')
}

export const FORMAT_NAMES: readonly string[] = FORMATS.map((format) => format.name)

export function formatNamed(name: string): string {
  return oneOf(name, FORMAT_NAMES, 'format to write')
}

function oneOf(name: string, names: readonly string[], what: string): string {
  if (names.includes(name)) return name
  throw new UsageError(`There is no ${what} '${name}'; there are ${names.join(', ')}.`)
}
