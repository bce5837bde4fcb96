/**
 * Mistakes that someone could make in the engine, each as one small change to its source. The laws must notice
 * every one of them; where they do not, it is the laws that need work.
 */

import type * as laws from './laws.ts'

type LawFunction = (...sample: never[]) => string | undefined
export type LawName = {
  [Name in keyof typeof laws]: (typeof laws)[Name] extends LawFunction ? Name : never
}[keyof typeof laws]

export interface Mutant {
  /** What goes wrong, in words. */
  readonly mistake: string
  /** The law that notices. The last two look at what stands around the engine, too. */
  readonly law: Exclude<LawName, 'wellFormedEvents' | 'unlessWritten'> | 'oneTruth' | 'writtenIsRead'
  /** The file below `src`. */
  readonly file: string
  /** Text that stands in it exactly once, and what stands there instead. */
  readonly from: string
  readonly to: string
}

export const MUTANTS: readonly Mutant[] = [
  // ── detection ──────────────────────────────────────────────────────────────────────────────────
  {
    mistake: 'finds calls behind the end of a turn and lets them run',
    law: 'trustInDetection',
    file: 'engine/wire/detection/detector.ts',
    from: "if (machine.s.place.isUncertain || hasBegun || machine.s.stoppedBy !== '') doubtReading(plain)",
    to: 'if (machine.s.place.isUncertain || hasBegun) doubtReading(plain)',
  },
  {
    mistake: 'is certain of a call that only some dialects read without the marker around it',
    law: 'trustInDetection',
    file: 'engine/wire/detection/detector.ts',
    from: 'if (reading.machine.call?.s.isUnmarked) doubtReading(reading)',
    to: 'if (reading.machine.call === undefined) doubtReading(reading)',
  },
  {
    mistake: 'takes the first of two dialects that read a call differently for the right one',
    law: 'trustInDetection',
    file: 'engine/wire/detection/detector.ts',
    from: '      doubtReading(first)\n      first.events = first.events.map(asGuess)\n',
    to: '',
  },
  // ── the machine ────────────────────────────────────────────────────────────────────────────────
  {
    mistake: 'counts the space before a call as a part of it',
    law: 'spansHold',
    file: 'engine/wire/machine/open-construct.ts',
    from: 'const length = (s.source?.length ?? 0) - s.leadLength',
    to: 'const length = s.source?.length ?? 0',
  },
  {
    mistake: 'forgets where a construct began',
    law: 'resumable',
    file: 'engine/wire/machine/snapshot.ts',
    from: 'Object.assign(m.s, plain)',
    to: 'Object.assign(m.s, plain, { openedAt: 0 })',
  },
  {
    mistake: 'holds back one character too few',
    law: 'splitInvariance',
    file: 'engine/wire/machine/step.ts',
    from: 'const depth = literals.depth[node]!',
    to: 'const depth = Math.max(0, literals.depth[node]! - 1)',
  },
  {
    mistake: 'takes what stands before a thought for the start of the line behind it',
    law: 'trustInQuotations',
    file: 'engine/wire/machine/text.ts',
    from: 'return output.isText || s.isBehindPrefill ? s.indent : 0',
    to: 'return s.indent',
  },
  {
    mistake: 'forgets that a call which nothing marks is a guess',
    law: 'trustInQuotations',
    file: 'engine/wire/machine/open-construct.ts',
    from: '  if (construct?.isGuess) call.lacksOpener()\n',
    to: '',
  },
  {
    mistake: 'takes a call which nothing marks for one that is put right without loss',
    law: 'trustInQuotations',
    file: 'engine/calls/call.ts',
    from: "this.repaired('missing-opener', 'guess', this.s.origin)",
    to: "this.repaired('missing-opener', 'lossless', this.s.origin)",
  },
  {
    mistake: 'takes a call which nothing marks for one that a marker opens',
    law: 'trustInQuotations',
    file: 'engine/wire/compile/constructs.ts',
    from: "isGuess: how === 'guessed',",
    to: 'isGuess: false,',
  },
  {
    mistake: 'holds back one character too many',
    law: 'promptness',
    file: 'engine/wire/machine/step.ts',
    from: 'const depth = literals.depth[node]!',
    to: 'const depth = literals.depth[node]! && literals.depth[node]! + 1',
  },
  {
    mistake: 'does not begin anew after a marker',
    law: 'comesBack',
    file: 'engine/wire/machine/step.ts',
    from: "    s.node = 0\n    s.held = ''\n    return take(m, edge, matched, text, at)",
    to: "    s.node = node\n    s.held = ''\n    return take(m, edge, matched, text, at)",
  },
  {
    mistake: 'ends text one character before the marker',
    law: 'splitInvariance',
    file: 'engine/wire/machine/step.ts',
    from: 'writeUpTo(m, state, text, from, start)',
    to: 'writeUpTo(m, state, text, from, start - 1)',
  },
  {
    mistake: 'forgets what is held when the text ends',
    law: 'nothingLost',
    file: 'engine/wire/machine/end.ts',
    from: "if (held !== '' && !dropsCutMarker(m, held)) write(m, state, held, m.base - held.length)",
    to: '',
  },
  {
    mistake: 'forgets whitespace that turned out to be text',
    law: 'comesBack',
    file: 'engine/wire/machine/step.ts',
    from: 'reread(m, takesSpace ? held : space + held, text, at)',
    to: 'reread(m, held, text, at)',
  },
  {
    mistake: 'says the end of a prefill again that failed as the beginning of a construct',
    law: 'saidBehindPrefill',
    file: 'engine/wire/machine/text.ts',
    from: 'return start < s.prefilled ? text.slice(s.prefilled - start) : text',
    to: 'return start < s.prefilled ? text.slice(s.prefilled - start - 1) : text',
  },
  {
    mistake: 'does not look for half a surrogate pair',
    law: 'wellFormed',
    file: 'engine/wire/machine/intake.ts',
    from: 'if (isHighSurrogate(text.charCodeAt(text.length - 1))) {',
    to: 'if (text === null) {',
  },
  {
    mistake: 'takes what is read again into the source twice',
    law: 'nothingLost',
    file: 'engine/wire/machine/step.ts',
    from: 'if (m.s.source !== null) cutSource(m, piece.length)',
    to: '',
  },
  {
    mistake: 'does not expect that nothing fits',
    law: 'total',
    file: 'engine/wire/machine/step.ts',
    from: 'return way === undefined ? recover(m, text, fail(m, text, at)) : fallBack(m, way, text, at)',
    to: 'return fallBack(m, way!, text, at)',
  },
  {
    mistake: 'leaves text open when a call begins',
    law: 'wellFormed',
    file: 'engine/wire/machine/call-host.ts',
    from: 'm.output.close()',
    to: '',
  },
  {
    mistake: 'leaves what is held out of a snapshot',
    law: 'resumable',
    file: 'engine/wire/machine/snapshot.ts',
    from: 'Object.assign(m.s, plain)',
    to: "Object.assign(m.s, plain, { space: '' })",
  },
  {
    mistake: 'counts the white space before an opener as part of a call that another reading takes',
    law: 'spansHold',
    file: 'engine/wire/machine/revert.ts',
    from: 'begin(m, construct, source, at - source.length + leadLength, at)',
    to: 'begin(m, construct, source, at - source.length, at)',
  },
  // ── the place ──────────────────────────────────────────────────────────────────────────────────
  {
    mistake: 'is certain of its place behind a call that failed',
    law: 'trustInQuotations',
    file: 'engine/wire/machine/place.ts',
    from: '  place.isUncertain = true\n',
    to: '',
  },
  {
    mistake: 'gives no call the doubt about its place',
    law: 'trustInQuotations',
    file: 'engine/wire/machine/open-construct.ts',
    from: 'call.s.isPlaceUncertain = m.s.place.isUncertain',
    to: '',
  },
  {
    mistake: 'keeps its place where a call breaks off before its name is known',
    law: 'trustInQuotations',
    file: 'engine/wire/machine/revert.ts',
    from: '  if (hasBegun) loseTrack(m)\n  const opener',
    to: '  const opener',
  },
  {
    mistake: 'overlooks the markers of calls in a raw value',
    law: 'trustInQuotations',
    file: 'engine/wire/machine/text.ts',
    from: '    loseTrack(m)\n    if (m.call !== null) m.call.s.isPlaceUncertain = true',
    to: '',
  },
  {
    mistake: 'trusts a call that ends by a bracket too many',
    law: 'trustInQuotations',
    file: 'engine/wire/machine/step.ts',
    from: 'if (!fits) {',
    to: 'if (!fits && at < 0) {',
  },
  // ── verdicts that wait ─────────────────────────────────────────────────────────────────────────
  {
    mistake: 'says the verdict on a call inside reasoning at once',
    law: 'trustInThought',
    file: 'engine/calls/call.ts',
    from: 'if (this.s.tentative !== null)',
    to: "if (this.s.tentative !== null && raw === 'never')",
  },
  {
    mistake: 'takes text behind a bare call for nothing',
    law: 'trustInThought',
    file: 'engine/wire/machine/text.ts',
    from: '    doubtWaiting(m)\n    output.write(channel, text.slice(blank))',
    to: '    output.write(channel, text.slice(blank))',
  },
  {
    mistake: 'decides on a bare call before white space that came in one piece with text',
    law: 'splitInvariance',
    file: 'engine/wire/machine/text.ts',
    from: 'passSpace(s.waiting!, leadingSpace(text))',
    to: "passSpace(s.waiting!, text.trim() === '' ? text.length : 0)",
  },
  {
    mistake: 'takes the end of reasoning behind a call for a stop',
    law: 'trustInThought',
    file: 'engine/wire/machine/actions.ts',
    from: 'if (s.thought !== NONE) doubtWaiting(m)',
    to: 'if (s.thought !== NONE) s.waiting = null',
  },
  {
    mistake: 'takes the end by a limit for a stop',
    law: 'trustInThought',
    file: 'engine/wire/machine/end.ts',
    from: "decideWaiting(m, s.stoppedBy !== '' || (reason === 'stop' && !isCut))",
    to: 'decideWaiting(m, !isCut)',
  },
  {
    mistake: 'goes on with visible text behind a call inside reasoning',
    law: 'trustInThought',
    file: 'engine/wire/machine/text.ts',
    from: 'if (thought !== null && isVisible(m, state))',
    to: 'if (thought !== null && isVisible(m, state) && s.stoppedBy !== "")',
  },
  {
    mistake: 'says a doubt after what caused it',
    law: 'trustInThought',
    file: 'engine/wire/machine/text.ts',
    from: '    doubtWaiting(m)\n    output.write(channel, text.slice(blank))',
    to: '    output.write(channel, text.slice(blank))\n    doubtWaiting(m)',
  },
  {
    mistake: 'leaves the verdicts that wait out of a snapshot',
    law: 'resumable',
    file: 'engine/wire/machine/snapshot.ts',
    from: '({ ...s,',
    to: '({ ...s, waiting: null,',
  },
  // ── literals ───────────────────────────────────────────────────────────────────────────────────
  {
    mistake: 'begins from scratch when a marker breaks off',
    law: 'comesBack',
    file: 'engine/wire/literals.ts',
    from: 'fallback[child] = instead',
    to: 'fallback[child] = 0',
  },
  // ── the fast path ──────────────────────────────────────────────────────────────────────────────
  {
    mistake: 'says what may become a marker on the fast path',
    law: 'splitInvariance',
    file: 'engine/wire/fast-path.ts',
    from: 'const piece = node === 0 ? all : all.slice(0, certain)',
    to: 'const piece = all',
  },
  {
    mistake: 'forgets what is held back on the fast path',
    law: 'splitInvariance',
    file: 'engine/wire/fast-path.ts',
    from: "scanning.held = node === 0 ? '' : all.slice(certain)",
    to: "scanning.held = ''",
  },
  {
    mistake: 'says what may become a marker in visible text on the fast path',
    law: 'splitInvariance',
    file: 'engine/wire/fast-path.ts',
    from: 'return all.slice(0, certain)',
    to: 'return all',
  },
  {
    mistake: 'cuts a surrogate pair of visible text in two on the fast path',
    law: 'wellFormed',
    file: 'engine/wire/fast-path.ts',
    from: 'if (isHighSurrogate(last)) return null',
    to: '',
  },
  {
    mistake: 'overlooks the markers of calls in a raw value on the fast path',
    law: 'trustInQuotations',
    file: 'engine/wire/literals.ts',
    from: 'text.charCodeAt(at + 1))] === 2',
    to: 'text.charCodeAt(at + 1))] === 3',
  },
  {
    mistake: 'overlooks the markers of calls in what was held back on the fast path',
    law: 'trustInQuotations',
    file: 'engine/wire/fast-path.ts',
    from: 'isSeen = scanning.held.length > 1 || watch?.mayBeginAt(all, 0) === true',
    to: 'isSeen = false',
  },
  {
    mistake: 'cuts a surrogate pair in two on the fast path',
    law: 'wellFormed',
    file: 'engine/wire/fast-path.ts',
    from: 'if (isHighSurrogate(chunk.charCodeAt(length - 1))) return null',
    to: '',
  },
  {
    mistake: 'cuts a surrogate pair in two on the fast path through a JSON string',
    law: 'resumable',
    file: 'values/json/scan/passing.ts',
    from: 'if (isHighSurrogate(code)) return null',
    to: '',
  },
  {
    mistake: 'says a line break at the end of a chunk that may belong to a closer',
    law: 'splitInvariance',
    file: 'engine/wire/literals.ts',
    from: 'code < 128 ? begins[code] !== 0 :',
    to: 'code < 128 ? begins[code] !== 0 && code !== 10 :',
  },
  {
    mistake: 'says a quote as it stands, and not as JSON has it',
    law: 'jsonHolds',
    file: 'engine/calls/text-arguments.ts',
    from: 'delta: escaped(text) })',
    to: 'delta: text })',
  },
  {
    mistake: 'leaves a chunk of the fast path out of the source',
    law: 'splitInvariance',
    file: 'engine/wire/machine/intake.ts',
    from: 'source.add(chunk)\n',
    to: 'source.length += chunk.length\n',
  },
  {
    mistake: 'does not count a chunk of the fast path',
    law: 'splitInvariance',
    file: 'engine/wire/machine/intake.ts',
    from: '  s.total = total\n',
    to: '',
  },
  {
    mistake: 'keeps a piece of a value only on the long way',
    law: 'splitInvariance',
    file: 'engine/wire/fast-path.ts',
    from: 'this.into.append(piece, this.verbatim, this.emit)',
    to: '',
  },
  {
    mistake: 'forgets a backslash at the end of a chunk',
    law: 'splitInvariance',
    file: 'values/json/scan/passing.ts',
    from: "state.held = isInEscape ? '\\\\' : ''",
    to: "state.held = ''",
  },
  // ── calls ──────────────────────────────────────────────────────────────────────────────────────
  {
    mistake: 'takes a call that was cut off for a complete one',
    law: 'trust',
    file: 'engine/calls/call.ts',
    from: 'const isCut = cut !== undefined && this.s.error === null',
    to: 'const isCut = cut !== undefined && this.s.error !== null',
  },
  {
    mistake: 'says a piece of an argument that is empty',
    law: 'wellFormed',
    file: 'engine/calls/text-arguments.ts',
    from: "if (text !== '') this.appendDecoded(text, emit)",
    to: 'this.appendDecoded(text, emit)',
  },
  {
    mistake: 'takes an argument from another place of the source',
    law: 'splitInvariance',
    file: 'engine/calls/text-arguments.ts',
    from: 'this.s.start = offset - this.call.origin',
    to: 'this.s.start = offset - this.call.origin + 1',
  },
  {
    mistake: 'takes an argument from the source that has an entity there',
    law: 'comesBack',
    file: 'engine/calls/text-arguments.ts',
    from: 'this.leaveSource()\n      const text = entities.push(piece)',
    to: 'const text = entities.push(piece)',
  },
  {
    mistake: 'lets an argument come twice',
    law: 'jsonHolds',
    file: 'engine/calls/text-arguments.ts',
    from: "this.s.mode = ''\n    if (this.isRepeated(key)) return",
    to: "this.s.mode = ''",
  },
  {
    mistake: 'lets a key of JSON arguments come twice',
    law: 'jsonHolds',
    file: 'engine/calls/json-arguments.ts',
    from: "this.call.fail('duplicate-key', `The arguments have the key '${key}' twice.`, this.state.origin)",
    to: 'void key',
  },
  {
    mistake: 'takes the last of the values that JSON in a parameter has for one key',
    law: 'trustInQuotations',
    file: 'values/schema/json-text.ts',
    from: 'return value === undefined || repeatsKey(text, value) || losesDigits(text, value) ? undefined : value',
    to: 'return value',
  },
  {
    mistake: 'keeps only the last piece of arguments that come before the name',
    law: 'splitInvariance',
    file: 'engine/wire/call-object-reader.ts',
    from: 'this.state.early += piece',
    to: 'this.state.early = piece',
  },
  {
    mistake: 'forgets which quote closes a string when it goes on from a snapshot',
    law: 'resumable',
    file: 'engine/wire/literal-call.ts',
    from: 'new LiteralCallReader(syntax, settings, state)',
    to: "new LiteralCallReader(syntax, settings, state && { ...state, quote: '' })",
  },
  {
    mistake: 'does not know the input of a call that ends right after a restore',
    law: 'resumable',
    file: 'engine/wire/literal-call.ts',
    from: 'state.arguments === null ? null : this.argumentsOf(state.arguments)',
    to: 'null',
  },
  // ── JSON ───────────────────────────────────────────────────────────────────────────────────────
  {
    mistake: 'says a comma before it is certain that something follows',
    law: 'jsonHolds',
    file: 'values/json/scan/structure.ts',
    from: 'afterComma(state, isInArray(state) ? ARRAY_NEXT : KEY, i)',
    to: 'afterComma(state, isInArray(state) ? ARRAY_NEXT : KEY, i)\n      scan.committed = i + 1',
  },
  {
    mistake: 'forgets an escape that was cut when it goes on from a snapshot',
    law: 'resumable',
    file: 'engine/wire/call-object-reader.ts',
    from: 'TOLERANT, state.json, settings.markers)',
    to: "TOLERANT, Object.assign(state.json, { held: '' }), settings.markers)",
  },
  {
    mistake: 'says that a list is complete when it begins',
    law: 'noRegret',
    file: 'values/json/builder.ts',
    from: 'this.listener?.start(path, kind)',
    to: 'this.listener?.start(path, kind)\n    this.listener?.end(path, container)',
  },
  {
    mistake: 'forgets the key that waits for its value',
    law: 'resumable',
    file: 'values/json/builder.ts',
    from: 'open ?? this.pendingKey',
    to: "open ?? ''",
  },
  // ── XML ────────────────────────────────────────────────────────────────────────────────────────
  {
    mistake: 'takes a line break at the start of every string for markup',
    law: 'comesBack',
    file: 'engine/wire/elements.ts',
    from: "if (held !== '') this.writeString(held, 0, held.length, call)",
    to: "if (held !== '') this.writeString(held, held[0] === '\\n' ? 1 : 0, held.length, call)",
  },
  {
    mistake: 'forgets an entity that was cut',
    law: 'resumable',
    file: 'values/xml/entities.ts',
    from: 'return { held: this.held }',
    to: "return { held: '' }",
  },
  {
    mistake: 'forgets the beginning of an attribute that was cut',
    law: 'comesBack',
    file: 'values/xml/opening-tag.ts',
    from: '  tag.value += text.slice(from, at)',
    to: '  tag.value = text.slice(from, at)',
  },
  {
    mistake: 'takes a tag with other attributes than a call has for prose',
    law: 'trustInQuotations',
    file: 'engine/wire/tag.ts',
    from: 'if (hasAttributes(state)) call.s.hasBegun = true',
    to: '',
  },
  // ── what stands around the engine ──────────────────────────────────────────────────────────────
  {
    mistake: 'gives a negative zero, which JSON cannot hold',
    law: 'plain',
    file: 'values/json/scan/scalars.ts',
    from: '(Number.isFinite(value) && !Object.is(value, -0))',
    to: 'Number.isFinite(value)',
  },
  {
    mistake: 'lets a number into the arguments that JSON cannot hold',
    law: 'plain',
    file: 'engine/calls/json-arguments.ts',
    from: 'if (value === 0) return 0',
    to: 'return value === 0 ? 0 : value',
  },
  {
    mistake: 'records text without the space at its end',
    law: 'oneTruth',
    file: 'runs/recording/payload.ts',
    from: "if (kind === 'text' && typeof chunk === 'string') return JSON.stringify(chunk)",
    to: "if (kind === 'text' && typeof chunk === 'string') return JSON.stringify(chunk.trimEnd())",
  },
  {
    mistake: 'does not tell the text of a provider that the model stopped by itself',
    law: 'oneTruth',
    file: 'providers/event-assembler.ts',
    from: 'this.spans.end(isWhole ? stopped',
    to: "this.spans.end(isWhole ? 'length'",
  },
  {
    mistake: 'writes the end of a call that may not run',
    law: 'writtenIsRead',
    file: 'providers/written-calls.ts',
    from: "if (isTheirs || isOther || !mayBeWhole(event, this.options)) return { call, rest: '', isGood: false }",
    to: '',
  },
  {
    mistake: 'writes the last brace of a call before its verdict',
    law: 'writtenIsRead',
    file: 'providers/last-brace.ts',
    from: "delta.charAt(end - 1) === '}' ? end - 1 : delta.length",
    to: 'delta.length',
  },
]
