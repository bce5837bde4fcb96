import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DIALECTS } from '../../scripts/dialects-page.ts'
import { middlewaresOf } from '../../scripts/write-middlewares.mjs'
import * as named from '../../src/dialects/named-dialects.ts'

const root = new URL('../../', import.meta.url)
const textOf = (file: string): string => readFileSync(new URL(file, root), 'utf8')
const list = textOf('src/dialects/named-dialects.ts')

test('src/dialects/named-dialects.ts lists every file that defines a dialect', () => {
  const missing = readdirSync(new URL('src/dialects/', root))
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /^export const \w+(: Dialect)? = .*\bdefine\(/m.test(textOf(`src/dialects/${file}`)))
    .filter((file) => !list.includes(`'./${file}'`))
    .map((file) => `Export the dialect of src/dialects/${file} in src/dialects/named-dialects.ts.`)
  expect(missing).toEqual([])
})

test('src/dialects/named-dialects.ts exports dialects and nothing else', () => {
  const others = Object.entries(named)
    .filter(([, value]) => !DIALECTS.includes(value))
    .map(([name]) => `${name} is no dialect: export it in src/dialects/index.ts.`)
  expect(others).toEqual([])
})

test('every dialect has a middleware', () => {
  const isWritten = textOf('src/views/ai-sdk/ready.ts') === middlewaresOf(list)
  expect(isWritten ? [] : ['Run `npm run docs`: it writes src/views/ai-sdk/ready.ts.']).toEqual([])
})
