/** Chat templates of formats that the library has no dialect for: one row for each way to build a call. */

export interface UnknownFormat {
  readonly name: string
  readonly template: string
  readonly start: 'text' | 'reasoning'
  /** The calls in the template language, as they are to be found. */
  readonly call: string
}

interface Pieces {
  /** Writes `message.tool_calls`. */
  readonly calls: string
  readonly call: string
  /** Writes `message.content` and the reasoning. */
  readonly text?: string
  readonly opens?: string
}

const TEXT = "{{- message.content or '' }}"

export function unknownFormat(name: string, { calls, call, text = TEXT, opens = '' }: Pieces): UnknownFormat {
  const template = `{%- for message in messages %}
    {%- if message.role == 'assistant' %}
        {{- '<|bot|>' }}${text}
        {%- if message.tool_calls %}${calls}{%- endif %}
        {{- '<|over|>' }}
    {%- else %}
        {{- '<|' + message.role + '|>' + message.content + '<|over|>' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|bot|>${opens}' }}{%- endif %}`
  return { name, template, start: opens === '' ? 'text' : 'reasoning', call }
}

/** Each call, written by `body`. */
const each = (body: string) =>
  `{%- for call in message.tool_calls %}{%- set f = call.function %}${body}{%- endfor %}`
/** Each argument of a call. */
const entries = (body: string) => `{%- for key, value in f.arguments | items %}${body}{%- endfor %}`
/** A value as text, and JSON where it is none. */
const VALUE = '(value if value is string else value | tojson)'

