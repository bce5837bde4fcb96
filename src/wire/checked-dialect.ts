/** Dialects that users write: whatever cannot work is an error where it is written down, not a surprise when it runs. */

import { SluiceError } from '../errors.ts'
import { checkNames, checkOption, checkOptions, type KnownOptions, shown } from '../options.ts'
import { CHECKS } from './compile/checks.ts'
import { compileStates } from './compile.ts'
import { type Dialect, type DialectDefinition, define, templatesOf } from './dialect.ts'
import { isPerTool, problemOfCalls, problemOfMarkup, problemOfReasoning } from './shape.ts'
import { type Node, showTemplate, Template, type ToolOnTheWire } from './template.ts'

/** All that a definition may hold. Templates are looked at one by one. */
const KNOWN: KnownOptions<DialectDefinition> = {
  call: 'any',
  weakCall: 'any',
  looseCall: 'any',
  reasoning: 'any',
  result: 'any',
  drop: 'any',
  ignore: 'any',
  endOfTurn: 'list',
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
    for (const token of given.endOfTurn ?? [])
      if (typeof token !== 'string' || token === '')
        throw new SluiceError(
          'invalid-option',
          `'endOfTurn' takes strings of at least one character, not ${shown(token)}.`,
        )
  } catch (error) {
    throw new SluiceError('invalid-dialect', `In the dialect '${name}': ${(error as Error).message}`, {
      cause: error,
    })
  }
  const { call, weakCall, looseCall, reasoning, result, drop, ignore } = given
  checkTemplates(name, [call, weakCall, looseCall, reasoning, drop, ignore].flat())
  checkTemplates(name, [result])
  return checked(Object.freeze({ ...define(name, given), check: checkTools }))
}

/** The same dialect with other reasoning markers: reasoning is an axis of its own. */
export function withReasoning(base: Dialect, ...reasoning: Template[]): Dialect {
  checkTemplates(base.name, reasoning)
  return checked(Object.freeze({ ...base, reasoning, check: checkTools }))
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
  check(dialect, [{ name: 'tool', streams: 'text' }, { name: 'tools' }])
  return dialect
}

/** What a template gives for one tool says nothing of what it gives for another. */
function checkTools(dialect: Dialect, tools: readonly ToolOnTheWire[]): void {
  if (templatesOf(dialect).some(({ nodes }) => isPerTool(nodes))) check(dialect, tools)
}

function check(dialect: Dialect, tools: readonly ToolOnTheWire[]): void {
  const { name, calls, weakCalls, looseCalls, reasoning, drop, ignore, result = [] } = dialect
  const look = (
    templates: readonly Template[],
    problemOf: (nodes: readonly Node[]) => string | undefined,
  ) => {
    for (const { nodes } of templates) {
      const problem = problemOf(nodes)
      if (problem !== undefined)
        throw new SluiceError(
          'invalid-template',
          `In the dialect '${name}', ${problem}: ${showTemplate(nodes)}`,
        )
    }
  }
  look([...calls, ...weakCalls, ...looseCalls], (nodes) => problemOfCalls(nodes, tools))
  look(reasoning, problemOfReasoning)
  look([drop, ignore, result].flat(), problemOfMarkup)
  try {
    const options = { tools, stop: [], calls: true, reasoning: true, code: undefined }
    compileStates([dialect], options, CHECKS)
  } catch (error) {
    if (!(error instanceof SluiceError) || error.message.includes(`'${name}'`)) throw error
    const shown = templatesOf(dialect)
      .map(({ nodes }) => showTemplate(nodes))
      .join('\n')
    throw new SluiceError(error.code, `In the dialect '${name}': ${error.message} Its templates:\n${shown}`, {
      cause: error,
    })
  }
}
