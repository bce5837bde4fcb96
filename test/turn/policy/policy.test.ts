import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue, ToolCall } from '../../../src/base/event.ts'
import {
  type Answer,
  createPolicy,
  custom,
  type Decision,
  digestOf,
  equals,
  type Matcher,
  maximum,
  not,
  pattern,
  prefix,
  type Rule,
  within,
} from '../../../src/turn/policy/index.ts'
import { sha256 } from '../../../src/turn/policy/sha256.ts'
import { parseWritten } from '../../../src/values/numbers/written.ts'

function decide(rules: readonly Rule[], input: JsonValue, otherwise?: Decision): Decision {
  return createPolicy({ rules, ...(otherwise && { otherwise }) }).approve({ toolName: 't', input }).decision
}

const ALLOW_SRC: Rule = { at: '/path', is: within('src'), decision: 'allow' }

describe('of the rules that hold', () => {
  test.each<[string, readonly Rule[], Decision]>([
    ['none holds: it is asked for', [], 'ask'],
    ['one allows', [ALLOW_SRC], 'allow'],
    ['one allows and one asks: it is asked for', [{ decision: 'ask' }, ALLOW_SRC], 'ask'],
    ['one denies: it is denied, wherever it stands', [ALLOW_SRC, { at: '/mode', decision: 'deny' }], 'deny'],
    ['one is about another tool', [{ tool: 'u', decision: 'deny' }, ALLOW_SRC], 'allow'],
    ['one is about several tools', [{ tool: ['u', 't'], decision: 'deny' }, ALLOW_SRC], 'deny'],
  ])('%s', (_, rules, decision) => {
    expect(decide(rules, { path: 'src/a', mode: 'w' })).toBe(decision)
  })

  test('none may hold, which the policy decides', () => {
    expect(decide([ALLOW_SRC], { path: 'lib/a' }, 'deny')).toBe('deny')
    expect(decide([{ decision: 'ask', at: '/x' }], { path: 'lib/a' }, 'allow')).toBe('allow')
  })
})

