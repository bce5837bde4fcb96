import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { hermes } from '../../../src/dialects/hermes.ts'
import { parse } from '../../../src/engine/message.ts'
import {
  detectDialect,
  readChatTemplate,
  UnprovedDialectError,
} from '../../../src/requests/templates/index.ts'
import { chatTemplate } from './corpus.ts'

/** A template that writes an answer like this. */
const answering = (answer: string, prompt = '<|assistant|>') => `{%- for message in messages %}
    {%- if message.role == 'assistant' %}
        {{- '<|assistant|>' }}${answer}{{- '<|end|>' }}
    {%- else %}
        {{- '<|user|>' + message.content + '<|end|>' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '${prompt}' }}{%- endif %}`

const TEXT = "{{- message.content or '' }}"
const CALLS = `{%- for call in message.tool_calls or [] %}{{- '<tool_call>' + call.function | tojson + '</tool_call>' }}{%- endfor %}`

/** A text of 8,192 characters in `n.t`. */
const LONG = `{% set n = namespace(t='x') %}{% for i in range(13) %}{% set n.t = n.t ~ n.t %}{% endfor %}`
const WRITES_TOO_MUCH = 'a filter or a method may write more than 16000000 characters'

describe('detectDialect', () => {
  test('finds the dialect whose calls a template writes', () => {
    const { dialect, start, origin, probes } = detectDialect(chatTemplate('hermes'))
    expect(dialect).toBe(hermes)
    expect({ start, origin }).toEqual({ start: 'text', origin: 'detected' })
    expect(probes.find(({ name }) => name === 'a call without arguments')).toEqual({
      name: 'a call without arguments',
      written: '\n<tool_call>\n{"name": "list_sloes", "arguments": {}}\n</tool_call>',
    })
  })

  test('begins inside reasoning where the prompt of the template opens it, and only there', () => {
    const template = chatTemplate('qwen3.5')
    expect(detectDialect(template).start).toBe('reasoning')
    expect(detectDialect(template, { thinking: false }).start).toBe('text')
  })

  test('takes the reasoning markers from the template', () => {
    const reasoning = `{%- if message.reasoning_content %}{{- '<<ponder>>' + message.reasoning_content + '<</ponder>>' }}{%- endif %}`
    const { dialect } = detectDialect(answering(reasoning + TEXT + CALLS))
    expect(dialect.name).toBe('hermes')
    const message = parse('<<ponder>>Hm.<</ponder>>Yes.', { dialect })
    expect(message).toMatchObject({ reasoning: 'Hm.', text: 'Yes.' })
  })

  test('knows the markers that a prompt opens although the template never writes them itself', () => {
    const { dialect, start } = detectDialect(answering(TEXT + CALLS, '<|assistant|>◁think▷'))
    expect(start).toBe('reasoning')
    expect(parse('Hm.◁/think▷Yes.', { dialect, start })).toMatchObject({ reasoning: 'Hm.', text: 'Yes.' })
  })

  test('knows the marker that the template ends a turn with', () => {
    const { dialect } = detectDialect(answering(TEXT + CALLS))
    expect(dialect.endOfTurn).toEqual([...hermes.endOfTurn, '<|end|>'])
    expect(parse('Yes.<|end|>', { dialect }).text).toBe('Yes.')
  })

  test('takes no marker for the end of a turn that only text ends with', () => {
    const text = "{%- if not message.tool_calls %}{{- message.content + '<|over|>' }}{%- endif %}"
    const template = answering(text + CALLS).replace("{{- '<|end|>' }}", '')
    expect(detectDialect(template).dialect.endOfTurn).not.toContain('<|over|>')
  })

  test('renders a template that asks for the date', () => {
    const dated = `{{- strftime_now('%d %B %Y') }}${answering(TEXT + CALLS)}`
    expect(detectDialect(dated).dialect.name).toBe('hermes')
  })

  test('says why a probe proves nothing', () => {
    const { probes } = detectDialect(chatTemplate('gigachat3'))
    const [two] = probes.filter(({ name }) => name === 'two calls')
    expect(two).toEqual({ name: 'two calls', problem: 'the template refuses it: one call at a time' })
  })

  test('refuses a template that no dialect reads, with the probe that failed', () => {
    const call = `{%- for call in message.tool_calls or [] %}{{- 'run ' + call.function | tojson + ' please' }}{%- endfor %}`
    try {
      detectDialect(answering(TEXT + call))
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(UnprovedDialectError)
      expect(error).toMatchObject({ code: 'unproved-dialect', probe: { name: 'one call' } })
      expect((error as UnprovedDialectError).probe.written).toMatch(/^run \{.*\} please$/)
    }
  })

  test.each([
    ['a template without calls', answering(TEXT), "leaves out 'find_quince'"],
    ['what is no template', '{% for %}', 'cannot be compiled'],
    ['a template that throws', `{{ raise_exception('no tools') }}`, 'refuses a conversation: no tools'],
    ['a range without end', '{% for i in range(1000000000) %}{% endfor %}', 'it counts to more than 50000'],
    [
      'loops in loops',
      '{% for i in range(9999) %}{% for k in range(9999) %}{{ k }}{% endfor %}{% endfor %}',
      'it takes more than 50000 steps',
    ],
    [
      'a text that doubles',
      `{% set n = namespace(t='x') %}{% for i in range(60) %}{% set n.t = n.t + n.t %}{% endfor %}`,
      'it writes more than 1000000 characters',
    ],
    [
      'loops in loops without a body',
      '{% for i in range(9999) %}{% for k in range(9999) %}{% endfor %}{% endfor %}',
      'it takes more than 50000 steps',
    ],
    [
      'a list that holds itself twice, again and again',
      `{% set n = namespace(a=['x']) %}{% for i in range(60) %}{% set n.a = [n.a, n.a] %}{% endfor %}{{ n.a | tojson }}`,
      'it takes more than 50000 steps',
    ],
    [
      'a macro that calls itself twice',
      '{% macro m(n) %}{% if n > 0 %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}',
      'it takes more than 50000 steps',
    ],
    [
      'a macro that calls itself without end',
      '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
      'it nests more than 1000 levels',
    ],
    ['a long text that is replaced by itself', `${LONG}{{ n.t.replace('x', n.t) }}`, WRITES_TOO_MUCH],
    ['a long text between many numbers', `${LONG}{{ range(9000) | join(n.t) }}`, WRITES_TOO_MUCH],
    ['a long indent', `{{ 'a\\nb\\nc' | indent(99999999) }}`, WRITES_TOO_MUCH],
    ['a long indent of JSON', '{{ messages | tojson(indent=99999999) }}', WRITES_TOO_MUCH],
    [
      'a long text in a filter',
      `${LONG}{% filter replace('x', n.t) %}{{ n.t }}{% endfilter %}`,
      WRITES_TOO_MUCH,
    ],
    [
      'brackets in brackets',
      `{{ ${'('.repeat(100_000)}`,
      'cannot be compiled: Maximum call stack size exceeded',
    ],
    ['a long template', 'x'.repeat(1_000_001), 'has more than 1000000 characters'],
    ['much white space', ' '.repeat(500_000), 'has more than 1000 characters of white space in a row'],
    ['JSON without a template', '{"model_type": "llama"}', "without a template in 'chat_template'"],
  ])('refuses %s', (_, template, message) => {
    expect(() => detectDialect(template)).toThrow(expect.objectContaining({ code: 'invalid-chat-template' }))
    expect(() => detectDialect(template)).toThrow(message)
  })

  test('refuses a template that takes too long, whatever takes the time', () => {
    let now = 0
    vi.spyOn(Date, 'now').mockImplementation(() => (now += 100))
    onTestFinished(() => void vi.restoreAllMocks())
    expect(() => detectDialect(answering(TEXT + CALLS))).toThrow('it takes too long')
  })

  test('takes a template with a long text', () => {
    const text = 'word '.repeat(20_000)
    expect(detectDialect(`{% if true %}${text}{% endif %}${answering(TEXT + CALLS)}`).dialect.name).toBe(
      'hermes',
    )
  })
})

describe('readChatTemplate', () => {
  test('takes the template for tools, and the tokens', () => {
    const config = {
      eos_token: '</s>',
      bos_token: { content: '<s>', lstrip: false },
      chat_template: [
        { name: 'default', template: 'plain' },
        { name: 'tool_use', template: 'tools' },
      ],
    }
    expect(readChatTemplate(JSON.stringify(config))).toEqual({
      source: 'tools',
      tokens: { eos_token: '</s>', bos_token: '<s>' },
    })
  })

  test('takes a template as it is, also one that begins with a brace', () => {
    expect(readChatTemplate('{{ bos_token }}').source).toBe('{{ bos_token }}')
    expect(readChatTemplate('{%- if x %}{% endif %}').source).toBe('{%- if x %}{% endif %}')
  })
})
