import { sampleOf } from '../effort.ts'
import { PAIRS } from './entries.ts'
import { testLawsTogether } from './suite.ts'

testLawsTogether(sampleOf(PAIRS))
