/** The compiler for dialects that users write: it refuses what could be compiled, but would not be read as it was meant. */

import { SluiceError } from '../../errors.ts'
import { Compiler } from '../compile.ts'
import type { Dialect } from '../dialect.ts'
import type { Construct, Edge, Op } from '../program.ts'
import type { Opener, Spot } from '../spots.ts'
import { type Node, showTemplate, type Template } from '../template.ts'
import type { Marking } from './constructs.ts'
import type { Arrival, Reach } from './reach.ts'

export class CheckedCompiler extends Compiler {
  protected override reach(spot: Spot, inScan = false): Reach {
    checkWays(spot, inScan, [])
    return super.reach(spot, inScan)
  }

  protected override edge(arrival: Arrival, rivals: readonly Arrival[], stops: readonly string[]): Edge {
    if (rivals.length > 0 && arrival.opens === undefined)
      throw new SluiceError(
        'invalid-template',
        `After the same text a template can go on in two ways with ${JSON.stringify(arrival.literal)}; one of them must begin differently.`,
      )
    return super.edge(arrival, rivals, stops)
  }

  protected override call(dialect: Dialect, template: Template, leave: Spot, how: Marking): Opener {
    const call = super.call(dialect, template, leave, how)
    this.checkOpener(call, template.nodes)
    return call
  }

  protected override opener(
    kind: Construct['kind'],
    dialect: Dialect,
    nodes: readonly Node[],
    next: Spot,
  ): Opener {
    const opener = super.opener(kind, dialect, nodes, next)
    this.checkOpener(opener, nodes)
    return opener
  }

  /** An opener that could be empty would turn a closer, or nothing at all, into an opener. */
  private checkOpener({ opens, next }: Opener, nodes: readonly Node[]): void {
    const { defaults, arrivals } = this.reach(next)
    const closes = (op: Op) => op.op === 'end-call' || (op.op === 'report' && op.code === 'missing-closer')
    if ((defaults.length > 0 && !opens.atStart) || arrivals.some(({ before }) => before.some(closes)))
      throw new SluiceError(
        'invalid-template',
        `In the dialect '${opens.dialect.name}', a construct must begin with a marker that is always there; this one can be empty up to its closer: ${showTemplate(nodes)}`,
      )
  }
}

/** Goes wherever one gets without reading. `isBehindValue`: free whitespace would be part of it, too. */
function checkWays(spot: Spot, isBehindValue: boolean, passed: readonly Spot[]): void {
  switch (spot.at) {
    case 'space':
      if (isBehindValue)
        throw new SluiceError(
          'invalid-template',
          'Free whitespace cannot stand between a value and what ends it; use ${newline} for a line break that is markup.',
        )
      checkWays(spot.next, false, passed)
      break
    case 'newline':
      checkWays(spot.next, isBehindValue, passed)
      break
    case 'op':
      checkWays(spot.next, isBehindValue && spot.op.op !== 'report', passed)
      break
    case 'open':
      checkWays(spot.next, false, passed)
      break
    case 'split':
      if (passed.includes(spot))
        throw new SluiceError('invalid-template', 'What is repeated must not be able to be empty.')
      for (const way of spot.ways) checkWays(way, isBehindValue, [...passed, spot])
  }
}
