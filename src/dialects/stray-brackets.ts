/** Brackets that models write once too often, behind those that they closed. */

import { stray } from '../engine/wire/index.ts'

/** `{"name": "ls", "arguments": {}}}` */
export const strayBrace = stray`
  }`

/** `[ls())]` */
export const strayParenthesis = stray`
  )`

/** `[{"name": "ls"}]]` */
export const strayBracket = stray`
  ]`
