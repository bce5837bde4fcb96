import { DETECTED } from './entries.ts'
import { testLaws } from './suite.ts'

// Every candidate is compiled for each of them: npm test takes the first ones.
testLaws(DETECTED.slice(2))