describe('a rule', () => {
  const paths = { at: '/paths/*', is: within('src') }

  test.each<[string, Rule, JsonValue, Decision]>([
    ['that allows holds for all values', { ...paths, decision: 'allow' }, ['src/a', 'src/b'], 'allow'],
    ['that allows does not hold for some', { ...paths, decision: 'allow' }, ['src/a', '.env'], 'deny'],
    ['that allows does not hold for none', { ...paths, decision: 'allow' }, [], 'deny'],
    ['that allows does not hold for what it cannot read', { ...paths, decision: 'allow' }, [1], 'deny'],
    ['that asks holds for one value', { ...paths, decision: 'ask' }, ['.env', 'src/a'], 'ask'],
    ['that asks does not hold for none', { ...paths, decision: 'ask' }, ['.env'], 'deny'],
  ])('%s', (_, rule, paths, decision) => {
    expect(decide([rule], { paths }, 'deny')).toBe(decision)
  })

  test('that would deny what it cannot read asks', () => {
    const rule: Rule = { at: '/command', is: pattern(/rm/), decision: 'deny' }
    expect(decide([rule], { command: ['rm'] }, 'allow')).toBe('ask')
    expect(decide([rule], { command: 'ls' }, 'allow')).toBe('allow')
    expect(decide([rule], {}, 'allow')).toBe('allow')
  })

  test.each<[value: JsonValue, denied: Decision, allowed: Decision]>([
    ['prod', 'deny', 'deny'],
    ['test', 'allow', 'allow'],
    [['prod'], 'ask', 'deny'],
    [{ name: 'prod' }, 'ask', 'deny'],
    [5, 'allow', 'allow'],
  ])('compares a value of another type neither as equal nor as different: %j', (env, denied, allowed) => {
    const is = equals('prod')
    expect(decide([{ at: '/env', is, decision: 'deny' }], { env }, 'allow')).toBe(denied)
    expect(decide([{ at: '/env', is: not(is), decision: 'allow' }], { env }, 'deny')).toBe(allowed)
  })

  const failing = (): never => {
    throw new Error('no idea')
  }

  test.each<[string, Matcher]>([
    ['throws in the end', custom(failing)],
    [
      'throws on the way',
      custom(
        () => true,
        () => failing,
      ),
    ],
    ['throws at once', { about: 'is odd', open: failing }],
    [
      'says something else',
      custom(
        () => true,
        () => () => 'perhaps' as Answer,
      ),
    ],
  ])('with a matcher that %s asks instead of denying, and never allows', (_, is) => {
    expect(decide([{ at: '/a', is, decision: 'deny' }], { a: 'b' }, 'allow')).toBe('ask')
    expect(decide([{ at: '/a', is, decision: 'allow' }], { a: 'b' }, 'deny')).toBe('deny')
  })

  test('may be about everything, at any depth', () => {
    const secret: Rule = { at: '/**', is: pattern(/AKIA/), decision: 'deny' }
    expect(decide([secret], { a: { b: ['x', { c: 'my AKIA' }] } }, 'allow')).toBe('deny')
    expect(decide([secret], { a: { b: ['x', { c: 'mine' }] }, n: 5, none: [] }, 'allow')).toBe('allow')
    const paths: Rule = { at: '/edits/**/path', is: prefix('src/'), decision: 'allow' }
    expect(decide([paths], { edits: [{ path: 'src/a', sub: { path: 'src/b' } }] })).toBe('allow')
    expect(decide([paths], { edits: [{ path: 'src/a', sub: { path: '/etc' } }] })).toBe('ask')
    expect(decide([paths], { edits: { path: 'src/a' }, path: '/etc' })).toBe('allow')
  })

  test('about an argument that is not there does not hold', () => {
    expect(decide([{ at: '/force', is: equals(true), decision: 'allow' }], { path: 'a' })).toBe('ask')
    expect(decide([{ at: '/a/b', decision: 'deny' }], { a: 'b' }, 'allow')).toBe('allow')
  })

  test('takes keys decoded and values as data', () => {
    expect(decide([ALLOW_SRC], JSON.parse('{"p\\u0061th": "src/x"}'))).toBe('allow')
    expect(decide([{ at: '/__proto__', decision: 'deny' }], JSON.parse('{"__proto__": 1}'), 'allow')).toBe(
      'deny',
    )
  })

  test.each<[unknown, string]>([
    [{ decision: 'maybe' }, 'Rule 1 has the decision "maybe"; use allow, ask or deny.'],
    [{ decision: 'allow', is: prefix('a') }, "Rule 1 says what a value is, but not where: give it an 'at'."],
    [
      { decision: 'allow', at: '/a', is: /a/ },
      "Rule 1 has an 'is' that is not a matcher, such as prefix(…).",
    ],
    [{ decision: 'allow', tool: [] }, "Rule 1 has a 'tool' that is neither a name nor a list of names."],
    [
      { decision: 'allow', when: 1 },
      "Rule 1 has an unknown field 'when'; use one of tool, at, is, decision, reason.",
    ],
    [null, 'Rule 1 is not an object.'],
  ])('is refused where it cannot work: %j', (rule, message) => {
    expect(() => createPolicy({ rules: [rule as Rule] })).toThrow(
      expect.objectContaining({ code: 'invalid-rule', message }),
    )
  })

  test('is refused with a pointer that is none', () => {
    expect(() => createPolicy({ rules: [{ at: 'path', decision: 'deny' }] })).toThrow(
      expect.objectContaining({ code: 'invalid-pointer' }),
    )
  })
})

