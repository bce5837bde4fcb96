import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { drawFloors } from '../../scripts/draw-imports.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

test.each([
  ['docs/architecture.md', true],
  ['CONTRIBUTING.md', false],
])('the floors in %s are what `npm run docs` draws', (file, isOpen) => {
  const floors = drawFloors(root, isOpen)
  expect(readFileSync(join(root, file), 'utf8')).toContain(`\`\`\`text floors\n${floors}\`\`\`\n`)
})

test('every file that docs/architecture.md names is there', () => {
  const named = [...page.matchAll(/`([\w/-]+(?:\/|\.(?:ts|mjs|json)))`/g)].map(([, path = '']) => path)
  const paths = named.filter((path) => !path.includes('NAME'))
  expect(paths.length).toBeGreaterThan(50)
  const isThere = (path: string): boolean => [join(root, 'src', path), join(root, path)].some(existsSync)
  expect(paths.filter((path) => !isThere(path))).toEqual([])
})

test('a floor shows the places of a room in the order of their imports, neighbours side by side', () => {
  const tree = mkdtempSync(join(tmpdir(), 'sluice-floors-'))
  for (const file of ['pattern/a.ts', 'xml/a.ts', 'json/a.ts', 'json/b.ts', 'schema/deep/a.ts']) {
    mkdirSync(dirname(join(tree, 'src/values', file)), { recursive: true })
    writeFileSync(join(tree, 'src/values', file), '')
  }
  const drawn = drawFloors(tree, true)
  rmSync(tree, { recursive: true })
  expect(drawn).toMatch(/│ values {5}values while .* │\n│ {12}pattern → schema → json, xml +│\n├/)
})
