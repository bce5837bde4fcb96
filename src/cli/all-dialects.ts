/** The dialects the command knows: those of the library, and the one that brings a YAML reader. */

import { findAmong } from '../dialects/find.ts'
import { type Dialect, allDialects as ofTheLibrary } from '../dialects/index.ts'
import { yamlXml } from '../yaml/index.ts'

export const allDialects: readonly Dialect[] = [...ofTheLibrary, yamlXml]

export function findDialect(name: string): Dialect {
  return findAmong(allDialects, name)
}
