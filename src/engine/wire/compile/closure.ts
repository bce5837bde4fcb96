/**
 * The ε-closure of a graph node: the literals that can come next, with the operations on the way to each of them.
 *
 *     <parameter=city>Paris</parameter>|        `<parameter=` or `</function>`, or whatever follows if that is missing
 */

import type { Construct, Op } from '../program.ts'
import type { GraphNode, LiteralNode } from './graph.ts'

/** What an ε-path collects. */
interface Path {
  readonly before: readonly Op[]
  readonly opens: Construct | undefined
  /** The operations that close the call before the construct that opens. */
  readonly leaving: readonly Op[]
}

/** A literal, the node behind it, and how many of its last characters are lookahead. */
interface Spelling {
  readonly literal: string
  readonly next: GraphNode
  readonly back: number
}

/** A transition on a literal, with the ε-path to it. */
export interface Transition extends Path, Spelling {}

/** A node that consumes something other than a literal, or leaves: where to continue when no literal comes. */
export interface Default extends Path {
  readonly node: GraphNode
}

export interface Closure {
  readonly transitions: readonly Transition[]
  readonly defaults: readonly Default[]
  /** Whitespace is markup here. */
  readonly space: boolean
}

/**
 * `inScan`: behind a capture that takes any text, where free whitespace cannot be markup and only a literal ends the
 * capture.
 */
export function closureOf(start: GraphNode, inScan: boolean): Closure {
  const transitions: Transition[] = []
  const defaults: Default[] = []
  let space = false

  function follow(node: GraphNode, path: Path): void {
    const { before } = path
    const has = (name: Op['op']) => before.some(({ op }) => op === name)
    const onward = (next: GraphNode, ...more: Op[]) => follow(next, { ...path, before: [...before, ...more] })
    switch (node.kind) {
      case 'op': {
        const { op, next } = node
        // Inside a value no call begins, whatever closers are missing.
        if (inScan && op.op === 'begin-call') return
        const endsValue = has('close-value')
        onward(next, op.op === 'report' && endsValue ? { ...op, inValue: true, endsValue } : op)
        return
      }
      case 'open':
        follow(node.next, { before: [], opens: node.opens, leaving: before })
        return
      case 'space':
        space = true
        onward(node.next)
        return
      case 'newline': {
        const known = transitions.length
        onward(node.next)
        for (const transition of transitions.splice(known)) {
          if (!transition.literal.startsWith('\n'))
            transitions.push(
              node.isPaired ? { ...transition, before: transition.before.map(unpaired) } : transition,
            )
          if (inScan) transitions.push({ ...transition, literal: `\n${transition.literal}` })
        }
        if (!inScan) transitions.push({ ...path, literal: '\n', back: 0, next: node.next })
        return
      }
      case 'split':
        for (const branch of node.branches) onward(branch)
        return
      case 'literal':
        for (const spelling of spellingsOf(node)) transitions.push({ ...path, ...spelling })
        return
      case 'leave':
      case 'interlude':
        if (!has('end-call')) break
        // The closer of an open call is missing. A new call ends it (never inside a value); text does not.
        if (node.kind === 'leave' && !inScan) onward(node.restarts)
        return
    }
    defaults.push({ ...path, node })
  }

  follow(start, { before: [], opens: undefined, leaving: [] })
  return { transitions, defaults, space }
}

function unpaired(op: Op): Op {
  return op.op === 'close-value' ? { ...op, unpaired: true } : op
}

/**
 * All spellings of a literal, each joined with the literals that follow it directly: `<`, an optional `ns:` and
 * `thinking>` are the two literals `<thinking>` and `<ns:thinking>`, not the single character `<`. A literal that is
 * repeated is joined once (`joined` are those before it), because its repetitions have no end.
 */
function spellingsOf(node: LiteralNode, joined: readonly GraphNode[] = []): Spelling[] {
  const { forms, next, back } = node
  const rest = back > 0 ? [{ literal: '', next, back }] : continuations(next, [...joined, node])
  return forms.flatMap((form) => rest.map((more) => ({ ...more, literal: form + more.literal })))
}

function continuations(next: GraphNode, joined: readonly GraphNode[]): Spelling[] {
  const branches = next.kind === 'split' ? next.branches : [next]
  return branches.every((node) => node.kind === 'literal' && !joined.includes(node))
    ? (branches as readonly LiteralNode[]).flatMap((node) => spellingsOf(node, joined))
    : [{ literal: '', next, back: 0 }]
}
