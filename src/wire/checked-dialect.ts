/** Dialects that users write: whatever cannot work is an error where it is written down, not a surprise when it runs. */

import { SluiceError } from '../errors.ts'
import { checkNames, checkOption, checkOptions, type KnownOptions, shown } from '../options.ts'
import { checkCompiles } from './compile.ts'
import { type Dialect, type DialectDefinition, define, templatesOf } from './dialect.ts'
import { problemOfCalls } from './shape.ts'
import { showTemplate, Template, type ToolOnTheWire } from './template.ts'

/** All that a definition may hold. Templates are looked at one by one. */
const KNOWN: KnownOptions<DialectDefinition> = {
  call: 'any',
  weakCall: 'any',
  looseCall: 'any',
  reasoning: 'any',
  result: 'any',
  drop: 'any',
  ignore: 'any',
  callEndsReasoning: 'boolean',
  dropEndsReasoning: 'boolean',
  strayCloser: ['drop', 'text'],
  untyped: ['string', 'json'],
  ignoreCase: 'boolean',
  knownToolsOnly: 'boolean',
  neutralise: 'object',
  example: 'string',
  aliases: 'list',
}

/**
 * Defines a dialect.
 *
 *     const mine = dialect('mine', { call: wire`<call ${name}>${args}</call>` })
 */
export function dialect(name: string, definition: DialectDefinition): Dialect {
  checkOption('name', name, 'string')
  checkOption('definition', definition, 'object')
  checkNames(`The dialect '${name}' has no option`, definition, KNOWN, 'invalid-dialect')
  // An option that is undefined is not given.
  const given: DialectDefinition = Object.fromEntries(
    Object.entries(definition).filter(([, value]) => value !== undefined),
  )
  try {
    checkOptions(given, KNOWN)
    for (const [from, to] of Object.entries(given.neutralise ?? {})) {
      checkOption(`neutralise['${from}']`, to, 'string')
      if (from === '') throw new SluiceError('invalid-option', "'neutralise' has an empty text to replace.")
    }
  } catch (error) {
    throw new SluiceError('invalid-dialect', `In the dialect '${name}': ${(error as Error).message}`, {
      cause: error,
    })
  }
  const { call, weakCall, looseCall, reasoning, result, drop, ignore } = given
  checkTemplates(name, [call, weakCall, looseCall, reasoning, drop, ignore].flat())
  checkTemplates(name, [result])
  return checked(define(name, given))
}

/** The same dialect with other reasoning markers: reasoning is an axis of its own. */
export function withReasoning(base: Dialect, ...reasoning: Template[]): Dialect {
  checkTemplates(base.name, reasoning)
  return checked(Object.freeze({ ...base, reasoning }))
}

function checkTemplates(name: string, templates: readonly (Template | undefined)[]): void {
  for (const template of templates)
    if (template !== undefined && !(template instanceof Template))
      throw new SluiceError(
        'invalid-dialect',
        `The dialect '${name}' has ${shown(template)} where a template is wanted; write wire\`…\`.`,
      )
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
