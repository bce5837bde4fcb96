/** The texts that every peer reads. Each is small, so that it can be cut at every place. */

/** JSON documents, as models write structured output and arguments. */
export const DOCUMENTS = [
  { what: 'a file', text: '{"path": "src/main.ts", "content": "let a = 1\\nlet b = 2\\n"}' },
  { what: 'numbers', text: '{"x": 12, "y": -0.5, "z": 1.25e3, "list": [100, 20, 3]}' },
  { what: 'literals', text: '{"on": true, "off": false, "none": null, "list": [true, null]}' },
  { what: 'escapes', text: '{"text": "a \\"quote\\", a \\\\ backslash, \\u00e9 and \\ud83d\\ude00"}' },
  { what: 'an emoji', text: '{"text": "tea 🍵 time", "ok": true}' },
  { what: 'markup in a string', text: '{"code": "if (a) { b = [1, 2] }", "note": "say {"}' },
  { what: 'nested', text: '{"edits": [{"old": "a", "new": "b"}, {"old": "c", "new": ""}], "dry": false}' },
  { what: 'empty values', text: '{"a": {}, "b": [], "c": "", "d": [{}, []]}' },
  { what: 'keys', text: '{"": 1, "a b": 2, "\\u0061": 3, "__proto__": {"x": 4}}' },
  { what: 'a list', text: '["one", "two", {"three": 3}]' },
  { what: 'words that look like literals', text: '{"a": "true", "b": "null", "c": "NaN", "d": "12"}' },
]

const call = (toolName, input) => ({ toolName, input })

/**
 * A message of a text protocol, from its pieces: a string is visible text, an array is a call as
 * `[before its arguments, arguments, behind them, what it is]`. `whole`: where the arguments of each call end.
 */
function message(what, pieces) {
  let text = ''
  let visible = ''
  const calls = []
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece
      visible += piece
      continue
    }
    const [before, inside, behind, called] = piece
    text += before + inside
    calls.push({ ...called, whole: text.length })
    text += behind
  }
  return { what, text, visible, calls }
}

const json = (toolName, input) => [
  `<tool_call>\n{"name": "${toolName}", "arguments": `,
  JSON.stringify(input),
  '}\n</tool_call>',
  call(toolName, input),
]

const CODE = { path: 'src/list.ts', content: 'if (a < b && c > d) {\n  list.push("</b>")\n}\n' }
const READ = { path: 'a.ts' }

/** Hermes: JSON in `<tool_call>`. */
export const HERMES = [
  message('one call', [json('read_file', READ)]),
  message('text, then a call', ['Let me look.\n', json('read_file', READ)]),
  message('two calls', [json('read_file', READ), '\n', json('write_file', CODE)]),
  message('a call with code in it', ['Here it is: ', json('write_file', CODE), ' Done.']),
  message('text with markup of another kind', ['a < b, <b>bold</b> and <tool_cal is not one. ', 'x <']),
  message('JSON in the text', ['Send `{"name": "x", "arguments": {}}` and see.']),
  message('a call that quotes a call', [
    json('write_file', { path: 'notes.md', content: 'Write <tool_call>{"name": "x"}</tool_call> there.' }),
    ' Done.',
  ]),
]

const parameters = (toolName, input) => {
  const inside = Object.entries(input).map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>`)
  return [
    `<tool_call>\n<function=${toolName}>\n`,
    inside.join('\n'),
    '\n</function>\n</tool_call>',
    call(toolName, input),
  ]
}
const PLAIN = { path: 'src/list.ts', content: 'if (a < b && c > d) {\n  list.push(1)\n}' }

/** Qwen3-Coder: parameters in tags. */
export const QWEN3_CODER = [
  message('one call', [parameters('read_file', READ)]),
  message('text, then a call', ['Let me look.\n', parameters('read_file', READ)]),
  message('two calls', [parameters('read_file', READ), '\n', parameters('write_file', PLAIN)]),
  message('a call with code in it', ['Here it is: ', parameters('write_file', PLAIN), ' Done.']),
  message('text with markup of another kind', ['a < b, <b>bold</b> and <function is not one. ', 'x <']),
  message('HTML in an argument', [
    parameters('write_file', { path: 'a.html', content: '<p>One</p>\n<function>two</function>' }),
  ]),
]

const elements = (toolName, input) => {
  const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const inside = Object.entries(input).map(([key, value]) => `<${key}>${escaped(value)}</${key}>`)
  return [`<${toolName}>\n`, inside.join('\n'), `\n</${toolName}>`, call(toolName, input)]
}

/** Morph XML: an element for each argument, in one that is named like the tool. */
export const MORPH_XML = [
  message('one call', [elements('read_file', READ)]),
  message('text, then a call', ['Let me look.\n', elements('read_file', READ)]),
  message('two calls', [elements('read_file', READ), '\n', elements('write_file', PLAIN)]),
  message('a call with code in it', ['Here it is: ', elements('write_file', PLAIN), ' Done.']),
  message('text with markup of another kind', ['a < b, <b>bold</b> and <read is not one. ', 'x <']),
]

/** The arguments of a provider's own call. */
export const ARGUMENTS = [
  { what: 'a path', input: READ },
  { what: 'code', input: CODE },
  { what: 'numbers', input: { path: 'a.ts', from: 12, to: 340 } },
  { what: 'literals', input: { path: 'a.ts', force: true, mode: null } },
  { what: 'an emoji', input: { path: 'tea 🍵.md' } },
]
