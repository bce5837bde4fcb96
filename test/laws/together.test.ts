import { expect, test } from 'vitest'
import { SluiceError } from '../../src/base/errors.ts'
import { allDialects } from '../../src/dialects/index.ts'
import { createParser } from '../../src/engine/parser.ts'
import { sampleOf } from '../effort.ts'
import { PAIRS, TOOLS } from './entries.ts'
import { testLawsTogether } from './suite.ts'

// There are many pairs; a ninth of them is a sample.
testLawsTogether(sampleOf(PAIRS, 0, 9))

test('any two dialects make a parser, or a mistake that is told as one', () => {
  for (const first of sampleOf(allDialects, 0, 9))
    for (const second of sampleOf(allDialects, 3, 9))
      try {
        createParser({ dialect: [first, second], tools: TOOLS })
      } catch (error) {
        expect(error).toBeInstanceOf(SluiceError)
      }
})
