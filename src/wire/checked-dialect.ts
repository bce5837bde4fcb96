/** Dialects that users write: whatever cannot work is an error where it is written down, not a surprise when it runs. */

import { SluiceError } from '../errors.ts'
import { checkNames } from '../options.ts'
import { checkCompiles } from './compile.ts'
import { DEFAULTS, type Dialect, type DialectDefinition, define, templatesOf } from './dialect.ts'
import { problemOfCalls } from './shape.ts'
import { showTemplate, Template, type ToolOnTheWire } from './template.ts'

/** All that a definition may hold. */
const KNOWN = { ...DEFAULTS, call: 0, weakCall: 0, looseCall: 0, reasoning: 0, result: 0 }

/**
 * Defines a dialect.
 *
 *     const mine = dialect('mine', { call: wire`<call ${name}>${args}</call>` })
 */
export function dialect(name: string, definition: DialectDefinition): Dialect {
  checkNames(`The dialect '${name}' has no option`, definition, KNOWN, 'invalid-dialect')
  const { call, weakCall, looseCall, reasoning, result, drop, ignore } = definition
  for (const template of [call, weakCall, looseCall, reasoning, result, drop, ignore].flat())
    if (template !== undefined && !(template instanceof Template))
      throw new SluiceError(
        'invalid-dialect',
        `The dialect '${name}' has ${JSON.stringify(template)} where a template is wanted; write wire\`…\`.`,
      )
  return checked(define(name, definition))
}

/** The same dialect with other reasoning markers: reasoning is an axis of its own. */
export function withReasoning(base: Dialect, ...reasoning: Template[]): Dialect {
  return checked(Object.freeze({ ...base, reasoning }))
}

/** A dialect that can be compiled. */
export function checked(dialect: Dialect): Dialect {
  // One name begins with the other, as names of tools may.
  const tools = [{ name: 'tool', streams: 'text' }, { name: 'tools' }]
  for (const template of [...dialect.calls, ...dialect.weakCalls, ...dialect.looseCalls])
    checkShape(dialect.name, template, tools)
  try {
    checkCompiles(dialect, { tools, stop: [], calls: true, reasoning: true, codeSpan: undefined })
    return dialect
  } catch (error) {
    if (!(error instanceof SluiceError) || error.message.includes(`'${dialect.name}'`)) throw error
    const shown = templatesOf(dialect)
      .map(({ nodes }) => showTemplate(nodes))
      .join('\n')
    throw new SluiceError(
      error.code,
      `In the dialect '${dialect.name}': ${error.message} Its templates:\n${shown}`,
      { cause: error },
    )
  }
}

function checkShape(name: string, { nodes }: Template, tools: readonly ToolOnTheWire[]): void {
  const problem = problemOfCalls(nodes, tools)
  if (problem !== undefined)
    throw new SluiceError('invalid-template', `In the dialect '${name}', ${problem}: ${showTemplate(nodes)}`)
}
