/**
 * What can begin where no dialect is certain yet: the markers of all candidates, and what each may begin in which of them.
 *
 *     <tool_call>      a call in hermes, qwen3-coder, glm and others: what follows tells
 *     <|channel|>…     markup of harmony alone: a control token that no prose holds
 *     <|im_end|>       the end of a turn, if nothing follows
 *     <think>          reasoning in many: read as such, and not evidence of a dialect
 */

import type { DetectionContext } from '../detection.ts'
import { type Dialect, define } from '../dialect.ts'
import { Literals } from '../literals.ts'
import type { Edge, ExpectState, Program, ScanState, State } from '../program.ts'
import { type Node, showTemplate, type Template } from '../template.ts'

/** What a marker may begin, in which candidates. */
export interface Openings {
  /** The candidates, by their index, in whose calls or markup the marker is the beginning. */
  readonly candidates: readonly number[]
  /** In some candidates it is a thought, or opens one, so that no call is certain from here on. */
  readonly isDoubtful: boolean
}

export interface Openers {
  readonly programs: readonly Program[]
  /** Reads text, reasoning and results, and pauses at markers. */
  readonly plain: Program
  readonly inText: ReadonlyMap<string, Openings>
  /** Where content begins: the first characters of calls that nothing marks. */
  readonly inContent: ReadonlyMap<string, Openings>
  /** By the first marker of the reasoning, in all its spellings. */
  readonly inReasoning: ReadonlyMap<string, ReadonlyMap<string, Openings>>
  /** Where the prompt opened it. */
  readonly inPromptedReasoning: ReadonlyMap<string, Openings>
  /** Sentences of prose that open reasoning in some candidates. They are text, so that nothing waits for them. */
  readonly sentences: Literals
}

/** Openers by what shapes the programs, for the parsers that are made with the same candidates. */
const known = new WeakMap<readonly Dialect[], Map<string, Openers>>()
const MOST_KNOWN = 64

export function openersFor(candidates: readonly Dialect[], context: DetectionContext): Openers {
  const byShape = known.get(candidates) ?? new Map<string, Openers>()
  known.set(candidates, byShape)
  const openers = byShape.get(context.shape) ?? openersOf(candidates, context)
  if (byShape.size >= MOST_KNOWN) byShape.clear()
  byShape.set(context.shape, openers)
  return openers
}

function openersOf(candidates: readonly Dialect[], context: DetectionContext): Openers {
  const programs = candidates.map((dialect) => context.compile([dialect]))
  const marks = programs.map((program, index) => marksIn(program.text, candidates[index]!))
  const speeches = context.reasoning ? speechesOf(candidates, marks) : { own: [], sentences: [] }
  const results = distinct(candidates.flatMap(({ result }) => result ?? []))
  const own = new Set(
    [...speeches.own.map(({ template }) => template), ...results].flatMap(({ nodes }) => firstForms(nodes)),
  )

  const inText = withoutLonger(textOpenings(marks, own))
  const inContent = new Map<string, Openings>()
  programs.forEach(({ content }, index) => {
    for (const first of weakStarts(content)) addCandidate(inContent, first, index)
  })
  const inReasoning = new Map<string, Map<string, Openings>>()
  for (const { template } of speeches.own) {
    const found = new Map<string, Openings>()
    candidates.forEach((dialect, index) => {
      const state = speechState(programs[index]!, firstForms(template.nodes))
      if (state === undefined || !dialect.callEndsReasoning) return
      for (const { literal, opens } of withAlternatives(state.edges))
        if (opens?.kind === 'call') addCandidate(found, literal, index)
    })
    candidates.forEach((dialect, index) => {
      if (dialect.callEndsReasoning || !speechState(programs[index]!, firstForms(template.nodes))) return
      for (const [literal, openings] of found)
        if (marks[index]!.get(literal)?.has('call')) found.set(literal, { ...openings, isDoubtful: true })
    })
    inReasoning.set(String(firstForms(template.nodes)), withoutLonger(found))
  }
  const inPromptedReasoning = withoutLonger(together([...inReasoning.values()]))
  const plain = context.compile(
    [
      ...speeches.own.map(({ template, strayCloser }) =>
        define('reasoning', { reasoning: template, strayCloser }),
      ),
      ...results.map((result) => define('result', { result })),
    ],
    {
      text: [...inText.keys()],
      content: [...inContent.keys()],
      reasoning: ({ nodes }) => [...(inReasoning.get(String(firstForms(nodes)))?.keys() ?? [])],
    },
  )
  const sentences = new Literals([...speeches.sentences], { anchored: false, ignoreCase: false })
  return { programs, plain, inText, inContent, inReasoning, inPromptedReasoning, sentences }
}

/** The state in which a program reads the reasoning that these markers open. */
export function speechState(program: Program, forms: readonly string[]): ScanState | undefined {
  return program.states.find(
    (state): state is ScanState =>
      state.kind === 'scan' && state.channel === 'reasoning' && String(state.own?.forms) === String(forms),
  )
}

// ── markers in text ──────────────────────────────────────────────────────────────────────────────

type MarkKind = 'call' | 'stop' | 'markup'
type Marks = ReadonlyMap<string, ReadonlySet<MarkKind>>

