/** The states that users registered, by the tool they read. */

import { SluiceError } from '../../../../base/errors.ts'
import { BaseState, type ParserContext } from './base-state.ts'

/** A state of your own for the tag of one tool. */
export type XmlToolParsingStateClass = new (
  context: ParserContext,
  openingTag: string,
  toolName: string,
) => BaseState

const registered = new Map<string, XmlToolParsingStateClass>()

/** A state for `<tool name="…">` of this name, in any case. The parsers that are made from now on know it. */
export function registerXmlToolParsingState(toolName: string, state: XmlToolParsingStateClass): void {
  if (typeof toolName !== 'string' || toolName.trim() === '')
    throw new SluiceError('invalid-option', 'A state needs the name of the tool that it reads.')
  if (typeof state !== 'function' || !(state.prototype instanceof BaseState))
    throw new SluiceError(
      'invalid-option',
      `The state for '${toolName}' must be a class that extends BaseState, such as XmlToolParsingState.`,
    )
  registered.set(toolName.trim().toLowerCase(), state)
}

/** Takes a state back. */
export function unregisterXmlToolParsingState(toolName: string): void {
  registered.delete(toolName.trim().toLowerCase())
}

/** The state for a tool, where there is one. */
export function getXmlToolParsingState(toolName: string): XmlToolParsingStateClass | undefined {
  return registered.get(toolName.toLowerCase())
}

/** All that are registered now. */
export function registeredStates(): ReadonlyMap<string, XmlToolParsingStateClass> {
  return new Map(registered)
}
