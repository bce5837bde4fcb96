import { describe, expect, test } from 'vitest'
import { type Block, PAGES, ROOT } from './markdown.ts'
import { outputOf, promisedOutput, typeErrorsOf } from './run-block.ts'

/** All programs but those that are marked as a part of one. */
const programs: readonly Block[] = PAGES.flatMap(({ blocks }) =>
  blocks.filter(({ language, words }) => language === 'ts' && !words.includes('fragment')),
)

const nameOf = ({ page, line }: Block): string => `${page.replaceAll(/\W/g, '-')}-${line}`

describe('programs in the documentation', () => {
  test.each(programs.map((block) => [`${block.page}, line ${block.line}`, block] as const))(
    '%s',
    async (_, block) => {
      expect(await outputOf(block.content)).toEqual(promisedOutput(block.content))
    },
  )

  test('have the right types', () => {
    const errors = typeErrorsOf(ROOT, new Map(programs.map((block) => [nameOf(block), block.content])))
    expect(errors).toEqual([])
  })
})
