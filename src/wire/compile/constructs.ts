/** What a dialect is made of: calls, reasoning, results and markup that means nothing, each from its template. */

import type { Dialect } from '../dialect.ts'
import type { Construct, Op, ScanState, State } from '../program.ts'
import {
  type Ending,
  type Entry,
  leaveTo,
  literalSpot,
  op,
  type Spot,
  SpotBuilder,
  scanSpot,
  split,
} from '../spots.ts'
import type { Template } from '../template.ts'
import { entryOf, NOTHING, report } from './reach.ts'
import { StateCompiler } from './states.ts'

/** Makes constructs. */
export abstract class ConstructCompiler extends StateCompiler {
  protected readonly constructs: Construct[] = []
  /** Where visible content begins. */
  protected content: State = this.text

  protected call(dialect: Dialect, template: Template, leave: Spot, how: 'marked' | 'loose' | 'weak'): Entry {
    const resync = this.addScan('nowhere')
    const construct = this.addConstruct('call', dialect, how, resync)
    const endings: Ending[] = []
    const whole = this.builder(dialect).calls(template.nodes, leave, endings)
    const spot = how === 'loose' ? triggered(whole) : whole
    this.checkOpener(dialect, template, spot, how === 'weak')
    // A call that went wrong after it was certain: all is its source up to a closer, or the next opener.
    this.unfilled.push(() => {
      const reach = this.newReach()
      if (how === 'marked') reach.follow(spot, { ops: [], opens: construct, leaving: [{ op: 'end-call' }] })
      // A bracket ends many things, and is no sign that this call is over.
      for (const { literal, next } of endings.filter((ending) => ending.literal.length > 1))
        reach.arrivals.push({ ...NOTHING, literal, back: 0, next: op({ op: 'end-call' }, next) })
      this.fillScan(resync, reach)
      resync.edges = resync.edges.map((edge) => this.stopping(edge))
    })
    return { spot, construct }
  }

  /** Adds the opener, and returns how to start inside. */
  protected reasoning(dialect: Dialect, template: Template, calls: readonly Entry[]): () => State {
    const builder = this.builder(dialect)
    const { nodes } = template
    const at = nodes.findIndex((node) => node.kind === 'text')
    const opener = nodes.findIndex((node) => node.kind === 'literal')
    const closer = nodes.slice(at + 1).find((node) => node.kind === 'literal')
    if (at === -1 || opener === -1 || opener > at || closer === undefined)
      throw builder.error('reasoning needs an opening marker, ${text} and a closing marker', nodes)
    const behind = builder.first(nodes.slice(at + 1), this.toContent())
    const scan = scanSpot('reasoning', op({ op: 'close-reasoning' }, behind))
    const state = this.addScan('reasoning')
    this.stateOf.set(scan, state)
    this.unfilled.push(() => {
      const interrupted = this.reach([
        ...interrupts,
        ...dialect.ignore.map((markup) => this.drop(dialect, markup, () => state)),
        ...(dialect.dropEndsReasoning ? dialect.drop : []).map((markup) =>
          this.drop(dialect, markup, () => this.text),
        ),
      ])
      const ended = this.reachEnd(scan.next)
      ended.arrivals.unshift(...interrupted.arrivals)
      this.fillScan(state, ended)
    })
    // Calls that are left as text end reasoning all the same: at their opener, which is then read as text.
    const interrupts = !dialect.callEndsReasoning
      ? []
      : this.options.calls
        ? calls
        : this.openersAsText(dialect)
    const body = builder.first(nodes.slice(opener + 1, at), scan)
    const openerNodes = nodes.slice(0, opener + 1)
    const spot = builder.first(openerNodes, op({ op: 'open-reasoning' }, body))
    this.openers.push(this.opener('reasoning', dialect, template, spot))
    if (dialect.strayCloser === 'drop' && closer.kind === 'literal')
      this.openers.push(this.markup(dialect, closer.forms, op(report('stray-closer'), this.toContent())))
    return () => {
      // The opener was pre-filled. One that the model writes all the same is swallowed.
      const again = builder.first(openerNodes, op(report('repeated-opener'), body))
      const without = leaveTo(() => this.state(body))
      return this.state({ at: 'space', next: split({ spot: again }, { spot: without }) })
    }
  }

  private openersAsText(dialect: Dialect): Entry[] {
    const builder = this.builder(dialect)
    const { arrivals } = this.reach(
      dialect.calls.map(({ nodes }) => entryOf(builder.calls(nodes, this.toText(), []))),
    )
    return [...new Set(arrivals.map(({ literal }) => literal))].map((literal) =>
      entryOf(literalSpot([literal], op({ op: 'close-reasoning' }, this.toText()), literal.length)),
    )
  }

  protected result(dialect: Dialect, template: Template): void {
    // Where there is no result in it after all, what was read of it is nothing.
    const spot = this.builder(dialect).first(template.nodes, op({ op: 'drop' }, this.toText()))
    this.openers.push(this.opener('result', dialect, template, spot))
  }

  /** Markup that means nothing: read to its end, and then the machine is where it was. */
  protected drop(dialect: Dialect, template: Template, back: () => State): Entry {
    const leave = leaveTo(back)
    // Back in the text nothing is thought any longer.
    const next = back() === this.text ? op({ op: 'close-reasoning' }, leave) : leave
    const spot = this.builder(dialect).first(template.nodes, op({ op: 'drop' }, next))
    return this.opener('markup', dialect, template, spot)
  }

  // ── openers ──────────────────────────────────────────────────────────────────────────────────────

  private opener(kind: Construct['kind'], dialect: Dialect, template: Template, spot: Spot): Entry {
    this.checkOpener(dialect, template, spot, false)
    return { spot, construct: this.addConstruct(kind, dialect) }
  }

  protected markup(dialect: Dialect | undefined, forms: readonly string[], next: Spot): Entry {
    return {
      spot: literalSpot(forms, op({ op: 'drop' }, next)),
      construct: dialect && this.addConstruct('markup', dialect),
    }
  }

  private addConstruct(
    kind: Construct['kind'],
    dialect: Dialect,
    how: 'marked' | 'loose' | 'weak' = 'marked',
    resync?: ScanState,
  ): Construct {
    const construct: Construct = { kind, dialect, weak: how !== 'marked', atStart: how === 'weak', resync }
    this.constructs.push(construct)
    return construct
  }

  private builder(dialect: Dialect): SpotBuilder {
    return new SpotBuilder(dialect, this.options.tools)
  }

  protected toText(): Spot {
    return leaveTo(() => this.text)
  }

  private toContent(): Spot {
    return leaveTo(() => this.content)
  }

  /** An opener that could be empty would turn a closer, or nothing at all, into an opener. */
  private checkOpener(dialect: Dialect, template: Template, spot: Spot, weak: boolean): void {
    const { defaults, arrivals } = this.reach([entryOf(spot)])
    const closes = (op: Op) => op.op === 'end-call' || (op.op === 'report' && op.code === 'missing-closer')
    if ((defaults.length > 0 && !weak) || arrivals.some(({ ops }) => ops.some(closes)))
      throw this.builder(dialect).error(
        'a construct must begin with a marker that is always there; this one can be empty up to its closer',
        template.nodes,
      )
  }
}

/** A reader that is looked for anywhere in text: the characters it can begin with are its openers. */
function triggered(spot: Spot): Spot {
  if (spot.at === 'read' && spot.type.first !== '') return literalSpot([...spot.type.first], spot, 1)
  if (spot.at === 'op') return op(spot.op, triggered(spot.next))
  return spot
}