describe('a policy', () => {
  test('takes a list of rules', () => {
    expect(() => createPolicy({ rules: 5 as never })).toThrow(/takes a list of rules/)
  })

  test('says why', () => {
    const policy = createPolicy({
      rules: [
        {
          tool: 'shell',
          at: '/command',
          is: pattern(/\brm\b/),
          decision: 'deny',
          reason: 'Nothing is removed here.',
        },
        { tool: 'shell', at: '/command', is: pattern(/sudo/), decision: 'deny' },
        { tool: 'write', at: '/path', is: within('src'), decision: 'allow' },
        { tool: 'ls', decision: 'allow' },
        { tool: 'read', at: '/path', is: within('/home/app'), decision: 'allow' },
        { tool: 'edit', at: '/path', is: not(within('/home/app/.git')), decision: 'allow' },
      ],
      tools: [
        { name: 'read' },
        { name: 'edit' },
        { name: 'shell' },
        { name: 'write' },
        { name: 'ls' },
        { name: 'other' },
      ],
    })
    const why = (toolName: string, input: JsonValue) => {
      const { decision, reason, path } = policy.approve({ toolName, input })
      return [decision, reason, path]
    }
    expect(why('shell', { command: 'rm x' })).toEqual(['deny', 'Nothing is removed here.', '/command'])
    expect(why('shell', { command: 'sudo x' })).toEqual(['deny', '/command matches /sudo/.', '/command'])
    expect(why('write', { path: ['src'] })).toEqual([
      'ask',
      'It cannot be decided whether /path is within src.',
      '/path',
    ])
    expect(why('write', { path: 'src/a' })).toEqual(['allow', '/path is within src.', '/path'])
    expect(why('write', { path: 'lib/a' })).toEqual([
      'ask',
      'A call of write is allowed only if /path is within src.',
      '/path',
    ])
    const relative =
      'It cannot be decided whether /path is within /home/app: a relative path needs the option `base`.'
    expect(why('read', { path: 'package.json' })).toEqual(['ask', relative, '/path'])
    expect(why('read', { path: '' })).toEqual(['ask', relative, '/path'])
    expect(why('read', { path: '~/x' })).toEqual([
      'ask',
      'It cannot be decided whether /path is within /home/app.',
      '/path',
    ])
    expect(why('edit', { path: 'a' })).toEqual([
      'ask',
      'It cannot be decided whether /path not (is within /home/app/.git): a relative path needs the option `base`.',
      '/path',
    ])
    expect(why('ls', {})).toEqual(['allow', 'A rule says so of every call of ls.', undefined])
    expect(why('other', {})).toEqual(['ask', 'No rule allows this call of other.', undefined])
    expect(why('none', {})).toEqual(['deny', 'There is no tool none.', undefined])
  })

  const call = (more: Partial<ToolCall>): ToolCall => ({
    type: 'tool-call',
    id: '1',
    toolName: 't',
    input: { path: 'src/a' },
    status: 'complete',
    repairs: [],
    ...more,
  })

  test.each<[string, Partial<ToolCall>, Decision]>([
    ['that came whole', {}, 'allow'],
    [
      'that was put right',
      { status: 'repaired', repairs: [{ code: 'comment', class: 'lossless', offset: 0 }] },
      'allow',
    ],
    [
      'that was guessed',
      { status: 'repaired', repairs: [{ code: 'bare-string', class: 'guess', offset: 0 }] },
      'ask',
    ],
    [
      'that may be data of another',
      { status: 'repaired', repairs: [{ code: 'place-uncertain', class: 'guess', offset: 0 }] },
      'deny',
    ],
    [
      'that lost something',
      { status: 'repaired', repairs: [{ code: 'ellipsis', class: 'lossy', offset: 0 }] },
      'deny',
    ],
    ['that was cut off', { status: 'truncated' }, 'deny'],
    ['that is invalid', { status: 'invalid' }, 'deny'],
    ['that its provider runs', { providerExecuted: true }, 'deny'],
  ])('decides about a call %s', (_, more, decision) => {
    const { approve } = createPolicy({ rules: [ALLOW_SRC] })
    expect(approve(call(more)).decision).toBe(decision)
  })

  test('compares objects and lists as a whole, whatever is inside of them', () => {
    const only: Rule = { at: '/o', is: equals({ a: { b: [1] } }), decision: 'allow' }
    expect(decide([only], { o: { a: { b: [1] } } }, 'deny')).toBe('allow')
    expect(decide([only], { o: { a: { b: [2] } } }, 'deny')).toBe('deny')
    expect(decide([only], { o: { a: { b: [1], c: 1 } } }, 'deny')).toBe('deny')
    const inside: Rule = { at: '/o/a', is: equals(1), decision: 'allow' }
    const list: Rule = { at: '/l', is: equals([1]), decision: 'deny' }
    expect(decide([inside, list], { o: { a: 1 }, l: [1] }, 'allow')).toBe('deny')
    expect(decide([inside, list], { l: [2], o: { a: 1 } }, 'ask')).toBe('allow')
  })

  test('is about what is inside of an input, which is an object', () => {
    const root: Rule = { at: '/a', is: equals('x'), decision: 'deny' }
    for (const input of ['x', 1, ['x'], { b: 'x' }]) expect(decide([root], input, 'allow')).toBe('allow')
  })

  test('denies what was guessed where it denies anyway', () => {
    const { approve } = createPolicy({ rules: [{ at: '/path', decision: 'deny' }] })
    const repairs = [{ code: 'bare-string', class: 'guess', offset: 0 }] as const
    expect(approve(call({ status: 'repaired', repairs })).decision).toBe('deny')
  })

  test('decides about deep input without falling over', () => {
    let input: JsonValue = 'x'
    for (let depth = 0; depth < 50_000; depth++) input = [input]
    expect(decide([{ at: '/a', decision: 'deny' }], { b: input }, 'allow')).toBe('allow')
  })
})

