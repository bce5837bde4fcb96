import { expect, test } from 'vitest'
import { type Block, PROGRAMS, ROOT } from './markdown.ts'
import { typeErrorsOf } from './run-block.ts'

const nameOf = ({ page, line }: Block): string => `${page.replaceAll(/\W/g, '-')}-${line}`

test('the programs in the documentation have the right types', () => {
  const errors = typeErrorsOf(ROOT, new Map(PROGRAMS.map((block) => [nameOf(block), block.content])))
  expect(errors).toEqual([])
})
