/** Loads a part of the page for a pane that cannot be drawn without it. */

import { useEffect, useState } from 'preact/hooks'
import { messageOf } from '../../base/errors.ts'
import { isLoaded, loadPart, type PartName } from './parts.ts'

/** `loaded`, or what to say until it is. */
export function usePart(name: PartName): string {
  const [state, setState] = useState(isLoaded(name) ? 'loaded' : 'Loading …')
  useEffect(() => {
    loadPart(name).then(
      () => setState('loaded'),
      (error) => setState(messageOf(error)),
    )
  }, [name])
  return state
}
