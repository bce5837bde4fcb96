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
  // ── numbers ────────────────────────────────────────────────────────────────────────────────────
  {
    file: 'values/numbers/exact.ts',
    line: 'if (lexeme.length <= 15 && !/e/i.test(lexeme)) return true',
    changes: [
      ['lexeme.length <= 15 && !/e/i.test(lexeme)', 'false'],
      ['lexeme.length <= 15', 'lexeme.length < 15'],
      ['return true', ''],
    ],
    why: 'It only saves work.',
  },
  {
    file: 'values/numbers/exact.ts',
    line: 'if (written === lexeme) return true',
    changes: [
      ['written === lexeme', 'false'],
      ['return true', ''],
    ],
    why: 'It only saves work.',
  },
  {
    file: 'values/numbers/exact.ts',
    line: '/^([+-]?)0*(\\d*)(?:\\.(\\d*))?([eE][+-]?\\d+)?$/.exec(decimal) ?? []',
    changes: [
      [
        '/^([+-]?)0*(\\d*)(?:\\.(\\d*))?([eE][+-]?\\d+)?$/.exec(decimal) ?? []',
        '/^([+-]?)0*(\\d*)(?:\\.(\\d*))?([eE][+-]?\\d+)?$/.exec(decimal)',
      ],
    ],
    why: 'It is given only decimal numbers. The compiler needs to be told.',
  },
  {
    file: 'values/numbers/written.ts',
    line: "if (typeof value === 'object' && value !== null && MAY_DIFFER.test(text)) keepNumbers(text, value)",
    changes: [
      ["typeof value === 'object' && value !== null && MAY_DIFFER.test(text)", 'true'],
      [
        "typeof value === 'object' && value !== null && MAY_DIFFER.test(text)",
        "typeof value === 'object' && value !== null",
      ],
      ["typeof value === 'object' && value !== null && MAY_DIFFER.test(text)", 'MAY_DIFFER.test(text)'],
      ["typeof value === 'object' && value !== null", "typeof value === 'object'"],
      ["typeof value === 'object' && value !== null", 'value !== null'],
    ],
    why: 'A text without such numbers has none to keep, nor has one that is neither an object nor a list.',
  },
  {
    file: 'values/numbers/written.ts',
    line: 'if (!MAY_DIFFER.test(text)) return false',
    changes: [
      ['!MAY_DIFFER.test(text)', 'false'],
      ['return false', ''],
    ],
    why: 'It only saves work.',
  },
  {
    file: 'values/numbers/written.ts',
    line: "if (first === undefined) return ''",
    changes: [
      ['first === undefined', 'false'],
      ["return ''", ''],
    ],
    why: 'What is read behind the end is empty, too.',
  },
  {
    file: 'values/numbers/written.ts',
    line: 'while (this.at < text.length && !ENDS.includes(text[this.at]!)) this.at++',
    changes: [['this.at < text.length', 'this.at <= text.length']],
    why: 'It is one place further behind the end.',
  },
  {
    file: 'values/numbers/written.ts',
    line: 'if ((quote - escapes) % 2 === 0) return',
    changes: [['quote - escapes', 'quote + escapes']],
    why: 'A sum is as even as the difference.',
  },
  {
    file: 'values/numbers/written.ts',
    line: 'return code === 32 || (code >= 9 && code <= 13) || code === 58',
    changes: [
      ['code >= 9 && code <= 13', 'code <= 13'],
      ['13', '(13 + 1)'],
    ],
    why: 'JSON has no other control characters.',
  },
  {
    file: 'values/numbers/written.ts',
    line: 'return first === 45 || (first >= 48 && first <= 57)',
    changes: [['57', '(57 + 1)']],
    why: 'No token begins with a colon.',
  },
  {
    file: 'values/numbers/written.ts',
    line: "key: token === '[' ? 0 : '',",
    changes: [["''", "'mutant'"]],
    why: 'A key comes before every value.',
  },
  {
    file: 'values/numbers/written.ts',
    line: '} else if (isNumber(token) && top?.container) keepNumber(top.container, top.key, token)',
    changes: [['isNumber(token) && top?.container', 'top?.container']],
    why: 'No other token is the text of a number.',
  },
  {
    file: 'values/numbers/written.ts',
    line: "if (typeof value !== 'object' || value === null) return JSON.stringify(value)",
    changes: [
      ["typeof value !== 'object' || value === null", 'false'],
      ["typeof value !== 'object' || value === null", "typeof value !== 'object'"],
      ["typeof value !== 'object' || value === null", 'value === null'],
      ['return JSON.stringify(value)', ''],
    ],
    why: 'It only saves work.',
  },
  {
    file: 'values/numbers/written.ts',
    line: 'if (found.length === 0) return first',
    changes: [
      ['found.length === 0', 'false'],
      ['return first', ''],
    ],
    why: 'It only saves work.',
  },
  {
    file: 'values/numbers/written.ts',
    line: 'let mark = 0',
    changes: [['0', '(0 + 1)']],
    why: 'Every mark will do that is not in the text.',
  },
  {
    file: 'values/numbers/written.ts',
    line: "const lexeme = typeof inner === 'number' ? writtenNumber(this, key) : undefined",
    changes: [["typeof inner === 'number'", 'true']],
    why: 'It only saves work.',
  },
  {
    file: 'values/schema/lost-numbers.ts',
    line: "if (typeof value === 'bigint' || !Number.isInteger(value) || Number.isSafeInteger(value)) return false",
    changes: [
      ["typeof value === 'bigint' || !Number.isInteger(value)", '!Number.isInteger(value)'],
      ["'bigint'", "'mutant'"],
    ],
    why: 'A bigint is no integer to `Number`. The compiler needs to be told.',
  },
  // ── patterns ────────────────────────────────────────────────────────────────────────────────────
  {
    file: 'values/pattern/alphabet.ts',
    line: 'for (let run = runAt.get(from) ?? runs.length; this.starts[run]! <= to; run++) runs[run]!.push(number)',
    changes: [['runAt.get(from) ?? runs.length', 'runAt.get(from)']],
    why: 'A set that begins behind the last character begins nowhere. The compiler needs to be told.',
  },
  {
    file: 'values/pattern/alphabet.ts',
    line: 'return code < COMMON ? this.common[code]! : this.find(code)',
    changes: [['code < COMMON', 'false']],
    why: 'It only saves work.',
  },
  {
    file: 'values/pattern/automaton.ts',
    line: 'private spent = 0',
    changes: [['0', '(0 + 1)']],
    why: 'A new table begins at 0.',
  },
  {
    file: 'values/pattern/automaton.ts',
    line: 'private round = 0',
    changes: [['0', '(0 + 1)']],
    why: 'What counts is whether it is the same round.',
  },
  {
    file: 'values/pattern/automaton.ts',
    line: 'for (let at = 0; at < text.length && state > FAILED; at++) {',
    changes: [
      ['at < text.length && state > FAILED', 'at < text.length'],
      ['state > FAILED', 'state >= FAILED'],
    ],
    why: 'From these two states, no character leads to another: it only saves work.',
  },
  {
    file: 'values/pattern/automaton.ts',
    line: 'if (this.spent <= MAX_SPENT) {',
    changes: [['this.spent <= MAX_SPENT', 'this.spent < MAX_SPENT']],
    why: 'A table may be a step larger.',
  },
  {
    file: 'values/pattern/automaton.ts',
    line: 'this.spent = 0',
    changes: [['0', '(0 + 1)']],
    why: 'A table may be a step smaller.',
  },
  {
    file: 'values/pattern/automaton.ts',
    line: "for (const number of [MATCHED, FAILED]) this.table.fill(number, this.add([], 'other') * this.kinds)",
    changes: [["'other'", "'mutant'"]],
    why: 'Without states, it does not matter what is before.',
  },
  {
    file: 'values/pattern/backtracker.ts',
    line: "private text = ''",
    changes: [["''", "'mutant'"]],
    why: 'It is set before it is read.',
  },
  {
    file: 'values/pattern/backtracker.ts',
    line: 'this.noSlots = hasBackreferences ? new Array<number>(2 * (groups + 1) + loops).fill(-1) : []',
    changes: [['1', '(1 + 1)']],
    why: 'Every negative number is nowhere.',
  },
  {
    file: 'values/pattern/backtracker.ts',
    line: 'for (let at = 0; at <= text.length; at += this.sizeFrom(at) || 1)',
    changes: [['1', '(1 + 1)']],
    why: 'It is one place further behind the end.',
  },
  {
    file: 'values/pattern/backtracker.ts',
    line: 'return undefined',
    changes: [['return undefined', '']],
    why: 'Without it, the answer is undefined as well.',
  },
  {
    file: 'values/pattern/backtracker.ts',
    line: 'return state.number * (this.text.length + 1) + at',
    changes: [
      ['state.number * (this.text.length + 1) + at', 'state.number * (this.text.length + 1) - at'],
      ['1', '(1 + 1)'],
    ],
    why: 'No two states and places share a number then, either.',
  },
  {
    file: 'values/pattern/backtracker.ts',
    line: 'const cleared = Array.from({ length: 2 * (to - from + 1) }, (_, index) => [2 * from + index, -1] as const)',
    changes: [['1', '(1 + 1)']],
    why: 'Every negative number is nowhere.',
  },
  {
    file: 'values/pattern/backtracker.ts',
    line: '? this.with(slots, [began, -1])',
    changes: [['1', '(1 + 1)']],
    why: 'Every negative number is nowhere.',
  },
  {
    file: 'values/pattern/backtracker.ts',
    line: ': this.with(slots, [began, state.done < min ? -1 : at], ...cleared),',
    changes: [['1', '(1 + 1)']],
    why: 'Every negative number is nowhere.',
  },
  {
    file: 'values/pattern/backtracker.ts',
    line: 'if (start >= 0 && end >= 0) return this.text.slice(start, end)',
    changes: [
      ['end >= 0', 'end > 0'],
      ['0', '(0 + 1)'],
    ],
    why: 'What ends at the start of the text is empty, and so is what did not match.',
  },
  {
    file: 'values/pattern/characters.ts',
    line: 'properties.set(written, set)',
    changes: [['properties.set(written, set)', '']],
    why: 'It only saves work.',
  },
  {
    file: 'values/pattern/characters.ts',
    line: 'for (let code = 0; code <= LAST_UNIT; code++) {',
    changes: [
      ['0', '(0 + 1)'],
      ['code <= LAST_UNIT', 'code < LAST_UNIT'],
    ],
    why: 'The first and the last character have no case.',
  },
  {
    file: 'values/pattern/characters.ts',
    line: 'groups = [...byUpper.values()].filter((group) => group.length > 1)',
    changes: [
      ['[...byUpper.values()].filter((group) => group.length > 1)', '[...byUpper.values()]'],
      ['group.length > 1', 'group.length >= 1'],
    ],
    why: 'A character that is alone adds only itself.',
  },
  {
    file: 'values/pattern/characters.ts',
    line: 'return code >= 128 && upperCode < 128 ? code : upperCode',
    changes: [
      ['code >= 128', 'code > 128'],
      ['128', '(128 + 1)'],
      ['upperCode < 128', 'upperCode <= 128'],
    ],
    why: 'The character 128 has no case.',
  },
  {
    file: 'values/pattern/places.ts',
    line: "return sets.has(lineSet) ? 'newline' : 'other'",
    changes: [["'other'", "'mutant'"]],
    why: 'What is no edge, word or line may have any name.',
  },
  {
    file: 'values/pattern/state-machine.ts',
    line: 'size = 0',
    changes: [['0', '(0 + 1)']],
    why: 'Numbers of states only have to differ.',
  },
  {
    file: 'values/pattern/syntax.ts',
    line: 'private ones = 0',
    changes: [['0', '(0 + 1)']],
    why: 'Only what was added is looked at.',
  },
  {
    file: 'values/pattern/syntax.ts',
    line: 'private lineSet = -1',
    changes: [['1', '(1 + 1)']],
    why: 'No set has a negative number.',
  },
  {
    file: 'values/pattern/syntax.ts',
    line: "const key = set.join(';')",
    changes: [["';'", "'mutant'"]],
    why: 'Any text will do that is in no number.',
  },
  // ── schemas ────────────────────────────────────────────────────────────────────────────────────
  {
    file: 'values/schema/canonical.ts',
    line: "numbers: 'values' | 'written' = 'values',",
    changes: [["'values'", "'mutant'"]],
    why: 'What counts is whether it is the other one.',
  },
  {
    file: 'values/schema/check-patterns.ts',
    line: 'return undefined',
    changes: [['return undefined', '']],
    why: 'Without it, the answer is undefined as well.',
  },
  {
    file: 'values/schema/coerce-text.ts',
    line: 'if (value === undefined) return asText(text)',
    changes: [
      ['value === undefined', 'false'],
      ['return asText(text)', ''],
    ],
    why: 'What is no value is of no kind. The compiler needs to be told.',
  },
  {
    file: 'values/schema/coerce-text.ts',
    line: 'if (first === undefined) return false',
    changes: [
      ['first === undefined', 'false'],
      ['return false', ''],
      ['false', 'true'],
    ],
    why: 'Where there is no character, none of those is found, and nothing is JSON. The compiler needs to be told.',
  },
  {
    file: 'values/schema/coerce-text.ts',
    line: "const word = trimmed.length <= 5 ? trimmed.toLowerCase() : ''",
    changes: [
      ['trimmed.length <= 5', 'true'],
      ['5', '(5 + 1)'],
      ["''", "'mutant'"],
    ],
    why: 'No literal is as long: it only saves work.',
  },
  {
    file: 'values/schema/coerce-text.ts',
    line: 'if (value !== undefined && (kindOfValue(value) & kinds) !== 0) return readContainer(value, text)',
    changes: [
      ['value !== undefined && (kindOfValue(value) & kinds) !== 0', '(kindOfValue(value) & kinds) !== 0'],
    ],
    why: 'What is no value is of no kind. The compiler needs to be told.',
  },
  {
    file: 'values/schema/coerce-text.ts',
    line: 'if (isSchemaObject(member))',
    changes: [['isSchemaObject(member)', 'true']],
    why: 'A boolean names no values. The compiler needs to be told.',
  },
  {
    file: 'values/schema/coerce-value.ts',
    line: 'if (known !== undefined) return known',
    changes: [
      ['known !== undefined', 'false'],
      ['return known', ''],
    ],
    why: 'It only saves work.',
  },
  {
    file: 'values/schema/coerce-value.ts',
    line: 'this.bases.set(schema, base)',
    changes: [['this.bases.set(schema, base)', '']],
    why: 'It only saves work.',
  },
  {
    file: 'values/schema/coerce-value.ts',
    line: 'if (coerced !== value && this.isValid(coerced, schema)) return coerced',
    changes: [['coerced !== value && this.isValid(coerced, schema)', 'this.isValid(coerced, schema)']],
    why: 'A value that stays the same is as wrong as before: it only saves work.',
  },
  {
    file: 'values/schema/coerce-value.ts',
    line: 'return undefined',
    changes: [['return undefined', '']],
    why: 'Without it, the answer is undefined as well.',
  },
  {
    file: 'values/schema/coerce-value.ts',
    line: 'return this.asList(value, this.known.itemOf(schema, 0) ?? true)',
    changes: [['this.known.itemOf(schema, 0) ?? true', 'this.known.itemOf(schema, 0)']],
    why: 'No schema accepts anything, too. The compiler needs to be told.',
  },
  {
    file: 'values/schema/coerce-value.ts',
    line: 'if (value === null || Array.isArray(value)) return undefined',
    changes: [['value === null || Array.isArray(value)', 'value === null']],
    why: 'A list is not refused where a list is wanted. The compiler needs to be told.',
  },
  {
    file: 'values/schema/coerce-value.ts',
    line: 'for (let index = 0; index < value.length; index++) {',
    changes: [['index < value.length', 'index <= value.length']],
    why: 'There is nothing behind the last item that could be brought to a type.',
  },
  {
    file: 'values/schema/formats.ts',
    line: "const last = groups.at(-1) ?? ''",
    changes: [["''", "'mutant'"]],
    why: 'Any text will do that has no point.',
  },
  {
    file: 'values/schema/formats.ts',
    line: "const isHost = host.startsWith('[') ? isIpLiteral(host.slice(1, -1)) : isWritten(host, '')",
    changes: [["''", "'mutant'"]],
    why: 'Letters may stand there anyway.',
  },
  {
    file: 'values/schema/formats.ts',
    line: "const plain = text.replace(/%[\\da-f]{2}/gi, '')",
    changes: [["''", "'mutant'"]],
    why: 'Letters may stand there anyway.',
  },
  {
    file: 'values/schema/json-schema.ts',
    line: 'if (!isSchemaObject(resolved)) continue',
    changes: [
      ['!isSchemaObject(resolved)', 'false'],
      ['continue', ''],
    ],
    why: 'A boolean has no members. The compiler needs to be told.',
  },
  {
    file: 'values/schema/json-schema.ts',
    line: 'if (!isSchemaObject(member)) continue',
    changes: [
      ['!isSchemaObject(member)', 'false'],
      ['continue', ''],
    ],
    why: 'A boolean has no properties and no items. The compiler needs to be told.',
  },
  {
    file: 'values/schema/json-schema.ts',
    line: 'if (declared.length === 0 && additional !== undefined) declared.push(additional)',
    changes: [['declared.length === 0 && additional !== undefined', 'declared.length === 0']],
    why: 'No schema among the declared ones is none, too. The compiler needs to be told.',
  },
  {
    file: 'values/schema/json-text.ts',
    line: 'return undefined',
    changes: [['return undefined', '']],
    why: 'Without it, the answer is undefined as well.',
  },
  {
    file: 'values/schema/json-text.ts',
    line: 'for (let at = 0; at < text.length; at++)',
    changes: [['at < text.length', 'at <= text.length']],
    why: 'There is no colon behind the end.',
  },
  {
    file: 'values/schema/json-values.ts',
    line: "if (key !== '__proto__') object[key] = value",
    changes: [["key !== '__proto__'", 'false']],
    why: 'It only saves work.',
  },
  {
    file: 'values/schema/kinds.ts',
    line: "if (schema === undefined) return 'unknown'",
    changes: [
      ['schema === undefined', 'false'],
      ["return 'unknown'", ''],
    ],
    why: 'No schema accepts any kind, too. The compiler needs to be told.',
  },
  {
    file: 'values/schema/kinds.ts',
    line: 'if (!isSchemaObject(resolved)) return UNKNOWN',
    changes: [
      ['!isSchemaObject(resolved)', 'false'],
      ['return UNKNOWN', ''],
    ],
    why: 'A boolean has no keywords, so that it says nothing. The compiler needs to be told.',
  },
  {
    file: 'values/schema/known.ts',
    line: 'facts.kinds ??= kindsOf(schema, this.root)',
    changes: [['facts.kinds ??= kindsOf(schema, this.root)', 'facts.kinds = kindsOf(schema, this.root)']],
    why: 'It only saves work.',
  },
  {
    file: 'values/schema/known.ts',
    line: 'if (facts.constants === undefined) {',
    changes: [['facts.constants === undefined', 'true']],
    why: 'It only saves work.',
  },
  {
    file: 'values/schema/known.ts',
    line: 'facts.texts ??= textConstants(this.membersOf(schema))',
    changes: [
      [
        'facts.texts ??= textConstants(this.membersOf(schema))',
        'facts.texts = textConstants(this.membersOf(schema))',
      ],
    ],
    why: 'It only saves work.',
  },
  {
    file: 'values/schema/known.ts',
    line: 'if (!properties.has(key)) properties.set(key, propertyIn(this.membersOf(schema), key, this.root))',
    changes: [['!properties.has(key)', 'true']],
    why: 'It only saves work.',
  },
  {
    file: 'values/schema/known.ts',
    line: 'facts.members ??= alternatives(schema, this.root)',
    changes: [
      [
        'facts.members ??= alternatives(schema, this.root)',
        'facts.members = alternatives(schema, this.root)',
      ],
    ],
    why: 'It only saves work.',
  },
  {
    file: 'values/schema/known.ts',
    line: 'if (facts === undefined) {',
    changes: [['facts === undefined', 'true']],
    why: 'It only saves work.',
  },
  {
    file: 'values/schema/known.ts',
    line: 'this.known.set(schema, facts)',
    changes: [['this.known.set(schema, facts)', '']],
    why: 'It only saves work.',
  },
  {
    file: 'values/schema/known.ts',
    line: 'private longest = 0',
    changes: [['0', '(0 + 1)']],
    why: 'The text of a list or an object has two characters at least.',
  },
  {
    file: 'values/schema/known.ts',
    line: "const text = typeof one === 'object' && one !== null ? canonical(one, MAX_TEXT) : undefined",
    changes: [["typeof one === 'object' && one !== null", 'one !== null']],
    why: 'No list and no object has the text of a scalar.',
  },
  {
    file: 'values/schema/known.ts',
    line: "if (typeof value !== 'object' || value === null) return false",
    changes: [["typeof value !== 'object' || value === null", 'value === null']],
    why: 'No list and no object has the text of a scalar. The compiler needs to be told.',
  },
  {
    file: 'values/schema/known.ts',
    line: 'if (!this.sizes.has(Object.keys(value).length)) return false',
    changes: [
      ['!this.sizes.has(Object.keys(value).length)', 'false'],
      ['return false', ''],
    ],
    why: 'It only saves work.',
  },
  {
    file: 'values/schema/known.ts',
    line: 'return text !== undefined && this.texts.has(text)',
    changes: [['text !== undefined && this.texts.has(text)', 'this.texts.has(text)']],
    why: 'No text is undefined. The compiler needs to be told.',
  },
  {
    file: 'values/schema/pattern.ts',
    line: 'return this.budget.left < 0',
    changes: [
      ['this.budget.left < 0', 'this.budget.left <= 0'],
      ['0', '(0 + 1)'],
    ],
    why: 'It is one step of eight million.',
  },
  {
    file: 'values/schema/pattern.ts',
    line: 'return undefined',
    changes: [['return undefined', '']],
    why: 'Without it, the answer is undefined as well.',
  },
  {
    file: 'values/schema/pattern.ts',
    line: 'const ranges = sets.reduce((sum, { length }) => sum + length, 0)',
    changes: [['0', '(0 + 1)']],
    why: 'It is one range more among eight million steps.',
  },
  {
    file: 'values/schema/pattern.ts',
    line: "if (budget.left < 0) throw unsafe(expression, 'has too many characters in its classes.')",
    changes: [
      ['budget.left < 0', 'budget.left <= 0'],
      ['0', '(0 + 1)'],
    ],
    why: 'It is one step of eight million.',
  },
  {
    file: 'values/schema/pattern.ts',
    line: 'return error instanceof SluiceError ? error.message : undefined',
    changes: [['error instanceof SluiceError', 'true']],
    why: 'Nothing else is thrown. The compiler needs to be told.',
  },
  {
    file: 'values/schema/standard.ts',
    line: 'return undefined',
    changes: [['return undefined', '']],
    why: 'Without it, the answer is undefined as well.',
  },
  {
    file: 'values/schema/validate.ts',
    line: 'return false',
    changes: [['return false', '']],
    why: 'Without it, the answer is no as well.',
  },
  {
    file: 'values/schema/validate.ts',
    line: "if (typeof minLength === 'number' && value.length < 2 * minLength) {",
    changes: [
      ["typeof minLength === 'number' && value.length < 2 * minLength", "typeof minLength === 'number'"],
      ['value.length < 2 * minLength', 'value.length <= 2 * minLength'],
      ['2', '(2 + 1)'],
    ],
    why: 'The characters are counted all the same: it only saves work.',
  },
  {
    file: 'values/schema/validate.ts',
    line: "if (typeof maxLength === 'number' && value.length > maxLength) {",
    changes: [
      ["typeof maxLength === 'number' && value.length > maxLength", "typeof maxLength === 'number'"],
      ['value.length > maxLength', 'value.length >= maxLength'],
    ],
    why: 'The characters are counted all the same: it only saves work.',
  },
  {
    file: 'values/schema/validate.ts',
    line: 'const counted = this.counted?.text === text ? this.counted : { text, characters: countCharacters(text) }',
    changes: [['this.counted?.text === text', 'false']],
    why: 'It only saves work.',
  },
  {
    file: 'values/schema/validate.ts',
    line: 'this.counted = counted',
    changes: [['this.counted = counted', '']],
    why: 'It only saves work.',
  },
  {
    file: 'values/schema/validate.ts',
    line: 'return undefined',
    changes: [['return undefined', '']],
    why: 'Without it, the answer is undefined as well.',
  },
  {
    file: 'values/schema/validate.ts',
    line: 'for (let index = 0; index < value.length; index++) {',
    changes: [['index < value.length', 'index <= value.length']],
    why: 'No item is equal to what is behind the last.',
  },
  {
    file: 'values/schema/validate.ts',
    line: 'const longest = (this.maxSteps - this.steps) * TEXT_PER_STEP',
    changes: [['this.maxSteps - this.steps', 'this.maxSteps + this.steps']],
    why: 'What is compared takes steps as well, and ends checking then.',
  },
  // ── calls ──────────────────────────────────────────────────────────────────────────────────────
  {
    file: 'engine/calls/prepare.ts',
    line: 'schema === undefined ? { value: own, changes: [] } : coerceValue(own, schema, { bigint, format })',
    changes: [['schema === undefined', 'false']],
    why: 'Without a schema, `coerceValue` changes nothing.',
  },
  {
    file: 'engine/calls/prepare.ts',
    line: 'const issues = schema === undefined ? [] : validate(coerced, schema, formats)',
    changes: [['schema === undefined', 'false']],
    why: 'Without a schema, `validate` finds nothing.',
  },
  {
    file: 'engine/calls/prepare.ts',
    line: 'return schema === undefined || (kindsOf(schema, root) & STRING) !== 0',
    changes: [
      [
        'schema === undefined || (kindsOf(schema, root) & STRING) !== 0',
        '(kindsOf(schema, root) & STRING) !== 0',
      ],
    ],
    why: 'No schema accepts any kind. The compiler needs to be told.',
  },
  {
    file: 'engine/calls/prepare.ts',
    line: "schema && (typeof key === 'number' ? itemSchema(schema, key, root) : propertySchema(schema, key, root))",
    changes: [
      [
        "schema && (typeof key === 'number' ? itemSchema(schema, key, root) : propertySchema(schema, key, root))",
        "(typeof key === 'number' ? itemSchema(schema, key, root) : propertySchema(schema, key, root))",
      ],
    ],
    why: 'No schema has no parts. The compiler needs to be told.',
  },
  {
    file: 'engine/calls/shown-text.ts',
    line: 'for (let at = 0; at < chunk.length && s.matched >= 0; at++) {',
    changes: [['at < chunk.length && s.matched >= 0', 'at < chunk.length']],
    why: 'Nothing is equal to what is before the instructions.',
  },
  {
    file: 'engine/calls/shown-text.ts',
    line: 's.matched = character === instructions[s.matched] ? s.matched + 1 : -1',
    changes: [['1', '(1 + 1)']],
    why: 'Every negative number means that the answer says something else.',
  },
  {
    file: 'engine/calls/shown-text.ts',
    line: 'if (s.matched > 0) s.repeatedTo = s.read + at + 1',
    changes: [
      ['s.matched > 0', 's.matched >= 0'],
      ['0', '(0 + 1)'],
    ],
    why: 'Behind a character it is never 0, and no call is a single character.',
  },
  {
    file: 'engine/calls/shown-text.ts',
    line: 'if (this.given.length === 0) return false',
    changes: [
      ['this.given.length === 0', 'false'],
      ['return false', ''],
    ],
    why: 'No call stands in no result: it only saves work.',
  },
  {
    file: 'engine/calls/shown-text.ts',
    line: "this.results ??= this.given.map((result) => result.replace(SPACE, '')).join('\\n')",
    changes: [
      [
        "this.results ??= this.given.map((result) => result.replace(SPACE, '')).join('\\n')",
        "this.results = this.given.map((result) => result.replace(SPACE, '')).join('\\n')",
      ],
    ],
    why: 'It only saves work.',
  },
  {
    file: 'engine/calls/shown-text.ts',
    line: 'if (wanted.length <= SHORT) return text.includes(wanted)',
    changes: [
      ...always('wanted.length <= SHORT', 'false', 'wanted.length < SHORT', 'wanted.length > SHORT'),
      ['return text.includes(wanted)', ''],
    ],
    why: 'Both searches find the same. One is quick, the other is linear.',
  },
  {
    file: 'engine/calls/shown-text.ts',
    line: 'if (!text.includes(wanted.slice(0, SHORT)) || !text.includes(wanted.slice(-SHORT))) return false',
    changes: [
      [
        '!text.includes(wanted.slice(0, SHORT)) || !text.includes(wanted.slice(-SHORT))',
        '!text.includes(wanted.slice(0, SHORT))',
      ],
      [
        '!text.includes(wanted.slice(0, SHORT)) || !text.includes(wanted.slice(-SHORT))',
        '!text.includes(wanted.slice(-SHORT))',
      ],
      ['!text.includes(wanted.slice(0, SHORT)) || !text.includes(wanted.slice(-SHORT))', 'false'],
      ['wanted.slice(0, SHORT)', 'wanted.at(0, SHORT)'],
      ['0', '(0 + 1)'],
      ['wanted.slice(-SHORT)', 'wanted.at(-SHORT)'],
      ['return false', ''],
    ],
    why: 'A text without one of the ends is not there: it only saves work.',
  },
  {
    file: 'engine/calls/shown-text.ts',
    line: 'for (let at = 1, length = 0; at < wanted.length; at++) {',
    changes: [['at < wanted.length', 'at <= wanted.length']],
    why: 'What is behind the last prefix is not kept.',
  },
  {
    file: 'engine/calls/shown-text.ts',
    line: 'for (let at = 0, length = 0; at < text.length; at++) {',
    changes: [['at < text.length', 'at <= text.length']],
    why: 'Nothing is equal to what is behind the text.',
  },
  {
    file: 'engine/calls/verdict.ts',
    line: 'if (allow.length > 0) checkAllow(allow)',
    changes: always('allow.length > 0', 'allow.length >= 0'),
    why: 'An empty list passes the check.',
  },
  // ── policy ─────────────────────────────────────────────────────────────────────────────────────
  {
    file: 'turn/policy/combine.ts',
    line: "for (const answer of [decisive, 'not-yet', 'unreadable'] as const)",
    changes: [["'unreadable'", "'mutant'"]],
    why: 'Whoever asks takes an answer that is none for unreadable.',
  },
  {
    file: 'turn/policy/combine.ts',
    line: "const certain = new Set(answers.filter((answer) => answer !== 'not-yet'))",
    changes: [
      ["answers.filter((answer) => answer !== 'not-yet')", 'answers'],
      ["'not-yet'", "'mutant'"],
    ],
    why: 'Only paths are read in several ways, and each of them says yes or no only at its end.',
  },
  {
    file: 'turn/policy/combine.ts',
    line: "return answer === 'not-yet' ? 'unreadable' : answer",
    changes: [
      ["answer === 'not-yet'", 'false'],
      ["'not-yet'", "'mutant'"],
      ["'unreadable'", "'mutant'"],
    ],
    why: 'Whoever asks takes an answer that is not certain at the end for unreadable.',
  },
  {
    file: 'turn/policy/combine.ts',
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
    file: 'turn/policy/evaluation.ts',
    line: 'if (path === this.path) return',
    changes: [
      ['path === this.path', 'false'],
      ['return', ''],
    ],
    why: 'Moving to where it stands changes nothing.',
  },
  {
    file: 'turn/policy/evaluation.ts',
    line: 'this.path = path',
    changes: [['this.path = path', '']],
    why: 'Moving to where it stands changes nothing.',
  },
  {
    file: 'turn/policy/evaluation.ts',
    line: 'if (post.isScope && this.isRepeated(post)) return',
    changes: [['return', '']],
    why: 'The call is denied by then, and nothing is stricter.',
  },
  {
    file: 'turn/policy/evaluation.ts',
    line: 'return true',
    changes: [
      ['return true', ''],
      ['true', 'false'],
    ],
    why: 'The call is denied by then, and nothing is stricter.',
  },
  {
    file: 'turn/policy/evaluation.ts',
    line: 'this.open[this.keys.length] = readings ?? NONE',
    changes: [['readings ?? NONE', 'readings']],
    why: 'Whoever reads it takes nothing for none.',
  },
  {
    file: 'turn/policy/evaluation.ts',
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
    file: 'turn/policy/evaluation.ts',
    line: 'return -1',
    changes: [['return -1', '']],
    why: 'A delta that is cut at no place is the whole delta.',
  },
  {
    file: 'turn/policy/evaluation.ts',
    line: 'for (const { rule, reading } of this.open[depth] ?? NONE) {',
    changes: [['this.open[depth] ?? NONE', 'this.open[depth]']],
    why: 'A value that ends has begun.',
  },
  {
    file: 'turn/policy/evaluation.ts',
    line: 'this.open[depth] = NONE',
    changes: [['this.open[depth] = NONE', '']],
    why: 'The next value at this depth begins with readings of its own.',
  },
  {
    file: 'turn/policy/evaluation.ts',
    line: "if (answer === 'not-yet' && reading !== undefined) readings.push({ rule, reading })",
    changes: [["answer === 'not-yet' && reading !== undefined", "answer === 'not-yet'"]],
    why: 'Without a matcher the answer is yes. The compiler needs to be told.',
  },
  {
    file: 'turn/policy/evaluation.ts',
    line: "if (state.status !== 'open') return",
    changes: [
      ['return', ''],
      ["state.status !== 'open'", 'false'],
    ],
    why: 'In `take`: what a rule led to is never softened, and a rule that allows is settled behind its last value.',
  },
  {
    file: 'turn/policy/evaluation.ts',
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
    file: 'turn/policy/evaluation.ts',
    line: "else if (isSingle) state.status = 'no'",
    changes: [["'no'", "'mutant'"]],
    why: 'Only whether a rule is open, or holds, is asked.',
  },
  {
    file: 'turn/policy/evaluation.ts',
    line: "state.status = 'no'",
    changes: [["'no'", "'mutant'"]],
    why: 'Only whether a rule is open, or holds, is asked.',
  },
  {
    file: 'turn/policy/evaluation.ts',
    line: "state.status = isPermissive && state.hasValue ? 'yes' : 'no'",
    changes: [["'no'", "'mutant'"]],
    why: 'Only whether a rule is open, or holds, is asked.',
  },
  {
    file: 'turn/policy/guard.ts',
    line: 'const known = call.id === undefined ? undefined : (this.verdicts.get(call.id) ?? this.forgotten)',
    changes: [['call.id === undefined', 'false']],
    why: 'Nothing is known of a call without an id, unless the guard forgot calls; then it is denied, which is stricter.',
  },
  {
    file: 'turn/policy/guard.ts',
    line: 'call.evaluation.goTo(event.path)',
    changes: [['call.evaluation.goTo(event.path)', '']],
    why: 'The start of an argument, which comes before its text, went there.',
  },
  {
    file: 'turn/policy/guard.ts',
    line: 'if (call.causes.length > 0) this.report(call)',
    changes: always('call.causes.length > 0', 'call.causes.length >= 0'),
    why: 'Without causes nothing is reported.',
  },
  {
    file: 'turn/policy/guard.ts',
    line: "this.remember(id, { decision: 'deny', digest: '', ...why })",
    changes: [["''", "'mutant'"]],
    why: 'The digest is replaced by that of the call that is asked about.',
  },
  {
    file: 'turn/policy/guard.ts',
    line: "digest: '',",
    changes: [["''", "'mutant'"]],
    why: 'The digest is replaced by that of the call that is asked about.',
  },
  {
    file: 'turn/policy/guard.ts',
    line: "this.emit(denied({ type: 'tool-call', id, toolName, input: null, status: 'invalid', repairs: [] }, why))",
    changes: [["'invalid'", "'mutant'"]],
    why: '`denied` sets the status.',
  },
  {
    file: 'turn/policy/guard.ts',
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
    file: 'turn/policy/matcher.ts',
    line: "const pushed = certain === 'not-yet' ? reading.push(JSON.stringify(value)) : certain",
    changes: [["certain === 'not-yet'", 'true']],
    why: 'A reader that was certain of nothing stays certain, and of what is no string it says at most that it is unreadable.',
  },
  {
    file: 'turn/policy/matchers.ts',
    line: 'characters: 0,',
    changes: [['0', '(0 + 1)']],
    why: 'Of a number no character is certain before the others, and the count is not reported.',
  },
  {
    file: 'turn/policy/matchers.ts',
    line: "push: () => 'not-yet',",
    changes: [["'not-yet'", "'mutant'"]],
    why: 'A number is not pushed in pieces.',
  },
  {
    file: 'turn/policy/path-look.ts',
    line: "return ASCII.test(name) ? name : name.normalize('NFKC').replace(/\\p{Default_Ignorable_Code_Point}/gu, '')",
    changes: [['ASCII.test(name)', 'false']],
    why: 'Normalising changes nothing of ASCII.',
  },
  {
    file: 'turn/policy/path-look.ts',
    line: 'if (ASCII.test(name)) return false',
    changes: [
      ['ASCII.test(name)', 'false'],
      ['return false', ''],
    ],
    why: 'A name in ASCII stays as it is, and hides nothing.',
  },
  {
    file: 'turn/policy/path-look.ts',
    line: 'if (ASCII.test(name) && ASCII.test(wanted)) return false',
    changes: [
      ['ASCII.test(name) && ASCII.test(wanted)', 'false'],
      ['return false', ''],
    ],
    why: 'Two names in ASCII that differ still differ when they are folded; where case is ignored they were compared so before.',
  },
  {
    file: 'turn/policy/path-reader.ts',
    line: 'private count = 0',
    changes: [['0', '(0 + 1)']],
    why: 'It is set before it is read.',
  },
  {
    file: 'turn/policy/path-reader.ts',
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
    file: 'turn/policy/path-reader.ts',
    line: "else if (isOnDrive) return 'not-yet'",
    changes: [["return 'not-yet'", '']],
    why: 'The same is returned behind it.',
  },
  {
    file: 'turn/policy/path-reader.ts',
    line: "return code <= 0x20 || (code > 0x7f && String.fromCharCode(code).trim() === '')",
    changes: [
      ["code > 0x7f && String.fromCharCode(code).trim() === ''", "String.fromCharCode(code).trim() === ''"],
      ['code > 0x7f', 'code >= 0x7f'],
      ['0x7f', '(127 + 1)'],
    ],
    why: 'No character between 0x21 and 0x80 is space.',
  },
  {
    file: 'turn/policy/policy.ts',
    line: 'name === undefined ? rule.rule.tool === undefined : rule.isAbout(name),',
    changes: [['name === undefined', 'false']],
    why: 'A rule that names tools is not about one without a name.',
  },
  {
    file: 'turn/policy/policy.ts',
    line: 'if (depth > 0) evaluation.delta(delta)',
    changes: always('depth > 0', 'depth >= 0'),
    why: 'No rule reads the input itself, so that nothing is open there.',
  },
  {
    file: 'turn/policy/policy.ts',
    line: 'if (depth === 0) return',
    changes: [
      ['depth === 0', 'false'],
      ['return', ''],
    ],
    why: 'At the end of the input all rules are settled anyway.',
  },
  {
    file: 'turn/policy/policy.ts',
    line: "return { type: 'tool-call', id: '', status: 'complete', repairs: [], ...call }",
    changes: [
      ["'tool-call'", "'mutant'"],
      ["''", "'mutant'"],
    ],
    why: 'Whether a call may run depends neither on its type nor on its id.',
  },
  {
    file: 'turn/policy/policy.ts',
    line: "...(code === 'rule' && rule !== undefined && { rule: rule.rule }),",
    changes: [["code === 'rule' && rule !== undefined", "code === 'rule'"]],
    why: 'A cause with this code has a rule. The compiler needs to be told.',
  },
  {
    file: 'turn/policy/rule.ts',
    line: "if (typeof rule !== 'object' || rule === null) return fail('is not an object.')",
    changes: [["typeof rule !== 'object' || rule === null", 'rule === null']],
    why: 'What is no object has no decision, and is refused for that.',
  },
  {
    file: 'turn/policy/standing.ts',
    line: "return stricter(this.isUnsure() ? 'ask' : 'allow', this.leastByRules())",
    changes: [["'allow'", "'mutant'"]],
    why: 'What is no decision is milder than any.',
  },
  {
    file: 'turn/policy/standing.ts',
    line: "if (this.has('allow', 'yes', 'open')) return 'allow'",
    changes: [["'allow'", "'mutant'"]],
    why: 'What is no decision is milder than any, and allowing is the mildest that there is.',
  },
  {
    file: 'turn/policy/standing.ts',
    line: "if (this.has('deny', 'yes', 'open')) return 'deny'",
    changes: [
      ["'deny'", "'mutant'"],
      ["'yes'", "'mutant'"],
    ],
    why: 'The strictest is asked for only where no rule denies or asks, and compared with allowing.',
  },
  {
    file: 'turn/policy/standing.ts',
    line: "const byRules: Decision = this.has('ask', 'yes', 'open') || this.isUnsure() ? 'ask' : 'allow'",
    changes: [
      ["'yes'", "'mutant'"],
      ["this.has('ask', 'yes', 'open') || this.isUnsure()", "this.has('ask', 'yes', 'open')"],
    ],
    why: 'The strictest is asked for only where no rule denies or asks, and all values were read.',
  },
  {
    file: 'turn/policy/standing.ts',
    line: "return this.has('allow', 'yes') || this.has('ask', 'yes')",
    changes: [
      ["'ask'", "'mutant'"],
      ["'yes'", "'mutant'"],
      ["this.has('allow', 'yes') || this.has('ask', 'yes')", "this.has('allow', 'yes')"],
    ],
    why: 'The strictest is asked for only where no rule asks.',
  },
  {
    file: 'turn/policy/tool-rules.ts',
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
    line: "answers.push(this.ask(approve, request, ballot).then((denied) => denied ?? approved('approval')))",
    changes: [["denied ?? approved('approval')", "approved('approval')"]],
    why: 'The ballot answers with the denial before that.',
  },
  {
    file: 'turn/approvals.ts',
    line: 'return denied',
    changes: [['return denied', '']],
    why: 'The ballot answers with the denial before that.',
  },
  {
    file: 'turn/approvals.ts',
    line: 'if (denied !== undefined) ballot.deny(denied)',
    changes: [['denied !== undefined', 'true']],
    why: 'A ballot keeps no denial that there is not.',
  },
  {
    file: 'turn/judged-input.ts',
    line: 'return false',
    changes: [['return false', '']],
    why: 'Undefined is as good as false here.',
  },
  {
    file: 'turn/judged-input.ts',
    line: 'return undefined',
    changes: [['return undefined', '']],
    why: 'Nothing is returned either way.',
  },
  {
    file: 'turn/message-source.ts',
    line: "parts.every((part, at) => part.type === 'call' && isSame(part, calls[at]!))",
    changes: [["part.type === 'call' && isSame(part, calls[at]!)", 'isSame(part, calls[at]!)']],
    why: 'Only a call has a status. The compiler needs to be told.',
  },
  {
    file: 'turn/message-source.ts',
    line: "return one.status === 'complete' && one.toolName === other.toolName && inputJson(one) === inputJson(other)",
    changes: [
      ["one.status === 'complete' && one.toolName === other.toolName", 'one.toolName === other.toolName'],
    ],
    why: 'A call that is not complete comes with a diagnostic.',
  },
  {
    file: 'turn/prefilled-model.ts',
    line: "parser.push('x')",
    changes: [["'x'", "'mutant'"]],
    why: 'Any word does.',
  },
  {
    file: 'turn/read-attempt.ts',
    line: 'const offered = request.tools === scope.request.tools ? undefined : (request.tools ?? [])',
    changes: [['request.tools === scope.request.tools', 'false']],
    why: 'Where all tools are offered, all are allowed.',
  },
  {
    file: 'turn/read-attempt.ts',
    line: "if (event.type !== 'finish') return",
    changes: [
      ["event.type !== 'finish'", 'false'],
      ['return', ''],
    ],
    why: 'No other event has a reason or usage, and the end is the last one.',
  },
  {
    file: 'turn/read-attempt.ts',
    line: "if (event.type === 'diagnostic' && event.code === 'stray-closer') {",
    changes: [
      ["event.type === 'diagnostic' && event.code === 'stray-closer'", "event.code === 'stray-closer'"],
    ],
    why: 'Only a diagnostic has a code. The compiler needs to be told.',
  },
  {
    file: 'turn/read-attempt.ts',
    line: "if (isShown && passed.type !== 'tool-call' && passed.type !== 'diagnostic') yield passed",
    changes: [["isShown && passed.type !== 'tool-call' && passed.type !== 'diagnostic'", 'false']],
    why: 'The long way does the same with such events.',
  },
  {
    file: 'turn/read-attempt.ts',
    line: "if (part.type === 'call' && part.id !== undefined) found.add(part.id)",
    changes: [
      ["part.type === 'call' && part.id !== undefined", 'true'],
      ["part.type === 'call' && part.id !== undefined", "part.type === 'call'"],
      ["part.type === 'call' && part.id !== undefined", 'part.id !== undefined'],
    ],
    why: 'Only the ids of calls are looked up in it.',
  },
  {
    file: 'turn/read-attempt.ts',
    line: '(id) => fold.call(id)?.input ?? null,',
    changes: [['fold.call(id)?.input ?? null', 'fold.call(id)?.input']],
    why: 'A call that has begun is known. The compiler needs to be told.',
  },
  {
    file: 'turn/reasoning-literals.ts',
    line: 'return undefined',
    changes: [['return undefined', '']],
    why: 'Nothing is returned either way.',
  },
  {
    file: 'turn/resumed-response.ts',
    line: 'const text = new ResumedText(plan, new Ids(generateId), { ...plan.parser, ...(emit && { emit }) })',
    changes: [['emit && { emit }', '{ emit }']],
    why: 'An option that is undefined is not given.',
  },
  {
    file: 'turn/resumed-response.ts',
    line: 'let little = 0',
    changes: [['0', '(0 + 1)']],
    why: 'It is set before it is read.',
  },
  {
    file: 'turn/resumed-response.ts',
    line: 'private isName = false',
    changes: [['false', 'true']],
    why: 'It is set with the metadata that it is about.',
  },
  {
    file: 'turn/resumed-response.ts',
    line: "private previous: 'none' | 'plain' | 'attached' = 'none'",
    changes: [["'none'", "'mutant'"]],
    why: 'Only whether it is one of the others is asked.',
  },
  {
    file: 'turn/resumed-response.ts',
    line: "this.previous = 'none'",
    changes: [["'none'", "'mutant'"]],
    why: 'Only whether it is one of the others is asked.',
  },
  {
    file: 'turn/resumed-response.ts',
    line: "private tail = ''",
    changes: [["''", "'mutant'"]],
    why: 'Only a closer that begins with the end of this word would be found in it.',
  },
  {
    file: 'turn/resumed-response.ts',
    line: 'this.longestCloser = Math.max(1, ...plan.closers.map(({ length }) => length))',
    changes: [
      ['this.longestCloser = Math.max(1, ...plan.closers.map(({ length }) => length))', ''],
      ['1', '(1 + 1)'],
    ],
    why: 'A longer tail ends with the same closers. It only takes longer to look at.',
  },
  {
    file: 'turn/resumed-response.ts',
    line: "if (event.type === 'diagnostic' && event.code === 'text-after-stop') {",
    changes: [
      ["event.type === 'diagnostic' && event.code === 'text-after-stop'", "event.code === 'text-after-stop'"],
    ],
    why: 'Only a diagnostic has a code. The compiler needs to be told.',
  },
  {
    file: 'turn/resumed-response.ts',
    line: 'if (this.hasCalls && this.openCalls === 0 && this.endsWithCloser() && !this.isOpen) this.isOver = true',
    changes: [['this.hasCalls && this.openCalls === 0', 'this.hasCalls']],
    why: 'A call that is open is also found by a trial, which takes longer.',
  },
  {
    file: 'turn/resumed-response.ts',
    line: 'const tail = this.tail.slice(Math.max(0, this.tail.length - closer.length + 1))',
    changes: [['0', '(0 + 1)']],
    why: 'It only matters for a closer that begins with the first character of the response, in front of any call.',
  },
  {
    file: 'turn/resumed-response.ts',
    line: 'let count = 0',
    changes: [['0', '(0 + 1)']],
    why: 'Ids of a trial are looked at by nobody.',
  },
  {
    file: 'turn/resumed-response.ts',
    line: "event.type === 'diagnostic' && event.code === 'looks-like-a-call'",
    changes: [
      [
        "event.type === 'diagnostic' && event.code === 'looks-like-a-call'",
        "event.code === 'looks-like-a-call'",
      ],
    ],
    why: 'Only a diagnostic has a code. The compiler needs to be told.',
  },
  {
    file: 'turn/resumed-response.ts',
    line: "event.type === 'diagnostic' && event.code === 'missing-closer'",
    changes: [
      ["event.type === 'diagnostic' && event.code === 'missing-closer'", "event.code === 'missing-closer'"],
    ],
    why: 'Only a diagnostic has a code. The compiler needs to be told.',
  },
  {
    file: 'turn/resumed-response.ts',
    line: "(event.type === 'tool-call' && event.status === 'truncated') ||",
    changes: [["event.type === 'tool-call' && event.status === 'truncated'", "event.status === 'truncated'"]],
    why: 'Only a call has a status. The compiler needs to be told.',
  },
  {
    file: 'turn/resumed-response.ts',
    line: "(event.type === 'diagnostic' && event.code === 'not-a-call'),",
    changes: [["event.type === 'diagnostic' && event.code === 'not-a-call'", "event.code === 'not-a-call'"]],
    why: 'Only a diagnostic has a code. The compiler needs to be told.',
  },
  {
    file: 'turn/turn-loop.ts',
    line: 'state.conversation = appendResponse(state.conversation, { ...message, ...(source && { source }) })',
    changes: [['source && { source }', '{ source }']],
    why: 'A source that is undefined is none.',
  },
  {
    file: 'turn/turn-loop.ts',
    line: "return part.type === 'call' ? part.raw : ''",
    changes: [["part.type === 'call'", 'true']],
    why: 'Only a call has a raw text. The compiler needs to be told.',
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
