/** The dialects the command knows: those of the library, and `yaml-xml`, which is loaded only when it is needed. */

import { findAmong } from '../dialects/find.ts'
import { type Dialect, allDialects as ofTheLibrary } from '../dialects/index.ts'

export async function allDialects(): Promise<readonly Dialect[]> {
  const { yamlXml } = await import('../yaml/index.ts')
  return [...ofTheLibrary, yamlXml]
}

export async function findDialect(name: string): Promise<Dialect> {
  try {
    return findAmong(ofTheLibrary, name)
  } catch {
    return findAmong(await allDialects(), name)
  }
}
