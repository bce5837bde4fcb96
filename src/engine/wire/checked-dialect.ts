/** `dialect`: rejects definitions that cannot work. */

import { SluiceError } from '../../base/errors.ts'
import { checkNames, checkOption, checkOptions, type KnownOptions, shown } from '../../base/options.ts'
import { CHECKS } from './compile/checks.ts'
import { compileStates } from './compile.ts'
import { type Dialect, type DialectDefinition, define, templatesOf } from './dialect.ts'
import type { Construct, Program, State } from './program.ts'
import { problemOfCalls, problemOfMarkup, problemOfReasoning } from './shape.ts'
import { isPerTool, type Node, showTemplate, Template, type ToolOnTheWire } from './template.ts'

/** All that a definition may hold. Templates are looked at one by one. */
const KNOWN: KnownOptions<DialectDefinition> = {
  call: 'any',
  weakCall: 'any',
  looseCall: 'any',
  guessedCall: 'any',
  reasoning: 'any',
  weakReasoning: 'any',
  result: 'any',
  drop: 'any',
  weakDrop: 'any',
  emptyCall: 'any',
  ignore: 'any',
  prefilled: 'string',
  endOfTurn: 'list',
  tokens: 'list',
  weakCallInLines: 'boolean',
  callEndsReasoning: 'boolean',
  dropEndsReasoning: 'boolean',
  strayCloser: ['drop', 'show', 'text'],
  untyped: ['string', 'json'],
  ignoreCase: 'boolean',
  spacedTags: 'boolean',
  spacedCalls: 'boolean',
  textBetweenCalls: 'boolean',
  knownToolsOnly: 'boolean',
  reservedNames: 'list',
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
  if (name.trim() === '')
    throw new SluiceError('invalid-dialect', 'A dialect needs a name; this one is empty.')
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
      if (from === '')
        throw new SluiceError('invalid-option', "'neutralise' cannot replace the empty string.")
    }
    for (const option of ['endOfTurn', 'tokens', 'reservedNames', 'aliases'] as const)
      for (const word of given[option] ?? [])
        if (typeof word !== 'string' || word === '')
          throw new SluiceError(
            'invalid-option',
            `'${option}' takes strings of at least one character, not ${shown(word)}.`,
          )
  } catch (error) {
    throw new SluiceError('invalid-dialect', `In the dialect '${name}': ${(error as Error).message}`, {
      cause: error,
    })
  }
  const { call, weakCall, looseCall, guessedCall, reasoning, weakReasoning, result } = given
  const { drop, weakDrop, emptyCall, ignore } = given
  checkTemplates(name, [call, weakCall, looseCall, guessedCall, reasoning, weakReasoning].flat())
  checkTemplates(name, [drop, weakDrop, emptyCall, ignore].flat())
  checkTemplates(name, [result])
  return checked(Object.freeze({ ...define(name, given), check: checkTools }))
}

/** The same dialect with other reasoning markers. */
export function withReasoning(base: Dialect, ...reasoning: Template[]): Dialect {
  checkTemplates(base.name, reasoning)
  return checked(Object.freeze({ ...base, reasoning, check: checkTools }))
}

function checkTemplates(name: string, templates: readonly (Template | undefined)[]): void {
  for (const template of templates)
    if (template !== undefined && !(template instanceof Template))
      throw new SluiceError(
        'invalid-dialect',
        `The dialect '${name}' has ${shown(template)} instead of a template; write wire\`…\`.`,
      )
}

/** A dialect that can be compiled. */
export function checked(dialect: Dialect): Dialect {
  // One name begins with the other, as names of tools may.
  const program = check(dialect, [{ name: 'tool', streams: 'text' }, { name: 'tools' }])
  checkOpeners(dialect, program)
  return dialect
}

const KINDS: Readonly<Record<Construct['kind'], string>> = {
  call: 'a call',
  reasoning: 'reasoning',
  result: 'a result',
  markup: 'markup without meaning (`drop`, `emptyCall`, `ignore`, `endOfTurn`)',
}

/**
 * Constructs of two kinds may share a marker only if what follows it tells them apart: `<calls></calls>` is no call, but
 * any text may be reasoning.
 */
function checkOpeners({ name }: Dialect, { edges }: Program): void {
  for (const { literal, opens, next, alternatives } of edges)
    for (const other of alternatives)
      if (opens && other.opens && opens.kind !== other.opens.kind && isAlike(next, other.next))
        throw new SluiceError(
          'invalid-dialect',
          `In the dialect '${name}', ${KINDS[opens.kind]} and ${KINDS[other.opens.kind]} both begin with ${JSON.stringify(literal)}, and the text after it does not tell them apart; one of them must begin differently.`,
        )
}

/** Does nothing tell these apart? Where parts are repeated, or read by a reader, something may. */
function isAlike(one: State, other: State, passed: readonly State[] = []): boolean {
  if (takesAnyText(one) || takesAnyText(other)) return true
  if (passed.includes(one)) return false
  if (one.kind === 'word' && other.kind === 'word') return isAlike(one.next, other.next, [...passed, one])
  if (one.kind !== 'expect' || other.kind !== 'expect') return false
  const hasOtherWays = one.fallbacks.length > 0 || other.fallbacks.length > 0
  if (hasOtherWays || one.edges.length === 0 || one.edges.length !== other.edges.length) return false
  return one.edges.every(({ literal, next }) =>
    other.edges.some((edge) => edge.literal === literal && isAlike(next, edge.next, [...passed, one])),
  )
}

/** Does any text fit here? */
function takesAnyText(state: State): boolean {
  if (state.kind !== 'expect') return state.kind === 'scan'
  return state.fallbacks.some(
    ({ first, atEnd, next }) => first === '' && atEnd !== 'only' && (atEnd || next.kind === 'scan'),
  )
}

/** What a template gives for one tool says nothing of what it gives for another. */
function checkTools(dialect: Dialect, tools: readonly ToolOnTheWire[]): void {
  if (templatesOf(dialect).some(({ nodes }) => isPerTool(nodes))) check(dialect, tools)
}

function check(dialect: Dialect, tools: readonly ToolOnTheWire[]): Program {
  const { name, calls, weakCalls, looseCalls, guessedCalls, reasoning, weakReasoning, result = [] } = dialect
  const { drop, weakDrop, emptyCalls, ignore } = dialect
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
  look([...calls, ...weakCalls, ...looseCalls, ...guessedCalls], (nodes) => problemOfCalls(nodes, tools))
  look([...reasoning, ...weakReasoning], problemOfReasoning)
  look([drop, weakDrop, emptyCalls, ignore, result].flat(), problemOfMarkup)
  try {
    const options = { tools, stop: [], calls: true, reasoning: true, code: undefined }
    return compileStates([dialect], options, CHECKS)
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
