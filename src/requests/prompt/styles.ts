/**
 * How each family of models was trained to be told of tools, by the name of its dialect: the form of the list, what
 * stands around it, and what is special about its calls. Models that were trained on no such text get rules instead.
 */

import {
  declarations,
  functionArray,
  functionLines,
  plainArray,
  plainLines,
  sections,
  type ToolList,
  taggedLines,
  tags,
  typescript,
} from './tool-list.ts'

export interface ToolStyle {
  readonly list: ToolList
  /** What stands before the list and behind it. */
  readonly around: readonly [before: string, after: string]
  /** What a model has to know about the form of a call that an example does not show. */
  readonly rules?: readonly string[]
}

const inTools = (list: ToolList, rules?: readonly string[]): ToolStyle => ({
  list,
  around: ['<tools>\n', '\n</tools>'],
  ...(rules && { rules }),
})

const bare = (list: ToolList, rules?: readonly string[]): ToolStyle => ({
  list,
  around: ['', ''],
  ...(rules && { rules }),
})

const NESTED = 'The function stands inside the outer tags, and every parameter has tags of its own.'
const RAW =
  'Write values as they are: text without quotes and without escapes, and lists and objects as JSON. A line break directly behind an opening tag and before its closing tag does not belong to the value.'
const NAMES_ARE_TAGS =
  "The name of the tool is the outer tag, and each argument has a tag of its own inside. Tags have no attributes. Nest objects as tags, and repeat an argument's tag for each item of a list."
const ESCAPED = 'In values, write &lt; for < and &amp; for &.'
const ONE_OBJECT =
  'The call is one JSON object. Write valid JSON: double quotes, escaped line breaks, no comments.'

export const DEFAULT_STYLE: ToolStyle = inTools(plainLines)

export const STYLES: Readonly<Record<string, ToolStyle>> = {
  apertus: bare(typescript),
  'cline-xml': inTools(plainLines, [NAMES_ARE_TAGS, RAW]),
  'cohere-action': bare(plainArray, [
    'The calls are one JSON list. Give each its own tool_call_id, counted from 0.',
  ]),
  'deepseek-dsml': inTools(plainLines, [
    NESTED,
    'string="true" marks a value that is plain text; any other value is JSON and has string="false".',
  ]),
  'deepseek-v3': { list: sections, around: ['## Tools\n\n', ''] },
  'deepseek-v31': { list: sections, around: ['## Tools\n\n', ''] },
  dots: inTools(functionLines),
  'function-calls': {
    list: functionLines,
    around: ['<functions>\n', '\n</functions>'],
    rules: [NESTED, 'Write text as it is, and lists and objects as JSON.', ESCAPED],
  },
  'functionary-v31': bare(plainLines),
  functiongemma: bare(declarations('<start_function_declaration>', '<end_function_declaration>', '<escape>')),
  functools: bare(functionArray),
  gemma4: bare(declarations('<|tool>', '<tool|>', '<|"|>')),
  gigachat3: bare(typescript),
  glm: inTools(functionLines, [
    'Each argument is a key and a value: text as it is, and anything else as JSON.',
  ]),
  glm4: inTools(sections, [
    'Write the name of the tool on a line of its own, and its arguments as one JSON object on the next line. Write nothing else when you call a tool.',
  ]),
  'granite-20b-fc': bare(plainArray),
  granite3: bare(functionArray),
  harmony: bare(typescript),
  hermes: inTools(functionLines),
  'hy-v3': inTools(functionLines),
  inkling: bare(functionArray),
  internlm2: bare(plainArray),
  // A tool as an object with a name would be a call.
  'json-tools': inTools(sections),
  'json-tools-gemini': inTools(sections),
  'json-tools-openai': inTools(sections),
  'kimi-k2': bare(functionArray, [
    'The id of a call is functions.NAME:INDEX. Count the calls of the conversation from 0.',
  ]),
  'kimi-k3': bare(functionArray),
  lfm2: { list: plainArray, around: ['<|tool_list_start|>', '<|tool_list_end|>'] },
  'llama3-json': bare(functionLines, [ONE_OBJECT, 'Write nothing but the call when you call a tool.']),
  longcat: inTools(functionLines),
  minicpm5: inTools(functionLines),
  'minimax-m2': inTools(taggedLines, [NESTED]),
  'minimax-m3': inTools(taggedLines, [NESTED]),
  'mistral-array': { list: functionArray, around: ['[AVAILABLE_TOOLS]', '[/AVAILABLE_TOOLS]'] },
  'mistral-v11': { list: functionArray, around: ['[AVAILABLE_TOOLS]', '[/AVAILABLE_TOOLS]'] },
  'morph-xml': inTools(plainLines, [NAMES_ARE_TAGS, RAW]),
  'nemotron-v2': { list: functionArray, around: ['<AVAILABLE_TOOLS>', '</AVAILABLE_TOOLS>'] },
  olmo3: { list: functionArray, around: ['<functions>', '</functions>'] },
  // A list of objects with names would be calls.
  prompted: inTools(sections, [
    'The calls are one Python list of function calls with keyword arguments. Write nothing else when you call a tool.',
  ]),
  pythonic: bare(functionArray, [
    'The calls are one Python list of function calls with keyword arguments. Write nothing else when you call a tool.',
  ]),
  'qwen3-coder': inTools(tags, [NESTED, RAW]),
  'seed-oss': bare(functionArray, [NESTED]),
  sentinel: inTools(plainLines, [
    'The start line holds all arguments but the long one as JSON; the long one stands in the lines between, as it is.',
  ]),
  shorthand: inTools(plainLines, [
    'Write short arguments as attributes and the long one between the tags, as it is.',
  ]),
  step3: bare(functionArray),
  theta: inTools(functionLines),
  'tool-xml': inTools(plainLines, [
    NESTED,
    'Write text as it is. Nest objects as arguments inside arguments.',
  ]),
  'yaml-xml': inTools(plainLines, [
    'The name of the tool is the tag, and the arguments stand inside as YAML. Write text of several lines as a block: key: | and indented lines.',
  ]),
}
