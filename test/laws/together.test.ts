import { PAIRS } from './entries.ts'
import { testLawsTogether } from './suite.ts'

testLawsTogether(PAIRS)