function marksIn(text: ScanState, dialect: Dialect): Marks {
  const marks = new Map<string, Set<MarkKind>>()
  for (const { literal, opens } of withAlternatives(text.edges)) {
    // What is read against a format does not tell which format it is.
    if (opens?.dialect !== dialect || opens.isGuess || (opens.kind === 'call' && opens.weak)) continue
    const isStop = dialect.endOfTurn.includes(literal)
    const kind = opens.kind === 'call' ? 'call' : isStop ? 'stop' : 'markup'
    marks.set(literal, (marks.get(literal) ?? new Set()).add(kind))
  }
  return marks
}

/** `own`: the markers that are read where no dialect is certain. */
function textOpenings(marks: readonly Marks[], own: ReadonlySet<string>): Map<string, Openings> {
  const found = new Map<string, Openings>()
  const literals = new Set(marks.flatMap((one) => [...one.keys()]))
  for (const literal of literals) {
    if (own.has(literal)) continue
    const having = (kind: MarkKind) =>
      marks.flatMap((one, index) => (one.get(literal)?.has(kind) ? [index] : []))
    const [calls, stops, markup] = [having('call'), having('stop'), having('markup')]
    // The ends of turns are alike in all dialects, so that one of them tells.
    if (calls.length > 0) found.set(literal, { candidates: calls, isDoubtful: false })
    else if (stops.length > 0) found.set(literal, { candidates: stops.slice(0, 1), isDoubtful: false })
    else if (markup.length === 1 && isControlToken(literal))
      found.set(literal, { candidates: markup, isDoubtful: false })
  }
  return found
}

/** Special tokens have a bar between their brackets. Prose does not. */
function isControlToken(literal: string): boolean {
  return /[|｜]/.test(literal)
}

/** Of markers that begin alike the shortest is found, and stands for the others. */
function withoutLonger(openings: ReadonlyMap<string, Openings>): Map<string, Openings> {
  const shortest = new Map<string, Openings>()
  for (const literal of [...openings.keys()].sort((a, b) => a.length - b.length)) {
    const prefix = [...shortest.keys()].find((one) => literal.startsWith(one))
    if (prefix === undefined) shortest.set(literal, openings.get(literal)!)
    else for (const index of openings.get(literal)!.candidates) addCandidate(shortest, prefix, index)
  }
  return shortest
}

function together(all: readonly ReadonlyMap<string, Openings>[]): Map<string, Openings> {
  const found = new Map<string, Openings>()
  for (const [literal, { candidates, isDoubtful }] of all.flatMap((one) => [...one])) {
    for (const index of candidates) addCandidate(found, literal, index)
    if (isDoubtful) found.set(literal, { ...found.get(literal)!, isDoubtful })
  }
  return found
}

function addCandidate(openings: Map<string, Openings>, literal: string, index: number): void {
  const { candidates = [], isDoubtful = false } = openings.get(literal) ?? {}
  const all = new Set([...candidates, index])
  openings.set(literal, { candidates: [...all].sort((a, b) => a - b), isDoubtful })
}

function withAlternatives(edges: readonly Edge[]): Edge[] {
  return edges.flatMap((edge) => [edge, ...edge.alternatives])
}

/** What a call can begin with that nothing marks: a character, or what holds the name of a tool, because letters begin any text. */
function weakStarts(content: State): string[] {
  if (content.kind !== 'expect') return []
  const { edges, fallbacks }: ExpectState = content
  const starts = [
    ...withAlternatives(edges).flatMap(({ literal, opens }) =>
      opens?.weak ? [LETTER.test(literal[0]!) ? literal : literal[0]!] : [],
    ),
    ...fallbacks.flatMap(({ first, opens }) => (opens?.weak ? [...first] : [])),
  ]
  return starts.filter((start) => !/^\s/.test(start) && !(start.length === 1 && LETTER.test(start)))
}

const LETTER = /\w/

// ── reasoning ────────────────────────────────────────────────────────────────────────────────────

interface Speech {
  readonly template: Template
  readonly strayCloser: Dialect['strayCloser']
}

/** The reasoning that is read where no dialect is certain, and the sentences that open reasoning in some. */
function speechesOf(candidates: readonly Dialect[], marks: readonly Marks[]) {
  const own = new Map<string, Speech>()
  const sentences = new Set<string>()
  for (const { reasoning, strayCloser } of candidates)
    for (const template of reasoning) {
      const forms = firstForms(template.nodes)
      const holders = marks.filter((one) => forms.some((form) => one.has(form)))
      if (forms.some((form) => /^\p{L}/u.test(form))) for (const form of forms) sentences.add(form)
      // The beginning of a call, too: what follows tells, and the dialects read both.
      else if (forms.every(isControlToken) && holders.some((one) => forms.some((form) => isCall(one, form))))
        continue
      else if (holders.length > 1 || !forms.every(isControlToken)) {
        const key = showTemplate(template.nodes)
        if (!own.has(key)) own.set(key, { template, strayCloser })
      }
    }
  return { own: [...own.values()], sentences }
}

function isCall(marks: Marks, literal: string): boolean {
  return marks.get(literal)?.has('call') === true
}

function distinct(templates: readonly Template[]): Template[] {
  return [...new Map(templates.map((template) => [showTemplate(template.nodes), template])).values()]
}

/** The spellings of its first marker. */
function firstForms(nodes: readonly Node[]): readonly string[] {
  return nodes.find((node) => node.kind === 'literal')?.forms ?? []
}
