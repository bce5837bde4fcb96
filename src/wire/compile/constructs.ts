/** What a dialect is made of: calls, reasoning, results and markup that means nothing, each from its template. */

import type { Dialect } from '../dialect.ts'
import type { Construct, ReadState, ScanState, State } from '../program.ts'
import {
  callSpots,
  type Endings,
  firstSpot,
  leaveTo,
  literalSpot,
  type Opener,
  op,
  ownOpener,
  readSpot,
  recovery,
  type SplitSpot,
  type Spot,
  scanSpot,
  split,
} from '../spots.ts'
import { insideOf, type Node, type Template } from '../template.ts'
import { StateCompiler } from './states.ts'

/** How calls are known: by a marker, by what they look like, or by where they stand. */
export type Marking = 'marked' | 'loose' | 'weak'

/** Makes constructs. */
export abstract class ConstructCompiler extends StateCompiler {
  protected readonly constructs: Construct[] = []
  /** Calls that nothing marks. */
  protected readonly weak = split()
  /** Where visible content begins. */
  protected readonly content = this.whereMayBegin(this.weak)
  /** Inside reasoning from the start. */
  protected inReasoning: State | undefined
  /** The markers that end calls. */
  protected readonly endings = new Set<string>()
  /** How calls end that failed inside reasoning. */
  private readonly endsInReasoning = new Map<Construct, { ends: SplitSpot; endings: Endings }>()

  /** Where one of these calls may begin. Whitespace before it is markup; before anything else it is text again. */
  protected whereMayBegin(calls: SplitSpot): () => State {
    const spot: Spot = { at: 'space', next: split(calls, this.toText) }
    return () => (calls.ways.length > 0 ? this.state(spot) : this.text)
  }

  protected call(dialect: Dialect, template: Template, leave: Spot, how: Marking): Opener {
    const endings: Endings = new Map()
    const whole = callSpots(template.nodes, this.options.tools, leave, endings)
    // A call that went wrong after it was certain: all is its source up to a closer, or the next opener.
    const ends = split()
    const endsInReasoning = split(ends)
    const resync = this.resync(ends)
    const resyncInReasoning = dialect.callEndsReasoning ? this.resync(endsInReasoning) : resync
    const call = this.open(how === 'loose' ? triggered(whole) : whole, 'call', dialect, how, {
      resync,
      resyncInReasoning,
      plain: how === 'loose' ? this.plain(template.nodes) : undefined,
    })
    this.endsInReasoning.set(call.opens, { ends: endsInReasoning, endings })
    if (how === 'marked') ends.ways.push(op({ op: 'end-call' }, call))
    // A bracket ends many things, and is no sign that this call is over.
    for (const [marker, next] of endings)
      if (marker.length > 1) {
        ends.ways.push(literalSpot([marker], op({ op: 'end-call' }, next)))
        this.endings.add(marker)
      }
    return call
  }

  private resync(ends: SplitSpot): ScanState {
    return this.state({ ...scanSpot('nowhere', ends), stops: this.options.stop }) as ScanState
  }

  /** Where a call that nothing marks is read as text if it is none. */
  private plain(nodes: readonly Node[]): ReadState | undefined {
    for (const node of nodes) {
      const type = node.kind === 'reader' ? node.type.plain : undefined
      if (type !== undefined) return this.state(readSpot(type, this.toText)) as ReadState
      for (const inside of insideOf(node)) {
        const found = this.plain(inside)
        if (found !== undefined) return found
      }
    }
    return undefined
  }

