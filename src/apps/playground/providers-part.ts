/** The part of the page that reads and writes the streams of providers. */

import { PROTOCOLS, writtenAs } from './other-protocols.ts'
import { addPart } from './parts.ts'
import { providerExample } from './provider-examples.ts'
import { openProviderReader } from './provider-reader.ts'

addPart('providers', { openProviderReader, providerExample, protocols: PROTOCOLS, writtenAs })
