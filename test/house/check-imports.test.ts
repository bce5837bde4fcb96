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
      './json': { default: './dist/values/json/index.js' },
      './xml': { default: './dist/values/xml/index.js' },
      './schema': { default: './dist/values/schema/index.js' },
      './dialects': { default: './dist/dialects/index.js' },
    },
  }),
  'src/base/event.ts': 'export type Event = { type: string }',
  'src/values/json/index.ts':
    "import type { Event } from '../../base/event.ts'\nexport { read } from './read.ts'",
  'src/values/json/read.ts': 'export const read = 1',
  'src/values/schema/index.ts': 'export const check = 1',
  'src/values/xml/index.ts': "import { check } from '../schema/index.ts'",
  'src/engine/wire/index.ts': "import { read } from '../../values/json/index.ts'",
  'src/dialects/index.ts': "import { scan } from '../engine/wire/index.ts'",
  'src/index.ts': "export * from './base/event.ts'",
  'src/apps/cli/main.ts':
    "import { readFileSync } from 'node:fs'\nimport * as dialects from '../../dialects/index.ts'",
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

test('a tree whose imports point upward passes, and only the command may use Node', () => {
  expect(checkImports(tree())).toEqual([])
})

describe('a core entry may not leave src/', () => {
  const reachesNode =
    "sluice/json must run anywhere but reaches 'node:fs': src/values/json/index.ts -> src/values/json/read.ts -> node:fs"

  test.each([
    ['a static import', "import { readFileSync } from 'node:fs'"],
    ['an import for its effect', "import 'node:fs'"],
    ['a re-export', "export { readFileSync } from 'node:fs'"],
    ['a dynamic import', "export const read = () => import('node:fs')"],
    ['a type import', "import type { Stats } from 'node:fs'"],
    ['a type written as an import', "export type Read = import('node:fs').Stats"],
  ])('by %s', (_, text) => {
    expect(checkImports(tree({ 'src/values/json/read.ts': text }))).toContain(reachesNode)
  })

  test.each([
    ['a package', "import { parse } from 'yaml'", 'yaml'],
    ['a Node module without its prefix', "import fs from 'fs'", 'fs'],
    ['the package itself by name', "import 'sluice/json'", 'sluice/json'],
    ['a file outside src/', "import '../../scripts/build.mjs'", '../../scripts/build.mjs'],
    ["a reference to Node's types", '/// <reference types="node" />', 'node'],
  ])('for %s', (_, text, specifier) => {
    expect(checkImports(tree({ 'src/base/event.ts': text }))).toContain(
      `sluice must run anywhere but reaches '${specifier}': src/index.ts -> src/base/event.ts -> ${specifier}`,
    )
  })

  test('nor import what cannot be followed', () => {
    expect(
      checkImports(tree({ 'src/values/json/read.ts': 'export const read = (name: string) => import(name)' })),
    ).toEqual([
      'src/values/json/read.ts imports an expression, which cannot be followed. Import a literal path.',
    ])
  })
})

describe('imports point upward', () => {
  test('a room may not import a later one, not even its types', () => {
    const changed = { 'src/values/json/read.ts': "import type { Dialect } from '../../dialects/index.ts'" }
    expect(checkImports(tree(changed))).toEqual([
      'src/values/json/read.ts imports src/dialects/index.ts, against the flow: dialects comes after values. ' +
        'Move what both need above both.',
    ])
  })

  test('a folder may not import a later one of its room', () => {
    const changed = { 'src/values/schema/index.ts': "import '../json/read.ts'" }
    expect(checkImports(tree(changed))).toEqual([
      'src/values/schema/index.ts imports src/values/json/read.ts, against the flow: json/ comes after schema/. ' +
        'Move what both need above both.',
    ])
  })

  test('nor may a file beside the folders that comes before them', () => {
    const changed = {
      'src/providers/output.ts': "import './anthropic/read.ts'",
      'src/providers/anthropic/read.ts': "import '../framing/framing.ts'",
      'src/providers/framing/framing.ts': '',
      'src/providers/index.ts': "export * from './anthropic/read.ts'",
    }
    expect(checkImports(tree(changed))).toEqual([
      'src/providers/output.ts imports src/providers/anthropic/read.ts, against the flow: ' +
        'anthropic/ comes after other files. Move what both need above both.',
    ])
  })

  test('two neighbours may not import each other', () => {
    const changed = {
      'src/values/json/read.ts': "import '../xml/index.ts'",
      'src/values/xml/index.ts': "import '../json/index.ts'",
    }
    expect(checkImports(tree(changed))).toEqual([
      'src/values/xml/index.ts imports src/values/json/index.ts, ' +
        'but src/values/json/read.ts imports src/values/xml/index.ts: neighbours import one way only.',
    ])
  })

  test('the entry of the package may import any room, and no room imports it', () => {
    const changed = { 'src/apps/cli/main.ts': "import '../../index.ts'" }
    expect(checkImports(tree(changed))).toEqual([
      'src/apps/cli/main.ts imports src/index.ts, which is for users. Import the file that exports what is needed.',
    ])
  })

  test.each(['sluice/turn', '../../../scripts/build.mjs'])('no room imports %s', (specifier) => {
    expect(checkImports(tree({ 'src/values/json/read.ts': `import '${specifier}'` }))).toContain(
      `src/values/json/read.ts imports '${specifier}'. Import a file of src/ by its path.`,
    )
  })

  test('a folder or file beside the rooms is refused', () => {
    expect(checkImports(tree({ 'src/attic/index.ts': '', 'src/attic.ts': '' }))).toEqual([
      'src/attic.ts is no room. Move it into one; scripts/check-imports.mjs lists them.',
      'src/attic is no room. Move it into one; scripts/check-imports.mjs lists them.',
    ])
  })

  test('a new folder of a room needs a place in its order', () => {
    expect(checkImports(tree({ 'src/values/toml/index.ts': '' }))).toEqual([
      'src/values/toml/index.ts has no place in src/values. ' +
        'Add it to the order of that room in scripts/check-imports.mjs.',
    ])
  })
})

test('an import of a file that is not there is named', () => {
  expect(checkImports(tree({ 'src/values/json/read.ts': "import './gone.ts'" }))).toEqual([
    "src/values/json/read.ts imports './gone.ts', which is not there.",
  ])
})

test('an entry without its source is named', () => {
  expect(checkImports(tree({ 'package.json': '{ "name": "sluice", "exports": {} }' }))[0]).toBe(
    "'sluice' is not in the export map, or its source is not there: no path.",
  )
})

test('as a command it prints what is wrong and fails', () => {
  const failed = spawnSync(process.execPath, [script, tree({ 'src/base/event.ts': "import 'node:fs'" })], {
    encoding: 'utf8',
  })
  expect(failed.status).toBe(1)
  expect(failed.stderr).toContain("reaches 'node:fs'")
})
