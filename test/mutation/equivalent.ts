/** Mutants that no test can notice, because the program does the same; and why. */

import { MUTANTS, type SourceMutant } from './decisive.ts'

interface Equivalent {
  /** The file below `src`, and its line as it stands there. */
  readonly file: string
  readonly line: string
  /** What is replaced in it, and by what. Nothing: the statement is left out. */
  readonly changes: readonly (readonly [from: string, to: string])[]
  readonly why: string
}

/** A condition that only saves work. */
const always = (condition: string, ...others: readonly string[]): (readonly [string, string])[] =>
  ['true', ...others].map((to) => [condition, to] as const)

const EQUIVALENT: readonly Equivalent[] = [
  // ── calls ──────────────────────────────────────────────────────────────────────────────────────
  {
    file: 'calls/prepare.ts',
    line: 'schema === undefined ? { value: input, changes: [] } : coerceValue(input, schema)',
    changes: [['schema === undefined', 'false']],
    why: 'Without a schema, `coerceValue` changes nothing.',
  },
  {
    file: 'calls/prepare.ts',
    line: 'const issues = schema === undefined ? [] : validate(coerced, schema)',
    changes: [['schema === undefined', 'false']],
    why: 'Without a schema, `validate` finds nothing.',
  },
  {
    file: 'calls/verdict.ts',
    line: 'if (allow.length > 0) checkAllow(allow)',
    changes: always('allow.length > 0', 'allow.length >= 0'),
    why: 'An empty list passes the check.',
  },
  // ── policy ─────────────────────────────────────────────────────────────────────────────────────
  {
    file: 'policy/combine.ts',
    line: "for (const answer of [decisive, 'not-yet', 'unreadable'] as const)",
    changes: [["'unreadable'", "'mutant'"]],
    why: 'Whoever asks takes an answer that is none for unreadable.',
  },
  {
    file: 'policy/combine.ts',
    line: "const certain = new Set(answers.filter((answer) => answer !== 'not-yet'))",
    changes: [
      ["answers.filter((answer) => answer !== 'not-yet')", 'answers'],
      ["'not-yet'", "'mutant'"],
    ],
    why: 'Only paths are read in several ways, and each of them says yes or no only at its end.',
  },
  {
    file: 'policy/combine.ts',
    line: "return answer === 'not-yet' ? 'unreadable' : answer",
    changes: [
      ["answer === 'not-yet'", 'false'],
      ["'not-yet'", "'mutant'"],
      ["'unreadable'", "'mutant'"],
    ],
    why: 'Whoever asks takes an answer that is not certain at the end for unreadable.',
  },
  {
    file: 'policy/combine.ts',
    line: "return typeof value === 'object' && value !== null && 'open' in value && typeof value.open === 'function'",
    changes: [
      [
        "typeof value === 'object' && value !== null && 'open' in value",
        "typeof value === 'object' && value !== null",
      ],
    ],
    why: 'What is missing is no function. The compiler needs to be told.',
  },
  {
    file: 'policy/digest.ts',
    line: "const text = canonical([call.toolName, call.input], Infinity, '-0')",
    changes: [["'-0'", "'mutant'"]],
    why: 'Any text does that stands for no other number.',
  },
  {
    file: 'policy/evaluation.ts',
    line: 'if (path === this.path) return',
    changes: [
      ['path === this.path', 'false'],
      ['return', ''],
    ],
    why: 'Moving to where it stands changes nothing.',
  },
  {
    file: 'policy/evaluation.ts',
    line: 'this.path = path',
    changes: [['this.path = path', '']],
    why: 'Moving to where it stands changes nothing.',
  },
  {
    file: 'policy/evaluation.ts',
    line: 'if (post.isScope && this.isRepeated(post)) return',
    changes: [['return', '']],
    why: 'The call is denied by then, and nothing is stricter.',
  },
  {
    file: 'policy/evaluation.ts',
    line: 'return true',
    changes: [
      ['return true', ''],
      ['true', 'false'],
    ],
    why: 'The call is denied by then, and nothing is stricter.',
  },
  {
    file: 'policy/evaluation.ts',
    line: 'this.open[this.keys.length] = readings ?? NONE',
    changes: [['readings ?? NONE', 'readings']],
    why: 'Whoever reads it takes nothing for none.',
  },
  {
    file: 'policy/evaluation.ts',
    line: 'if (readings === undefined || readings.length === 0) return -1',
    changes: [
      ['readings === undefined || readings.length === 0', 'false'],
      ['readings === undefined || readings.length === 0', 'readings === undefined'],
      ['readings === undefined || readings.length === 0', 'readings.length === 0'],
      ['return -1', ''],
    ],
    why: 'A string that grows has begun, and nothing becomes certain where nothing is read.',
  },
  {
    file: 'policy/evaluation.ts',
    line: 'return -1',
    changes: [['return -1', '']],
    why: 'A delta that is cut at no place is the whole delta.',
  },
  {
    file: 'policy/evaluation.ts',
    line: 'for (const { rule, reading } of this.open[depth] ?? NONE) {',
    changes: [['this.open[depth] ?? NONE', 'this.open[depth]']],
    why: 'A value that ends has begun.',
  },
  {
    file: 'policy/evaluation.ts',
    line: 'this.open[depth] = NONE',
    changes: [['this.open[depth] = NONE', '']],
    why: 'The next value at this depth begins with readings of its own.',
  },
  {
    file: 'policy/evaluation.ts',
    line: "if (answer === 'not-yet' && reading !== undefined) readings.push({ rule, reading })",
    changes: [["answer === 'not-yet' && reading !== undefined", "answer === 'not-yet'"]],
    why: 'Without a matcher the answer is yes. The compiler needs to be told.',
  },
  {
    file: 'policy/evaluation.ts',
    line: "if (state.status !== 'open') return",
    changes: [
      ['return', ''],
      ["state.status !== 'open'", 'false'],
    ],
    why: 'In `take`: what a rule led to is never softened, and a rule that allows is settled behind its last value.',
  },
  {
    file: 'policy/evaluation.ts',
    line: "if (!isSingle && (answer === 'no' || (answer === 'unreadable' && state.isUnsure))) return",
    changes: [
      ["!isSingle && (answer === 'no' || (answer === 'unreadable' && state.isUnsure))", 'false'],
      [
        "answer === 'no' || (answer === 'unreadable' && state.isUnsure)",
        "(answer === 'unreadable' && state.isUnsure)",
      ],
      ["answer === 'no' || (answer === 'unreadable' && state.isUnsure)", "answer === 'no'"],
      ["'no'", "'mutant'"],
      ["'unreadable'", "'mutant'"],
      ['return', ''],
    ],
    why: 'Nothing is new, so that deciding again decides the same.',
  },
  {
    file: 'policy/evaluation.ts',
    line: "else if (isSingle) state.status = 'no'",
    changes: [["'no'", "'mutant'"]],
    why: 'Only whether a rule is open, or holds, is asked.',
  },
  {
    file: 'policy/evaluation.ts',
    line: "state.status = 'no'",
    changes: [["'no'", "'mutant'"]],
    why: 'Only whether a rule is open, or holds, is asked.',
  },
  {
    file: 'policy/evaluation.ts',
    line: "state.status = isPermissive && state.hasValue ? 'yes' : 'no'",
    changes: [["'no'", "'mutant'"]],
    why: 'Only whether a rule is open, or holds, is asked.',
  },
  {
    file: 'policy/guard.ts',
    line: 'const known = call.id === undefined ? undefined : (this.verdicts.get(call.id) ?? this.forgotten)',
    changes: [['call.id === undefined', 'false']],
    why: 'Nothing is known of a call without an id, unless the guard forgot calls; then it is denied, which is stricter.',
  },
  {
    file: 'policy/guard.ts',
    line: 'call.evaluation.goTo(event.path)',
    changes: [['call.evaluation.goTo(event.path)', '']],
    why: 'The start of an argument, which comes before its text, went there.',
  },
  {
    file: 'policy/guard.ts',
    line: 'if (call.causes.length > 0) this.report(call)',
    changes: always('call.causes.length > 0', 'call.causes.length >= 0'),
    why: 'Without causes nothing is reported.',
  },
  {
    file: 'policy/guard.ts',
    line: "this.remember(id, { decision: 'deny', digest: '', ...why })",
    changes: [["''", "'mutant'"]],
    why: 'The digest is replaced by that of the call that is asked about.',
  },
  {
    file: 'policy/guard.ts',
    line: "digest: '',",
    changes: [["''", "'mutant'"]],
    why: 'The digest is replaced by that of the call that is asked about.',
  },
  {
    file: 'policy/guard.ts',
    line: "this.emit(denied({ type: 'tool-call', id, toolName, input: null, status: 'invalid', repairs: [] }, why))",
    changes: [["'invalid'", "'mutant'"]],
    why: '`denied` sets the status.',
  },
  {
    file: 'policy/guard.ts',
    line: 'this.forgotten ??= {',
    changes: [
      [
        "this.forgotten ??= { decision: 'deny', reason: `More than ${FIXED_LIMITS.verdicts} calls were not allowed.`, digest: '', }",
        "this.forgotten = { decision: 'deny', reason: `More than ${FIXED_LIMITS.verdicts} calls were not allowed.`, digest: '', }",
      ],
    ],
    why: 'It is the same each time.',
  },
  {
    file: 'policy/matcher.ts',
    line: "const pushed = certain === 'not-yet' ? reading.push(JSON.stringify(value)) : certain",
    changes: [["certain === 'not-yet'", 'true']],
    why: 'A reader that was certain of nothing stays certain, and of what is no string it says at most that it is unreadable.',
  },
  {
    file: 'policy/matchers.ts',
    line: 'characters: 0,',
    changes: [['0', '(0 + 1)']],
    why: 'Of a number no character is certain before the others, and the count is not reported.',
  },
  {
    file: 'policy/matchers.ts',
    line: "push: () => 'not-yet',",
    changes: [["'not-yet'", "'mutant'"]],
    why: 'A number is not pushed in pieces.',
  },
  {
    file: 'policy/path-look.ts',
    line: "return ASCII.test(name) ? name : name.normalize('NFKC').replace(/\\p{Default_Ignorable_Code_Point}/gu, '')",
    changes: [['ASCII.test(name)', 'false']],
    why: 'Normalising changes nothing of ASCII.',
  },
  {
    file: 'policy/path-look.ts',
    line: 'if (ASCII.test(name)) return false',
    changes: [
      ['ASCII.test(name)', 'false'],
      ['return false', ''],
    ],
    why: 'A name in ASCII stays as it is, and hides nothing.',
  },
  {
    file: 'policy/path-look.ts',
    line: 'if (ASCII.test(name) && ASCII.test(wanted)) return false',
    changes: [
      ['ASCII.test(name) && ASCII.test(wanted)', 'false'],
      ['return false', ''],
    ],
    why: 'Two names in ASCII that differ still differ when they are folded; where case is ignored they were compared so before.',
  },
  {
    file: 'policy/path-reader.ts',
    line: 'private count = 0',
    changes: [['0', '(0 + 1)']],
    why: 'It is set before it is read.',
  },
  {
    file: 'policy/path-reader.ts',
    line: "if (this.system.decodesPercent && (code === PERCENT || this.encoded !== '')) return this.readEncoded(code)",
    changes: [
      [
        "this.system.decodesPercent && (code === PERCENT || this.encoded !== '')",
        'this.system.decodesPercent',
      ],
      ["''", "'mutant'"],
    ],
    why: 'What does not begin with a percent sign is read literally there, too.',
  },
  {
    file: 'policy/path-reader.ts',
    line: "else if (isOnDrive) return 'not-yet'",
    changes: [["return 'not-yet'", '']],
    why: 'The same is returned behind it.',
  },
  {
    file: 'policy/path-reader.ts',
    line: "return code <= 0x20 || (code > 0x7f && String.fromCharCode(code).trim() === '')",
    changes: [
      ["code > 0x7f && String.fromCharCode(code).trim() === ''", "String.fromCharCode(code).trim() === ''"],
      ['code > 0x7f', 'code >= 0x7f'],
      ['0x7f', '(127 + 1)'],
    ],
    why: 'No character between 0x21 and 0x80 is space.',
  },
  {
    file: 'policy/policy.ts',
    line: 'name === undefined ? rule.rule.tool === undefined : rule.isAbout(name),',
    changes: [['name === undefined', 'false']],
    why: 'A rule that names tools is not about one without a name.',
  },
  {
    file: 'policy/policy.ts',
    line: 'if (depth > 0) evaluation.delta(delta)',
    changes: always('depth > 0', 'depth >= 0'),
    why: 'No rule reads the input itself, so that nothing is open there.',
  },
  {
    file: 'policy/policy.ts',
    line: 'if (depth === 0) return',
    changes: [
      ['depth === 0', 'false'],
      ['return', ''],
    ],
    why: 'At the end of the input all rules are settled anyway.',
  },
  {
    file: 'policy/policy.ts',
    line: "return { type: 'tool-call', id: '', status: 'complete', repairs: [], ...call }",
    changes: [
      ["'tool-call'", "'mutant'"],
      ["''", "'mutant'"],
    ],
    why: 'Whether a call may run depends neither on its type nor on its id.',
  },
  {
    file: 'policy/policy.ts',
    line: "...(code === 'rule' && rule !== undefined && { rule: rule.rule }),",
    changes: [["code === 'rule' && rule !== undefined", "code === 'rule'"]],
    why: 'A cause with this code has a rule. The compiler needs to be told.',
  },
  {
    file: 'policy/rule.ts',
    line: "if (typeof rule !== 'object' || rule === null) return fail('is not an object.')",
    changes: [["typeof rule !== 'object' || rule === null", 'rule === null']],
    why: 'What is no object has no decision, and is refused for that.',
  },
  {
    file: 'policy/standing.ts',
    line: "return stricter(this.isUnsure() ? 'ask' : 'allow', this.leastByRules())",
    changes: [["'allow'", "'mutant'"]],
    why: 'What is no decision is milder than any.',
  },
  {
    file: 'policy/standing.ts',
    line: "if (this.has('allow', 'yes', 'open')) return 'allow'",
    changes: [["'allow'", "'mutant'"]],
    why: 'What is no decision is milder than any, and allowing is the mildest that there is.',
  },
  {
    file: 'policy/standing.ts',
    line: "if (this.has('deny', 'yes', 'open')) return 'deny'",
    changes: [
      ["'deny'", "'mutant'"],
      ["'yes'", "'mutant'"],
    ],
    why: 'The strictest is asked for only where no rule denies or asks, and compared with allowing.',
  },
  {
    file: 'policy/standing.ts',
    line: "const byRules: Decision = this.has('ask', 'yes', 'open') || this.isUnsure() ? 'ask' : 'allow'",
    changes: [
      ["'yes'", "'mutant'"],
      ["this.has('ask', 'yes', 'open') || this.isUnsure()", "this.has('ask', 'yes', 'open')"],
    ],
    why: 'The strictest is asked for only where no rule denies or asks, and all values were read.',
  },
  {
    file: 'policy/standing.ts',
    line: "return this.has('allow', 'yes') || this.has('ask', 'yes')",
    changes: [
      ["'ask'", "'mutant'"],
      ["'yes'", "'mutant'"],
      ["this.has('allow', 'yes') || this.has('ask', 'yes')", "this.has('allow', 'yes')"],
    ],
    why: 'The strictest is asked for only where no rule asks.',
  },
  {
    file: 'policy/tool-rules.ts',
    line: 'let number = 0',
    changes: [['0', '(0 + 1)']],
    why: 'The numbers only have to differ.',
  },
  // ── turn ───────────────────────────────────────────────────────────────────────────────────────
  {
    file: 'turn/approvals.ts',
    line: 'const mayAsk = this.settings.approve !== undefined && !isExecutable(call)',
    changes: [
      ['this.settings.approve !== undefined && !isExecutable(call)', 'this.settings.approve !== undefined'],
    ],
    why: 'An executable call whose input is wrong is refused a second time.',
  },
  {
    file: 'turn/approvals.ts',
    line: "if (!mayAsk || !isExecutable(call, { allow: ['guess'] })) return refused",
    changes: [["!mayAsk || !isExecutable(call, { allow: ['guess'] })", '!mayAsk']],
    why: 'Preparing a call that is more than a guess refuses it, too.',
  },
  {
    file: 'turn/approvals.ts',
    line: "if (!isGuess && (policy === undefined ? approve === undefined : verdict?.decision === 'allow'))",
    changes: [
      [
        "!isGuess && (policy === undefined ? approve === undefined : verdict?.decision === 'allow')",
        "(policy === undefined ? approve === undefined : verdict?.decision === 'allow')",
      ],
    ],
    why: 'A guess gets here only if someone can be asked, and no policy allows one.',
  },
  {
    file: 'turn/approvals.ts',
    line: 'if (policy === undefined || this.guard === null) return undefined',
    changes: [
      ['policy === undefined || this.guard === null', 'policy === undefined'],
      ['policy === undefined || this.guard === null', 'this.guard === null'],
    ],
    why: 'There is a guard where there is a policy. The compiler needs to be told.',
  },
  {
    file: 'turn/approvals.ts',
    line: 'return undefined',
    changes: [['return undefined', '']],
    why: 'Nothing is returned either way.',
  },
  {
    file: 'turn/message-source.ts',
    line: 'from = to',
    changes: [['from = to', '']],
    why: 'The later calls of a row are looked at once more.',
  },
  {
    file: 'turn/message-source.ts',
    line: "read.length === calls.length && read.every((part, at) => part.type === 'call' && isSame(part, calls[at]!))",
    changes: [["part.type === 'call' && isSame(part, calls[at]!)", 'isSame(part, calls[at]!)']],
    why: 'Only a call has a status. The compiler needs to be told.',
  },
  {
    file: 'turn/unique-ids.ts',
    line: "for (const part of parts) if (part.type === 'call' && part.id !== undefined) this.used.add(part.id)",
    changes: [["part.type === 'call' && part.id !== undefined", "part.type === 'call'"]],
    why: 'No call is asked for by no id.',
  },
  {
    file: 'turn/unique-ids.ts',
    line: "if (!('id' in event) || event.id === undefined) return event",
    changes: [
      ["!('id' in event) || event.id === undefined", "!('id' in event)"],
      ["!('id' in event) || event.id === undefined", 'event.id === undefined'],
    ],
    why: 'Only a diagnostic may have an id that is undefined, and it takes none. The compiler needs to be told.',
  },
]

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ')

const described = (file: string, line: string, from: string, to: string): string =>
  `${file}: ${line}\n    ${inOneLine(from)}  →  ${inOneLine(to) || 'nothing'}`

/** A mutant in words. Two that read the same in two lines that read the same are one. */
export const describedMutant = ({ file, line, from, to }: SourceMutant): string =>
  described(file, line, from, to)

const FILES = new Set(MUTANTS.map(({ file }) => file))

/** The equivalent ones of the files that are looked at. */
export const LISTED: ReadonlySet<string> = new Set(
  EQUIVALENT.flatMap(({ file, line, changes }) =>
    FILES.has(file) ? changes.map(([from, to]) => described(file, line, from, to)) : [],
  ),
)

const NUMBERS = new Set(
  MUTANTS.flatMap((mutant, number) => (LISTED.has(describedMutant(mutant)) ? number : [])),
)

export const isListed = (number: number): boolean => NUMBERS.has(number)
