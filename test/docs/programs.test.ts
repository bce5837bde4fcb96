import { describe, expect, test } from 'vitest'
import { PROGRAMS } from './markdown.ts'
import { outputOf, promisedOutput } from './run-block.ts'

describe('programs in the documentation', () => {
  test.each(PROGRAMS.map((block) => [`${block.page}, line ${block.line}`, block] as const))(
    '%s',
    async (_, block) => {
      expect(await outputOf(block.content)).toEqual(promisedOutput(block.content))
    },
  )
})
