import { DETECTED } from './entries.ts'
import { testLaws } from './suite.ts'

testLaws(DETECTED)
