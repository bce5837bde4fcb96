import { ENTRIES } from './entries.ts'
import { testLaws } from './suite.ts'

testLaws(ENTRIES.filter((_, index) => index % 2 === 1))
