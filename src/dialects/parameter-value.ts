/**
 * The value of a parameter. Models put all arguments into one parameter, as the API does that they were trained on; they
 * write a list as one parameter per item; and they escape JSON once more than they should:
 *
 *     <parameter=arguments>{"city": "Paris"}</parameter>
 *     <parameter=tags>a</parameter><parameter=tags>b</parameter>
 *     <parameter=tags>[\"a\", \"b\"]</parameter>
 */

import { valueWith } from '../wire/index.ts'

export const WRAPPERS = ['arguments', 'parameters', 'input', 'properties'] as const

export const parameterValue = valueWith({ wrappers: WRAPPERS, repeats: true, escaped: true })
