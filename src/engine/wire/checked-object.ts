/** The whole call as one JSON object, for dialects that users write: its keys are looked at where they are given. */

import { checkOption, checkOptions, type KnownOptions } from '../../base/options.ts'
import { object as uncheckedObject } from './json.ts'
import { plainJson } from './plain-json.ts'
import type { Node } from './template.ts'

type Keys = Parameters<typeof uncheckedObject>[0]
type NamedKeys = Exclude<Keys, { readonly nameAsKey: true }>

const KNOWN: KnownOptions<NamedKeys> = {
  name: 'list',
  arguments: 'list',
  id: 'list',
  within: 'list',
  ignore: 'list',
  needsArguments: 'boolean',
}

/** A whole call as one JSON object. */
export function object(keys: Keys): Node {
  checkOption('keys', keys, 'object')
  if ('nameAsKey' in keys) checkOptions(keys, { nameAsKey: 'boolean' }, 'key of an object')
  else {
    checkOptions(keys, KNOWN, 'key of an object')
    checkOption('name', keys.name, KNOWN.name)
    checkOption('arguments', keys.arguments, KNOWN.arguments)
  }
  return uncheckedObject(keys, plainJson)
}
