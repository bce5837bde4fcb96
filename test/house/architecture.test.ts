import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { drawImports } from '../../scripts/draw-imports.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

test('the diagram in docs/architecture.md is what `npm run docs` draws', () => {
  expect(page).toContain(`\`\`\`mermaid\n${drawImports(root)}\`\`\`\n`)
})

test('every file that docs/architecture.md names is there', () => {
  const named = [...page.matchAll(/`([\w/-]+(?:\/|\.(?:ts|mjs|json)))`/g)].map(([, path = '']) => path)
  const paths = named.filter((path) => !path.includes('NAME'))
  expect(paths.length).toBeGreaterThan(50)
  const isThere = (path: string): boolean => [join(root, 'src', path), join(root, path)].some(existsSync)
  expect(paths.filter((path) => !isThere(path))).toEqual([])
})

test('the diagram leaves out an arrow that follows from two others', () => {
  const tree = mkdtempSync(join(tmpdir(), 'sluice-diagram-'))
  const files = {
    'src/event.ts': '',
    'src/errors.ts': "import './event.ts'",
    'src/json/index.ts': "import '../event.ts'",
    'src/calls/call.ts': "import '../json/index.ts'\nimport '../event.ts'",
    'src/wire/machine.ts': "import '../calls/call.ts'\nimport '../json/index.ts'\nimport './literals.ts'",
    'src/wire/literals.ts': '',
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), text)
  }
  const diagram = drawImports(tree)
  rmSync(tree, { recursive: true })
  expect(diagram).toBe(
    'flowchart TD\n  base["2 files: event, errors, limits, …"]\n  wire --> calls\n  calls --> json\n  json --> base\n',
  )
})
