/**
 * The value of a parameter. Models put all arguments into one parameter, as the API does that they were trained on:
 *
 *     <parameter=arguments>{"city": "Paris"}</parameter>
 */

import { valueWith } from '../wire/index.ts'

export const WRAPPERS = ['arguments', 'parameters', 'input', 'properties'] as const

export const parameterValue = valueWith({ wrappers: WRAPPERS })
