import { describe, expect, it } from 'vitest'
import type { Repair, ToolCall } from '../../../src/base/event.ts'
import { type ExplainOptions, explain, isExecutable } from '../../../src/engine/calls/verdict.ts'

const call = (fields: Partial<ToolCall> = {}): ToolCall => ({
  type: 'tool-call',
  id: 'call-1',
  toolName: 'write_file',
  input: { path: 'main.rs' },
  status: 'complete',
  repairs: [],
  ...fields,
})

const lossless: Repair = { code: 'trailing-comma', class: 'lossless', offset: 9 }
const guess: Repair = { code: 'missing-comma', class: 'guess', offset: 12 }
const lossy: Repair = { code: 'ellipsis', class: 'lossy', offset: 30 }
const misplaced: Repair = { code: 'place-uncertain', class: 'guess', offset: 40 }

describe('what may be run', () => {
  it.each<[what: string, call: ToolCall, byDefault: boolean, withGuesses: boolean]>([
    ['a complete call', call(), true, true],
    ['a call repaired without loss', call({ status: 'repaired', repairs: [lossless] }), true, true],
    ['a call with a guess in it', call({ status: 'repaired', repairs: [lossless, guess] }), false, true],
    ['a call that lost something', call({ status: 'repaired', repairs: [lossy] }), false, false],
    ['a call that was cut off', call({ status: 'truncated' }), false, false],
    ['an invalid call', call({ status: 'invalid' }), false, false],
    ['a call its provider runs', call({ providerExecuted: true }), false, false],
  ])('%s', (_, subject, byDefault, withGuesses) => {
    expect(isExecutable(subject)).toBe(byDefault)
    expect(isExecutable(subject, { allow: ['guess'] })).toBe(withGuesses)
  })

  it('a call that may be data of another, only where that was allowed by name', () => {
    const subject = call({ status: 'repaired', repairs: [misplaced] })
    expect(isExecutable(subject)).toBe(false)
    expect(isExecutable(subject, { allow: ['guess'] })).toBe(false)
    expect(isExecutable(subject, { allow: ['place-uncertain'] })).toBe(true)
  })

  it('a guess that may be data of another, only where both were allowed', () => {
    const subject = call({ status: 'repaired', repairs: [guess, misplaced] })
    expect(isExecutable(subject, { allow: ['place-uncertain'] })).toBe(false)
    expect(isExecutable(subject, { allow: ['guess', 'place-uncertain'] })).toBe(true)
  })
})

describe('what may be allowed', () => {
  it.each([
    ['a repair that there is not', { allow: ['gess'] }, "'allow'"],
    ['one of two that there is not', { allow: ['guess', 'place'] }, "'allow'"],
    ['a repair in no list', { allow: 'guess' }, "'allow'"],
    ['something that has a length', { allow: { length: 1 } }, "'allow'"],
  ])('is not %s', (_, options, message) => {
    expect(() => isExecutable(call(), options as never)).toThrow(
      expect.objectContaining({ code: 'invalid-option', message: expect.stringContaining(message) }),
    )
  })
})

