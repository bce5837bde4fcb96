/** Refuses templates of users that compile, but do not read what their author meant. */

import { SluiceError } from '../../../base/errors.ts'
import type { Op } from '../program.ts'
import { type Node, showTemplate } from '../template.ts'
import { closureOf, type Transition } from './closure.ts'
import type { GraphNode, OpenNode } from './graph.ts'
import type { Checks } from './states.ts'

export const CHECKS: Checks = {
  closure(start, inScan) {
    checkPaths(start, inScan, [])
  },

  transition({ literal, opens }: Transition, rivals) {
    if (rivals.length > 0 && opens === undefined)
      throw new SluiceError(
        'invalid-template',
        `Two alternatives at the same place begin with ${JSON.stringify(literal)}; one of them must begin differently.`,
      )
  },

  /** An opener that can be empty would turn a closer, or nothing at all, into an opener. */
  opener({ opens, next }: OpenNode, nodes: readonly Node[]) {
    checkPaths(next, false, [])
    const { defaults, transitions } = closureOf(next, false)
    const closes = (op: Op) => op.op === 'end-call' || (op.op === 'report' && op.code === 'missing-closer')
    if ((defaults.length > 0 && !opens.atStart) || transitions.some(({ before }) => before.some(closes)))
      throw new SluiceError(
        'invalid-template',
        `In the dialect '${opens.dialect.name}', a construct must begin with a required marker; this one can be empty up to its closer: ${showTemplate(nodes)}`,
      )
  },
}

/** A value ends at the next marker, or, where none follows, at the line break itself. */
function adviceOnWhitespace(next: GraphNode): string {
  const byLine = "write ${'\\n'} for a line break that ends the value"
  return closureOf(next, false).defaults.length > 0
    ? byLine
    : `${byLine}, or ${'${newline}'} for one before the marker that ends it`
}

/** Follows every ε-path. `isBehindValue`: what is no literal would be part of the value. */
function checkPaths(node: GraphNode, isBehindValue: boolean, passed: readonly GraphNode[]): void {
  switch (node.kind) {
    case 'space':
      if (isBehindValue)
        throw new SluiceError(
          'invalid-template',
          `Optional whitespace cannot stand between a value and its closing marker; ${adviceOnWhitespace(node.next)}.`,
        )
      checkPaths(node.next, false, passed)
      break
    case 'newline':
      checkPaths(node.next, isBehindValue, passed)
      break
    case 'op':
      checkPaths(node.next, isBehindValue && node.op.op !== 'report', passed)
      break
    case 'open':
      checkPaths(node.next, false, passed)
      break
    case 'word':
    case 'read':
      if (isBehindValue)
        throw new SluiceError(
          'invalid-template',
          `A value or \`skip\` needs a marker after it; write one before ${'${'}${node.kind === 'word' ? node.role : node.type.name}}.`,
        )
      break
    case 'split':
      if (passed.includes(node))
        throw new SluiceError('invalid-template', 'A repeated template must not match empty text.')
      for (const branch of node.branches) checkPaths(branch, isBehindValue, [...passed, node])
  }
}
