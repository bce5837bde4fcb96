/** The markers around reasoning, as a template writes them. */

import { newline, type Template, text, wire } from '../../engine/wire/index.ts'
import type { Turns } from './turns.ts'
import { commonPrefix, snapped } from './written-turns.ts'

/**
 * What stands before and behind the reasoning, whatever follows it.
 *
 *     <|assistant|><|think|>Vertumnus thinks.<|end|>Pomona speaks.
 *                  ^^^^^^^^^                 ^^^^^^^
 */
export function derivedReasoning({ reasoning, writer }: Turns): Template | undefined {
  const turn = reasoning.find(({ probe }) => probe.text !== undefined && probe.calls === undefined)
  if (turn === undefined) return undefined
  const { whole, probe } = turn
  const [before = '', behind = ''] = whole.split(probe.reasoning!)
  const open = before.slice(snapped(whole, commonPrefix(writer.header, whole))).trim()
  const close = reasoning
    .map((other) => other.whole.split(other.probe.reasoning!)[1] ?? '')
    .reduce(
      (shared, other) => shared.slice(0, snapped(shared, commonPrefix(shared, other))),
      beforeText(behind, probe.text!),
    )
    .trim()
  if (open === '' || close === '') return undefined
  return wire`${open}${newline}${text}${newline}${close}${newline}${newline}`
}

function beforeText(behind: string, spoken: string): string {
  return behind.slice(0, behind.indexOf(spoken))
}