describe('what a model is told', () => {
  const cutIn = (path: string | undefined, input: ToolCall['input'], raw?: string): ToolCall =>
    call({
      status: 'truncated',
      input,
      ...(raw !== undefined && { raw }),
      error: {
        code: 'truncated',
        message: 'The call was cut off.',
        offset: 80,
        ...(path !== undefined && { path }),
      },
    })
  const again = 'It was not run. Send the whole call again, with less text before it.'
  const long = 'x'.repeat(200)
  const inParts = (argument: string): string =>
    `It was not run. Do not send the whole call again: write \`${argument}\` in two or more calls, each short enough for one message.`
  const smaller =
    'It was not run. Do not send the whole call again: divide the work among several shorter calls.'

  it.each<[what: string, call: ToolCall, options: ExplainOptions, message: string]>([
    ['that its call is complete', call(), {}, 'The call of `write_file` is complete.'],
    [
      'that the provider runs it',
      call({ providerExecuted: true }),
      {},
      'The provider runs `write_file` itself.',
    ],
    [
      'where a string was cut off',
      cutIn('/content', { path: 'main.rs', content: 'fn main() {' }, '<tool_call>{'),
      {},
      `The call of \`write_file\` was cut off: the argument \`content\` ends at "fn main() {". ${again}`,
    ],
    [
      'that a response has a maximum length',
      cutIn('/content', { content: 'fn main() {' }),
      { finish: 'length' },
      `The call of \`write_file\` was cut off, because the response reached its maximum length: the argument \`content\` ends at "fn main() {". ${inParts('content')}`,
    ],
    [
      'that it left its call open',
      cutIn('/content', { content: 'fn main() {' }, '<tool_call>{'),
      { finish: 'stop' },
      'The call of `write_file` was cut off: the argument `content` ends at "fn main() {". It was not run. Send the whole call again with all of its markers.',
    ],
    [
      'only the end of a long string',
      cutIn('/content', { content: `${'x'.repeat(5000)}\nlet total = prices.reduce(sum, 0)\nret` }),
      {},
      `The call of \`write_file\` was cut off: the argument \`content\` ends at "…xx\\nlet total = prices.reduce(sum, 0)\\nret". ${inParts('content')}`,
    ],
    [
      'whole characters only',
      cutIn('/content', { content: `😀${'x'.repeat(39)}` }),
      {},
      `The call of \`write_file\` was cut off: the argument \`content\` ends at "…${'x'.repeat(39)}". ${inParts('content')}`,
    ],
    [
      'that its call may be data of another',
      call({ status: 'repaired', repairs: [misplaced] }),
      {},
      'The call of `write_file` may be part of other text: an earlier call is broken, an argument contains the markers of calls, or the call repeats a result. It was not run. Send the call again in a message of its own, without such markers.',
    ],
    [
      'which nested argument it was',
      cutIn('/edits/0/new~1text', { edits: [{ 'new/text': 'a' }] }, long),
      {},
      `The call of \`write_file\` was cut off: the argument \`edits[0].new/text\` ends at "a". ${inParts('edits')}`,
    ],
    [
      'that an argument had just begun',
      cutIn('/days', {}, long),
      {},
      `The call of \`write_file\` was cut off: the argument \`days\` is not complete. ${smaller}`,
    ],
    [
      'where the call was cut off when no argument was followed',
      cutIn(undefined, {}, '{"path":"mai'),
      {},
      `The call of \`write_file\` was cut off: it ends at "{\\"path\\":\\"mai". ${again}`,
    ],
    [
      'that it was cut off, at least',
      cutIn(undefined, {}),
      {},
      `The call of \`write_file\` was cut off. ${smaller}`,
    ],
    [
      'that an argument is there twice',
      call({
        status: 'invalid',
        error: { code: 'duplicate-key', message: "The arguments have the key 'path' twice.", offset: 0 },
      }),
      {},
      "The call of `write_file` is not valid. The arguments have the key 'path' twice. It was not run. Send the whole call again with each argument once.",
    ],
    [
      'that its call is too long',
      call({
        status: 'invalid',
        error: { code: 'limit-reached', message: 'The call is longer than 100 characters.', offset: 100 },
      }),
      {},
      'The call of `write_file` is not valid. The call is longer than 100 characters. It was not run. Divide the work among several shorter calls.',
    ],
    [
      'that its call was denied',
      call({
        status: 'invalid',
        error: { code: 'denied', message: '/path is not within /home/app.', offset: 0, path: '/path' },
      }),
      {},
      'The call was denied: /path is not within /home/app. It was not run. Do without it.',
    ],
    [
      'that the arguments cannot be read',
      call({
        status: 'invalid',
        error: { code: 'token', message: 'The arguments are not JSON (token).', offset: 3 },
      }),
      {},
      'The call of `write_file` is not valid. The arguments are not JSON (token). It was not run. Send the whole call again with its arguments as valid JSON.',
    ],
    [
      'what was guessed, each thing once',
      call({ status: 'repaired', repairs: [lossless, guess, guess, lossy] }),
      {},
      'The call of `write_file` was not written correctly, and what it means had to be guessed (missing-comma, ellipsis). It was not run. Send the whole call again with everything written out that `...` stands for.',
    ],
    [
      'which tools there are',
      call({ toolName: 'write' }),
      { tools: [{ name: 'write_file' }, { name: 'read_file' }, { name: 'ls' }] },
      'There is no tool `write`. The tools are `write_file`, `read_file` and `ls`. It was not run. Call a tool that exists.',
    ],
    [
      'which tool there is',
      call({ toolName: 'write' }),
      { tools: { ls: {} } },
      'There is no tool `write`. The only tool is `ls`. It was not run. Call a tool that exists.',
    ],
    [
      'that there are no tools',
      call(),
      { tools: [] },
      'There is no tool `write_file`. There are no tools. It was not run. Answer without tools.',
    ],
    [
      'nothing of tools when its tool exists',
      call(),
      { tools: [{ name: 'write_file' }] },
      'The call of `write_file` is complete.',
    ],
    [
      'what the schema finds wrong',
      call(),
      {
        issues: [
          { message: 'expected a number', path: ['edits', 0, { key: 'line' }] },
          { message: 'Too few arguments.' },
        ],
      },
      'The argument `edits[0].line` is not valid: expected a number. The input is not valid: Too few arguments. It was not run. Send the whole call again with this put right.',
    ],
    [
      'that its call names no tool',
      call({
        toolName: '',
        status: 'invalid',
        error: { code: 'no-name', message: 'The call has no name.', offset: 0 },
      }),
      {},
      'The call of a tool without a name is not valid. The call has no name. It was not run. Send the whole call again with the name of the tool.',
    ],
  ])('%s', (_, subject, options, message) => {
    expect(explain(subject, options)).toBe(message)
  })

  it.each<[code: string, advice: string]>([
    ['inside-reasoning', 'close the reasoning first'],
    ['text-behind-call', 'with nothing behind it'],
    ['bare-string', 'with every string in quotes'],
    ['inner-quote', 'inside strings escaped once'],
    ['missing-comma', 'with its arguments as valid JSON'],
    ['positional-argument', 'under its own name'],
    ['repeated-key', 'with each argument once'],
    ['missing-name', 'with the name of the tool'],
    ['missing-closer', 'with all of its markers'],
    ['mixed-text', 'between the markers of its own argument'],
    ['non-finite', 'with a number that JSON has'],
    ['unpaired-newline', 'on both sides of each value, or on neither'],
    ['something-new', 'with this put right'],
  ])('what to do about the guess %s', (code, advice) => {
    const repairs = [lossless, { code, class: 'guess' as const, offset: 0 }]
    expect(explain(call({ status: 'repaired', repairs }))).toContain(advice)
  })

  it.each<[code: string, advice: string]>([
    ['duplicate-key', 'with each argument once'],
    ['unknown-key', 'with every argument inside its arguments'],
    ['not-an-object', 'with its arguments as one object'],
    ['adjacent-strings', 'with one value for each argument'],
    ['number', 'with a number that JSON has'],
    ['control-char', 'line breaks inside strings escaped once'],
    ['json', 'with its arguments as valid JSON'],
    ['malformed', 'with all of its markers'],
    ['limit-reached', 'Divide the work'],
    ['depth', 'less deeply nested'],
    ['payload-lost', 'Send the same call again.'],
    ['refused', 'Do not send it again as it is.'],
    ['something-new', 'with this put right'],
  ])('what to do about the error %s', (code, advice) => {
    expect(explain(call({ status: 'invalid', error: { code, message: 'Why.', offset: 0 } }))).toContain(
      advice,
    )
  })

  it('first of all where a call has to stand', () => {
    const repairs = [guess, { code: 'inside-reasoning', class: 'guess' as const, offset: 0 }]
    expect(explain(call({ status: 'repaired', repairs }))).toMatch(/close the reasoning first.*behind it\.$/)
  })

  it('data called __proto__ is looked up as data', () => {
    const told = explain(cutIn('/__proto__/constructor', {}))
    expect(told).toContain('the argument `__proto__.constructor` is not complete.')
  })
})
