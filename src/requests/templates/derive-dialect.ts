/** A dialect made from a chat template: its markers are found by words that stand between them. */

import { reasoningMarkers } from '../../dialects/reasoning-markers.ts'
import { dialect as defineDialect } from '../../engine/wire/checked-dialect.ts'
import type { Dialect, DialectDefinition } from '../../engine/wire/dialect.ts'
import { each, list, Template, wire } from '../../engine/wire/index.ts'
import { type CallSamples, callSamples, SAMPLE, unlessUnlike } from './call-samples.ts'
import { callShapes, closing } from './call-shapes.ts'
import type { ChatTemplate } from './chat-template.ts'
import { derivedReasoning } from './derived-reasoning.ts'
import { markup, markupBefore, type Part, templateOf } from './markup.ts'
import { ONE_CALL, PLAIN, SPOKEN } from './probes.ts'
import {
  type Fit,
  isFit,
  type Misfit,
  nearer,
  proved,
  responseOf,
  tryDialect,
  unproved,
  writesAlike,
} from './prove.ts'
import { type TemplateFormat, UnprovedDialectError } from './template-format.ts'
import { type TemplateOptions, type Turns, turnsOf } from './turns.ts'

/**
 * Makes a dialect from a chat template, for a format that the library does not know.
 *
 *     const { dialect, start } = deriveDialect(await readFile('chat_template.jinja', 'utf8'))
 *     const parser = createParser({ dialect, start, tools })
 *
 * The dialect is proved like one that `detectDialect` finds: it reads every probe that the template writes, at every
 * split; and it writes a call as the template does, apart from white space. Throws an `UnprovedDialectError` with the
 * probe that failed where no such dialect can be made.
 */
export function deriveDialect(
  template: string | ChatTemplate,
  options: TemplateOptions = {},
): TemplateFormat {
  const all = turnsOf(template, options)
  let nearest: Misfit | undefined
  for (const turns of all)
    for (const candidate of candidates(turns)) {
      const result = checkWriting(tryDialect(candidate, turns), turns)
      if (isFit(result)) return proved(result, turns, { origin: 'derived', alternatives: [] })
      nearest = nearer(nearest, result)
    }
  throw nearest === undefined ? unknownShape(all[0]!) : unproved(nearest)
}

/** A dialect that writes other calls than the template does has found the wrong markers. */
function checkWriting(result: Fit | Misfit, turns: Turns): Fit | Misfit {
  if (!isFit(result)) return result
  const { dialect } = result
  const turn = turns.plain.find(({ probe }) => probe === ONE_CALL)!
  const { text } = responseOf(turn, dialect, result.start)
  if (writesAlike(dialect, ONE_CALL, text, turns)) return result
  const problem = 'the dialect would write it differently'
  return { dialect, failed: { name: ONE_CALL.name, written: text, problem }, passed: turns.plain.length }
}

function unknownShape({ plain }: Turns): UnprovedDialectError {
  const { responses } = plain.find(({ probe }) => probe === ONE_CALL)!
  const problem = 'its name and arguments stand in no order that a dialect can be made of'
  return new UnprovedDialectError(
    `No dialect can be made from the template: of a call, ${problem}. The template writes ${JSON.stringify(responses[0])}.`,
    { name: ONE_CALL.name, written: responses[0], problem },
  )
}

/** Dialects that the template may write, the likeliest first. */
function* candidates(turns: Turns): Generator<Dialect> {
  const samples = callSamples(turns.writer)
  for (const shape of callShapes(samples)) {
    const call = withoutLeadingSpace(callsOf(shape, samples))
    const marks = marksOf(call, openerOf(samples))
    for (const reasoning of [undefined, ...reasoningOf(turns)])
      for (const around of aroundText(turns, samples)) {
        const definition = { ...marks, ...around, ...(reasoning && { reasoning }), spacedCalls: true }
        const made = unlessUnlike(() => defineDialect('derived', definition))
        if (made !== undefined) yield made
      }
  }
}

/** Markers around reasoning: those that the template writes, or that it leaves to the model. */
function reasoningOf(turns: Turns): Template[] {
  const derived = derivedReasoning(turns)
  const written = [turns.writer.opened, ...turns.plain.map(({ whole }) => whole)].join('\n')
  const known = Object.values(reasoningMarkers).filter(({ nodes }) =>
    nodes.some((node) => node.kind === 'literal' && node.forms.some((form) => written.includes(form))),
  )
  return derived === undefined ? known : [derived, ...known]
}

/** A template without white space at its beginning: what begins a call is its first marker. */
function withoutLeadingSpace({ nodes }: Template): Template {
  return nodes[0]?.kind === 'space' ? new Template(nodes.slice(1)) : new Template(nodes)
}

/** One call or more, in the frame that stands around all of them. */
function callsOf(call: readonly Part[], { frame }: CallSamples) {
  const { before, between, behind } = frame
  const separator = between.trim()
  if ((before + behind).trim() === '' && separator === '') return templateOf(call)
  const close = closing(behind, before)
  if (separator !== '')
    return templateOf([...markupBefore(before), list(templateOf(call), separator), ...close])
  return templateOf([
    ...markup(before.trimEnd()),
    each(templateOf([...markupBefore(between), ...call])),
    ...close,
  ])
}

/** What stands before the name and the first brace of a call. */
function openerOf(samples: CallSamples): string {
  const call = samples.frame.before + (samples.one({ orchard: SAMPLE.orchard }) ?? '')
  const end = call.search(new RegExp(`${SAMPLE.toolName}|\\{`))
  return call.slice(0, end).trim()
}

/** How calls are found: by a marker, by words that any text may hold if the tool is known, or only by what they are. */
function marksOf(call: Template, opener: string): DialectDefinition {
  const marker = opener.replace(/[[({\s]/g, '')
  if (marker === '') return { weakCall: call, weakCallInLines: true }
  return { call, ...(/^[\w:;,.!?'"-]*$/.test(marker) && { knownToolsOnly: true }) }
}

/** Markers around text, and the one that ends a turn. */
function* aroundText(turns: Turns, samples: CallSamples): Generator<DialectDefinition> {
  const footer = turns.writer.footer.trim()
  const endOfTurn = footer === '' || /\s/.test(footer) ? [] : [footer]
  const plain = turns.plain.find(({ probe }) => probe === PLAIN)?.responses[0] ?? SPOKEN
  const [before = '', behind = ''] = plain.split(SPOKEN)
  const drop = [before.trim(), behind.trim(), betweenTextAndCall(turns, samples)].filter((one) => one !== '')
  const dropped = [...new Set(drop)].map((one) => wire`${one}`)
  yield { endOfTurn }
  if (dropped.length === 0) return
  yield { drop: dropped, endOfTurn }
  // A marker that ends the text before a call ends no turn.
  if (endOfTurn.length > 0) yield { drop: dropped }
}

function betweenTextAndCall({ plain }: Turns, samples: CallSamples): string {
  const turn = plain.find(({ probe }) => probe.text !== undefined && probe.calls !== undefined)
  const behind = turn?.responses[0].split(SPOKEN)[1] ?? ''
  const opener = openerOf(samples)
  return opener === '' ? '' : behind.slice(0, Math.max(behind.indexOf(opener), 0)).trim()
}
