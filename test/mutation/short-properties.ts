/**
 * That a property fails is enough: the smallest example of it is not looked for. And it meets many mutants, so that it is
 * cut short.
 */

import fc from 'fast-check'

fc.configureGlobal({ endOnFailure: true, interruptAfterTimeLimit: 200 })