  /** `stops`: what stops the response. In a thought it does so only behind a call. */
  protected reasoning(
    dialect: Dialect,
    { nodes }: Template,
    calls: readonly Opener[],
    stops: readonly Spot[],
  ): void {
    const at = nodes.findIndex((node) => node.kind === 'text')
    const opener = nodes.slice(0, nodes.findIndex((node) => node.kind === 'literal') + 1)
    const closer = nodes.slice(at + 1).find((node) => node.kind === 'literal')
    const ends = split()
    const behindCall = split()
    const scan = {
      ...scanSpot('reasoning', ends),
      ...(dialect.callEndsReasoning && { behindCall: { at: 'space', next: behindCall } as const }),
      own: ownOpener(nodes, at),
    }
    // Calls that are left as text end reasoning all the same: at their opener, which is then read as text.
    if (dialect.callEndsReasoning)
      ends.ways.push(...(this.options.calls ? calls : this.openersAsText(dialect)))
    const onward = leaveTo(() => this.state(scan))
    // Tokens behind a call say nothing about whether it was meant, so the machine stays where it is.
    const stay = leaveTo(() => this.state(scan.behindCall!))
    for (const nodes of this.tokensOf(dialect)) {
      ends.ways.push(this.drop(dialect, nodes, onward))
      behindCall.ways.push(this.drop(dialect, nodes, stay))
    }
    behindCall.ways.unshift(...calls, ...stops)
    behindCall.ways.push(onward)
    if (dialect.dropEndsReasoning)
      for (const { nodes } of dialect.drop) ends.ways.push(this.drop(dialect, nodes))
    const behind = op({ op: 'reasoning-closer' }, firstSpot(nodes.slice(at + 1), leaveTo(this.content)))
    ends.ways.push(op({ op: 'close-reasoning' }, behind))
    for (const { opens } of calls) {
      const { ends, endings } = this.endsInReasoning.get(opens)!
      // A marker that closes both is the call's.
      if (!closer?.forms.some((form) => endings.has(form))) ends.ways.push(op({ op: 'end-call' }, behind))
    }
    const body = firstSpot(nodes.slice(opener.length, at), scan)
    this.openers.ways.push(this.opener('reasoning', dialect, opener, op({ op: 'open-reasoning' }, body)))
    if (dialect.strayCloser === 'drop' && closer !== undefined)
      this.openers.ways.push(
        this.drop(
          dialect,
          [closer],
          op({ op: 'reasoning-closer' }, recovery('stray-closer', leaveTo(this.content))),
        ),
      )
    // The opener was pre-filled. One that the model writes all the same is swallowed.
    const again = firstSpot(opener, recovery('repeated-opener', body))
    const without = leaveTo(() => this.state(body))
    this.inReasoning ??= this.state({ at: 'space', next: split(again, without) })
  }

  private openersAsText(dialect: Dialect): Spot[] {
    const { tools } = this.options
    const calls = dialect.calls.map(({ nodes }) => callSpots(nodes, tools, this.toText, new Map()))
    return [...this.literalsOf(calls)].map((literal) =>
      literalSpot([literal], op({ op: 'close-reasoning' }, this.toText), literal.length),
    )
  }

  /** Markup that means nothing: read to its end. Back in the text, nothing is thought any longer. */
  protected drop(
    dialect: Dialect,
    nodes: readonly Node[],
    next = op({ op: 'close-reasoning' }, this.toText),
  ): Opener {
    return this.opener('markup', dialect, nodes, op({ op: 'drop' }, next))
  }

  /** A literal behind which nothing of the response is read. */
  protected stop(dialect: Dialect, marker: string): Opener {
    return this.drop(dialect, literally(marker), op({ op: 'stop' }, this.toText))
  }

  /** The tokens that mean nothing inside reasoning. What ends a turn is only mentioned there. */
  private tokensOf({ ignore, endOfTurn }: Dialect): (readonly Node[])[] {
    return [...ignore.map(({ nodes }) => nodes), ...endOfTurn.map(literally)]
  }

  /** Whether something may begin with the same literal as one of these. */
  protected beginsLike(spot: Spot, others: readonly Spot[]): boolean {
    const literals = this.literalsOf(others)
    return [...this.literalsOf([spot])].some((literal) => literals.has(literal))
  }

  /** The literals with which these can begin. */
  private literalsOf(spots: readonly Spot[]): Set<string> {
    return new Set(this.reach(split(...spots)).arrivals.map(({ literal }) => literal))
  }

  /** What begins with these parts and goes on with `next`. */
  protected opener(kind: Construct['kind'], dialect: Dialect, nodes: readonly Node[], next: Spot): Opener {
    return this.open(firstSpot(nodes, next), kind, dialect)
  }

  private open(
    next: Spot,
    kind: Construct['kind'],
    dialect: Dialect,
    how: Marking = 'marked',
    failed: Pick<Construct, 'resync' | 'resyncInReasoning' | 'plain'> = NO_CALL,
  ): Opener {
    const opens: Construct = { kind, dialect, weak: how !== 'marked', atStart: how === 'weak', ...failed }
    this.constructs.push(opens)
    return { at: 'open', opens, next }
  }
}

const NO_CALL = { resync: undefined, resyncInReasoning: undefined, plain: undefined }

function literally(marker: string): readonly Node[] {
  return [{ kind: 'literal', forms: [marker] }]
}

/** A reader that is looked for anywhere in text: the characters it can begin with are its openers. */
function triggered(spot: Spot): Spot {
  if (spot.at === 'read' && spot.type.first !== '') return literalSpot([...spot.type.first], spot, 1)
  if (spot.at === 'op') return op(spot.op, triggered(spot.next))
  return spot
}