export const UNKNOWN_FORMATS: readonly UnknownFormat[] = [
  unknownFormat('an object between markers', {
    calls: each(`{{- '<|fn|>' + {"op": f.name, "with": f.arguments} | tojson + '<|/fn|>' }}`),
    call: '<|fn|>${space}${object({ op, with })}${space}${closer`<|/fn|>`}',
  }),
  unknownFormat('an object inside another', {
    calls: each(
      `{{- '<<run>>\\n' + {"fn": {"called": f.name, "input": f.arguments}} | tojson + '\\n<</run>>\\n' }}`,
    ),
    call: '<<run>>\n${object({ called, input })}\n${closer`<</run>>`}',
  }),
  unknownFormat('a list of objects', {
    calls: `{{- '<|plan|>[' }}${each(`{{- {"step": f.name, "using": f.arguments} | tojson + (', ' if not loop.last else '') }}`)}{{- ']<|/plan|>' }}`,
    call: "<|plan|>[${space}${list(${space}${object({ step, using })}, ',')}${space}]${space}${closer`<|/plan|>`}",
  }),
  unknownFormat('the name as the key', {
    calls: each(`{{- '@@do ' + {f.name: f.arguments} | tojson + ' done@@\\n' }}`),
    call: '@@do${space}${object({ nameAsKey: true })}${space}${closer`done@@`}',
  }),
  unknownFormat('a bare list of objects', {
    calls: `{{- '\\n[' }}${each(`{{- {"invoke_tool": f.name, "tool_input": f.arguments} | tojson + (', ' if not loop.last else '') }}`)}{{- ']' }}`,
    call: "[${space}${list(${space}${object({ invoke_tool, tool_input })}, ',')}${space}]",
  }),
  unknownFormat('a name and an id, then JSON', {
    calls: `{{- '<|acts|>' }}${each(`{{- '<|act|>' + f.name + '<|ref|>' + call.id + '<|with|>' + f.arguments | tojson + '<|/act|>' }}`)}{{- '<|/acts|>' }}`,
    call: '<|acts|>${each`${space}<|act|>${name}${optional`<|ref|>${id}`}<|with|>${space}${args}${space}${closer`<|/act|>`}`}${space}${closer`<|/acts|>`}',
  }),
  unknownFormat('a name with a number, then JSON', {
    calls: `{{- '<|jobs|>' }}${each(`{{- '<|job|>fn.' + f.name + '#' + loop.index0 | string + '<|in|>' + f.arguments | tojson + '<|/job|>' }}`)}{{- '<|/jobs|>' }}`,
    call: "<|jobs|>${each`${space}<|job|>${idWithName('fn.', '#')}<|in|>${space}${args}${space}${closer`<|/job|>`}`}${space}${closer`<|/jobs|>`}",
  }),
  unknownFormat('a name, then fenced JSON', {
    calls: each(
      `{{- '[[use ' + f.name + ']]\\n\`\`\`json\\n' + f.arguments | tojson + '\\n\`\`\`\\n[[/use]]\\n' }}`,
    ),
    call: '[[use ${name}]]\n```json\n${args}\n${closer````\n[[/use]]`}',
  }),
  unknownFormat('a key, then its value, in lines', {
    calls: each(
      `{{- '<run:' + f.name + '>\\n' }}${entries(`{{- '<set:' + key + '>\\n' + ${VALUE} + '\\n</set>\\n' }}`)}{{- '</run>\\n' }}`,
    ),
    call: '<run:${name}>${each`\n<set:${key}>${newline}${value}${newline}</set>`}\n${closer`</run>`}',
  }),
  unknownFormat('keys in tags of their own', {
    calls: each(
      `{{- '<do>' + f.name }}${entries(`{{- '<k>' + key + '</k><v>' + ${VALUE} + '</v>' }}`)}{{- '</do>' }}`,
    ),
    call: '<do>${name}${each`${space}<k>${key}</k><v>${value}</v>`}${space}${closer`</do>`}',
  }),
  unknownFormat('named parameters', {
    calls: `{{- '<acme:calls>\\n' }}${each(
      `{{- '<acme:call fn="' + f.name + '">\\n' }}${entries(`{{- '<acme:arg key="' + key + '">' + ${VALUE} + '</acme:arg>\\n' }}`)}{{- '</acme:call>\\n' }}`,
    )}{{- '</acme:calls>' }}`,
    call: '<acme:calls>${each`\n<acme:call fn="${name}">${each`\n<acme:arg key="${key}">${value}</acme:arg>`}\n${closer`</acme:call>`}`}\n${closer`</acme:calls>`}',
  }),
  unknownFormat('the name in a header, too', {
    calls: each(
      `{{- '<|to|>' + f.name + '<|body|><fn is="' + f.name + '">' }}${entries(`{{- '<val of="' + key + '">' + ${VALUE} + '</val>' }}`)}{{- '</fn><|/to|>' }}`,
    ),
    call: '<|to|>${name}<|body|><fn is="${name}">${each`${space}<val of="${key}">${value}</val>`}${space}${closer`</fn><|/to|>`}',
  }),
  unknownFormat('elements behind a token', {
    calls: `{{- '~|~<steps>\\n' }}${each(
      `{{- '~|~<step of="' + f.name + '">' }}${entries(`{{- '~|~<' + key + '>' + ${VALUE} + '~|~</' + key + '>' }}`)}{{- '~|~</step>\\n' }}`,
    )}{{- '~|~</steps>' }}`,
    call: '~|~<steps>${each`\n~|~<step of="${name}">${elements}~|~</step>`}\n${closer`~|~</steps>`}',
  }),
  unknownFormat('calls of Python between markers', {
    calls: `{{- '<|py|>[' }}${each(
      `{{- f.name + '(' }}${entries(`{{- key + '=' + value | tojson + (', ' if not loop.last else '') }}`)}{{- ')' + (', ' if not loop.last else '') }}`,
    )}{{- ']<|/py|>' }}`,
    call: "<|py|>[${space}${list(${pythonCall}, ',')}${space}]${space}${closer`<|/py|>`}",
  }),
  unknownFormat('a literal with quotes of its own', {
    calls: each(
      `{{- '<|go|>to:' + f.name + '{' }}${entries(`{{- key + ':' + ('<|q|>' + value + '<|q|>' if value is string else value | tojson) + (',' if not loop.last else '') }}`)}{{- '}<|/go|>' }}`,
    ),
    call: '<|go|>to:${literalCall}${space}${closer`<|/go|>`}',
  }),
  unknownFormat('markers around text and reasoning, too', {
    text: `{%- if message.reasoning_content %}{{- '<|muse|>' + message.reasoning_content + '<|/muse|>' }}{%- endif %}{%- if message.content %}{{- '<|say|>' + message.content + '<|/say|>' }}{%- endif %}`,
    calls: each(`{{- '<|call|>' + f.name + '<|with|>' + f.arguments | tojson + '<|/call|>' }}`),
    call: '<|call|>${name}<|with|>${space}${args}${space}${closer`<|/call|>`}',
  }),
  unknownFormat('a prompt that opens the reasoning', {
    text: `{%- if message.reasoning_content %}{{- '<|muse|>' + message.reasoning_content + '<|/muse|>' }}{%- endif %}${TEXT}`,
    opens: '<|muse|>',
    calls: each(`{{- '<|call|>' + f.name + '<|with|>' + f.arguments | tojson + '<|/call|>' }}`),
    call: '<|call|>${name}<|with|>${space}${args}${space}${closer`<|/call|>`}',
  }),
]