describe('a number', () => {
  const most = createPolicy({
    rules: [{ at: '/n', is: maximum(2 ** 53), decision: 'allow' }],
    otherwise: 'deny',
  })
  const exact = createPolicy({
    rules: [{ at: '/n', is: equals(2 ** 53), decision: 'allow' }],
    otherwise: 'deny',
  })

  test.each([
    ['{"n":100.0}', most, 'allow'],
    ['{"n":100.00000000000000000001}', most, 'ask'],
    ['{"n":9007199254740992}', exact, 'allow'],
    ['{"n":9007199254740993}', exact, 'deny'],
    ['{"n":9007199254740993}', most, 'deny'],
  ])('is looked at with all of its digits: %s', (text, policy, decision) => {
    const input = JSON.parse(text)
    expect(policy.approve({ toolName: 't', input, inputText: text })).toMatchObject({ decision })
  })

  test('without its text is what it is', () => {
    expect(most.approve({ toolName: 't', input: { n: 2 ** 53 } })).toMatchObject({ decision: 'allow' })
    const input = parseWritten('{"n":9007199254740993}') as { n: number }
    most.approve({ toolName: 't', input })
    expect(input.n).toBe(9007199254740992)
  })
})

describe('a digest', () => {
  test.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
  ])('is SHA-256: %j', (text, hash) => {
    expect(sha256(text)).toBe(hash)
  })

  test('agrees with the platform at every length', () => {
    for (let length = 0; length < 200; length++) {
      const text = 'ü'.repeat(length)
      expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'))
    }
  })

  test('is the same exactly for the same tool and the same input', () => {
    const one = digestOf({ toolName: 't', input: { a: [1, 'x', null], b: { c: true, d: 2 } } })
    expect(one).toBe(sha256('["t",{"a":[1,"x",null],"b":{"c":true,"d":2}}]'))
    expect(digestOf({ toolName: 't', input: { b: { d: 2, c: true }, a: [1, 'x', null] } })).toBe(one)
    expect(digestOf({ toolName: 'u', input: { a: [1, 'x', null], b: { c: true, d: 2 } } })).not.toBe(one)
    expect(digestOf({ toolName: 't', input: { a: [1, null, 'x'], b: { c: true, d: 2 } } })).not.toBe(one)
    expect(digestOf({ toolName: 't', input: -0 })).not.toBe(digestOf({ toolName: 't', input: 0 }))
    const twin = { toolName: 't', input: JSON.parse('{"__proto__": 1}') as JsonValue }
    expect(digestOf(twin)).not.toBe(digestOf({ toolName: 't', input: {} }))
  })

  test('tells different inputs apart', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const digest = (input: unknown): string => digestOf({ toolName: 't', input: input as JsonValue })
        expect(digest(structuredClone(one))).toBe(digest(one))
        const same = digest(one) === digest(other)
        if (same) expect(one).toEqual(other)
      }),
      { seed: 8 },
    )
  })
})

test('rules can be made of all matchers', () => {
  const rules: Rule[] = [
    { at: '/n', is: maximum(10), decision: 'allow' },
    { at: '/n', is: not(maximum(100)), decision: 'deny' },
  ]
  expect([5, 50, 500].map((n) => decide(rules, { n }))).toEqual(['allow', 'ask', 'deny'])
})
