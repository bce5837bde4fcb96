/**
 * Makes a law fail if it reads a file that is not among those it depends on (`scripts/law-reach.mjs`): `npm run test:laws`
 * could leave it out although that file has changed. SLUICE_REACH names a file that lists what each law depends on.
 */

import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { isAbsolute, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'
import { filesBelow } from '../../scripts/files.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { readFileSync, statSync } = fs

/** What was read since this law's process began. */
const read = new Set<string>()

for (const functions of [fs, fs.promises] as unknown as Record<string, (...args: unknown[]) => unknown>[])
  for (const name of ['readFile', 'readdir', 'open', 'opendir', 'cp', 'copyFile', 'createReadStream'])
    for (const variant of [name, `${name}Sync`]) {
      const original = functions[variant]
      if (original === undefined) continue
      functions[variant] = (...args) => {
        const [path] = args
        if (typeof path === 'string') read.add(resolve(path))
        else if (path instanceof URL) read.add(fileURLToPath(path))
        else if (path instanceof Uint8Array) read.add(resolve(new TextDecoder().decode(path)))
        return original(...args)
      }
    }
syncBuiltinESMExports()

afterAll(() => {
  const law = relativeToRoot(expect.getState().testPath ?? '')
  const reach: Record<string, string[]> = JSON.parse(readFileSync(process.env.SLUICE_REACH!, 'utf8'))
  const known = new Set(reach[law])
  const unknown = [...read].map(relativeToRoot).filter(isOfProject).flatMap(filesAt)
  expect(
    unknown.filter((path) => !known.has(path)),
    `${law} reads files that no @reads comment lists`,
  ).toEqual([])
})

const relativeToRoot = (path: string): string => relative(root, path).replaceAll('\\', '/')

const isOfProject = (path: string): boolean =>
  !path.startsWith('..') && !isAbsolute(path) && !path.startsWith('node_modules/')

function filesAt(path: string): string[] {
  const stat = statSync(root + path, { throwIfNoEntry: false })
  if (stat?.isDirectory()) return filesBelow(root, path)
  return stat?.isFile() ? [path] : []
}
