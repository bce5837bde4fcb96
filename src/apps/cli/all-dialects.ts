/** The dialects the command knows: those of the library, and `yaml-xml`, which is loaded only when it is needed. */

import { findAmong } from '../../dialects/find.ts'
import { type Dialect, allDialects as ofTheLibrary } from '../../dialects/index.ts'
import { UsageError } from './command.ts'

export async function allDialects(): Promise<readonly Dialect[]> {
  return [...ofTheLibrary, ...(await loadYamlXml())]
}

export async function findDialect(name: string): Promise<Dialect> {
  try {
    return findAmong(ofTheLibrary, name)
  } catch {
    const yaml = await loadYamlXml()
    if (yaml.length === 0 && /yaml/i.test(name))
      throw new UsageError(
        `The dialect '${name}' needs the package yaml, which is not installed: npm install yaml.`,
      )
    return findAmong([...ofTheLibrary, ...yaml], name)
  }
}

/** Nothing where its library is not installed. */
async function loadYamlXml(): Promise<readonly Dialect[]> {
  try {
    return [(await import('../../dialects/yaml/index.ts')).yamlXml]
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND') return []
    throw error
  }
}
