/**
 * The value of a parameter. Models put all arguments into one parameter, as the API does that they were trained on; they
 * write a list as one parameter per item; and they escape JSON once more than they should:
 *
 *     <parameter=arguments>{"city": "Paris"}</parameter>
 *     <parameter=tags>a</parameter><parameter=tags>b</parameter>
 *     <parameter=tags>[\"a\", \"b\"]</parameter>
 */

import { valueWith, wire } from '../engine/wire/index.ts'
import { reported } from '../engine/wire/template.ts'

export const WRAPPERS = ['arguments', 'parameters', 'input', 'properties'] as const

const options = { wrappers: WRAPPERS, repeats: true, escaped: true } as const

export const parameterValue = valueWith(options)

/** Where the marker before the value is missing: nothing tells whether white space belongs to it. */
export const unopenedValue = wire`${reported('missing-opener')}${valueWith({ ...options, padded: true })}`
