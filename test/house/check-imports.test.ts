import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { checkImports } from '../../scripts/check-imports.mjs'

const script = fileURLToPath(new URL('../../scripts/check-imports.mjs', import.meta.url))

const soundTree = {
  'package.json': JSON.stringify({
    name: 'sluice',
    exports: {
      '.': { default: './dist/index.js' },
      './json': { default: './dist/json/index.js' },
      './xml': { default: './dist/xml/index.js' },
      './schema': { default: './dist/schema/index.js' },
      './dialects': { default: './dist/dialects/index.js' },
    },
  }),
  'src/event.ts': 'export type Event = { type: string }',
  'src/json/index.ts': "import type { Event } from '../event.ts'\nexport { read } from './read.ts'",
  'src/json/read.ts': 'export const read = 1',
  'src/xml/index.ts': 'export const scan = 1',
  'src/schema/index.ts': "import { read } from '../json/index.ts'",
  'src/dialects/index.ts': "import { scan } from '../xml/index.ts'",
  'src/index.ts': "export * from './event.ts'",
  'src/cli/main.ts': "import { readFileSync } from 'node:fs'\nimport * as sluice from '../index.ts'",
}

const trees: string[] = []
afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true })
})

/** Writes the sound tree, with these files instead of or besides its own, and gives its root. */
function tree(changed: Record<string, string> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'sluice-imports-'))
  trees.push(root)
  for (const [file, text] of Object.entries({ ...soundTree, ...changed })) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return root
}

test('a tree whose imports follow the flow passes, and only the command may use Node', () => {
  expect(checkImports(tree())).toEqual([])
})

describe('a core entry may not leave src/', () => {
  const reachesNode =
    "sluice/json must run anywhere but reaches 'node:fs': src/json/index.ts -> src/json/read.ts -> node:fs"

  test.each([
    ['a static import', "import { readFileSync } from 'node:fs'"],
    ['an import for its effect', "import 'node:fs'"],
    ['a re-export', "export { readFileSync } from 'node:fs'"],
    ['a dynamic import', "export const read = () => import('node:fs')"],
    ['a type import', "import type { Stats } from 'node:fs'"],
    ['a type written as an import', "export type Read = import('node:fs').Stats"],
  ])('by %s', (_, text) => {
    expect(checkImports(tree({ 'src/json/read.ts': text }))).toContain(reachesNode)
  })

  test.each([
    ['a package', "import { parse } from 'yaml'", 'yaml'],
    ['a Node module without its prefix', "import fs from 'fs'", 'fs'],
    ['the package itself by name', "import 'sluice/json'", 'sluice/json'],
    ['a file outside src/', "import '../scripts/build.mjs'", '../scripts/build.mjs'],
    ["a reference to Node's types", '/// <reference types="node" />', 'node'],
  ])('for %s', (_, text, specifier) => {
    expect(checkImports(tree({ 'src/event.ts': text }))).toContain(
      `sluice must run anywhere but reaches '${specifier}': src/index.ts -> src/event.ts -> ${specifier}`,
    )
  })

  test('nor import what cannot be followed', () => {
    expect(
      checkImports(tree({ 'src/json/read.ts': 'export const read = (name: string) => import(name)' })),
    ).toEqual(['src/json/read.ts imports an expression, which cannot be followed. Import a literal path.'])
  })
})

describe('imports point one way', () => {
  test('a stage may not import a later one, not even its types', () => {
    expect(
      checkImports(tree({ 'src/json/read.ts': "import type { Dialect } from '../dialects/index.ts'" })),
    ).toEqual([
      'src/json/read.ts imports src/dialects/index.ts, against the flow: dialects comes after json. ' +
        'Move what both need below both.',
    ])
  })

  test('two neighbours may not import each other', () => {
    expect(checkImports(tree({ 'src/json/read.ts': "import '../schema/index.ts'" }))).toEqual([
      'src/schema/index.ts imports src/json/index.ts, ' +
        'but src/json/read.ts imports src/schema/index.ts: neighbours import one way only.',
    ])
  })

  test('a new folder needs a place in the flow', () => {
    expect(checkImports(tree({ 'src/attic/index.ts': '' }))).toEqual([
      'src/attic has no place in the flow. Add it to LAYERS in scripts/check-imports.mjs.',
    ])
  })
})

test('an import of a file that is not there is named', () => {
  expect(checkImports(tree({ 'src/json/read.ts': "import './gone.ts'" }))).toEqual([
    "src/json/read.ts imports './gone.ts', which is not there.",
  ])
})

test('an entry without its source is named', () => {
  expect(checkImports(tree({ 'package.json': '{ "name": "sluice", "exports": {} }' }))[0]).toBe(
    "The entry '.' is not in the export map, or its source undefined is not there.",
  )
})

test('as a command it prints what is wrong and fails', () => {
  const passed = spawnSync(process.execPath, [script, tree()], { encoding: 'utf8' })
  expect(passed).toMatchObject({ status: 0, stderr: '' })

  const failed = spawnSync(process.execPath, [script, tree({ 'src/event.ts': "import 'node:fs'" })], {
    encoding: 'utf8',
  })
  expect(failed.status).toBe(1)
  expect(failed.stderr).toContain("reaches 'node:fs'")
})
