/** The grammar of what a model may write: its dialect, the tools, and whether it has to call one. */

import { SluiceError } from '../../base/errors.ts'
import type { JsonValue } from '../../base/event.ts'
import { checkOption, checkOptions, type KnownOptions, wrongOption } from '../../base/options.ts'
import { createToolTable, type Tool, type ToolDefinitions } from '../../engine/calls/tools.ts'
import { render } from '../../engine/render.ts'
import { compile } from '../../engine/wire/compile.ts'
import type { Dialect } from '../../engine/wire/dialect.ts'
import type { Edge, Program } from '../../engine/wire/program.ts'
import { isSchemaObject, type JsonSchema, resolve } from '../../values/schema/json-schema.ts'
import type { ToolChoice } from '../conversation/model-request.ts'
import { behindPrompt } from './behind-prompt.ts'
import { engineSchema } from './engine-schema.ts'
import {
  choice,
  type GrammarRule,
  literal,
  optional,
  type RuleSet,
  sequence,
  type TextRule,
} from './grammar-rule.ts'
import { commonStart, itemIn, type ListFrame, listFrame } from './list-frame.ts'
import { WrittenCalls, withMarks, writtenRule } from './rendered-calls.ts'
import { jsonFrame, type Matching, type Place, refused, ValueRules } from './value-rules.ts'

/** Options of `callGrammar`. */
export interface GrammarOptions {
  readonly dialect: Dialect
  readonly tools: ToolDefinitions
  /** Whether the model may call tools, has to, or has to call certain ones. Default `auto`. */
  readonly toolChoice?: ToolChoice
  /** Whether it may make several calls. Default true. */
  readonly parallelToolCalls?: boolean
  /** Where the response begins: `reasoning` if the prompt opens it. Default `text`. */
  readonly start?: 'text' | 'reasoning'
  /** False: reasoning is no part of the grammar, because the engine applies it behind the reasoning. Default true. */
  readonly reasoning?: boolean
  /**
   * The beginning of the response where the prompt has it, such as `>>>` or `<tool_call>`: the grammar is that of what
   * follows. Pass it to the parser before the response, unless it is the marker that the dialect is always begun with.
   */
  readonly prompt?: string
}

const OPTIONS: KnownOptions<GrammarOptions> = {
  dialect: 'object',
  tools: 'any',
  toolChoice: 'any',
  parallelToolCalls: 'boolean',
  start: ['text', 'reasoning'],
  reasoning: 'boolean',
  prompt: 'string',
}

/** A grammar as a tree, and the parts that it is made of. */
export interface CallGrammar extends RuleSet {
  /** What the prompt has of the response. */
  readonly prompt: string
  /** What must come: `auto`: text, or calls; `required`: calls; `none`: text. */
  readonly mode: 'auto' | 'required' | 'none'
  readonly start: 'text' | 'reasoning'
  readonly text: TextRule
  /** Nothing marks a call but that it is the whole message. */
  readonly isBare: boolean
  /** A call ends with a bracket of its own, and white space has to follow it: other text would make it a guess. */
  readonly needsSpaceBehind: boolean
  /** Nor may any text be on the line of a call. */
  readonly needsLines: boolean
  readonly reasoning:
    | { readonly before: string; readonly text: TextRule; readonly behind: string }
    | undefined
  /** What stands around and between calls. */
  readonly frame: ListFrame
  readonly calls: readonly { readonly toolName: string; readonly rule: GrammarRule }[]
  readonly isParallel: boolean
}

/**
 * Makes a grammar for constrained decoding.
 *
 *     const grammar = callGrammar({ dialect: hermes, tools, toolChoice: 'required' })
 *     toGbnf(grammar)            // for llama.cpp
 *     toStructuralTag(grammar)   // for vLLM and SGLang
 *
 * All that it allows is read as calls whose input fits the schema of their tool. Throws where a schema holds what a
 * grammar cannot, with its pointer.
 */
export function callGrammar(options: GrammarOptions): CallGrammar {
  checkOptions(options, OPTIONS)
  checkOption('dialect', options.dialect, 'object')
  const { dialect, toolChoice = 'auto', start = 'text', parallelToolCalls: isParallel = true } = options
  const table = createToolTable(options.tools)
  const { mode, names } = chosen(toolChoice, table.names)
  const tools = names.map((name) => table.get(name)!)
  const known = [...table, ...SYNTHETIC].map(({ name, schema, streams }) => ({
    name,
    inputSchema: schema ?? {},
    ...(streams !== undefined && { streams }),
  }))
  const program = compile([dialect], { ...SHAPE, tools: known })
  const matching: Matching = { ignoreCase: dialect.ignoreCase, spacedTags: dialect.spacedTags }
  const written = new WrittenCalls(dialect, known, SYNTHETIC[0]!.name)
  const [first, second] = SYNTHETIC.map(({ name }) => name) as [string, string]
  const frame = listFrame(written.one(first, {}), written.one(second, {}), written.two(first, second))
  const rules = new Map<string, GrammarRule>()
  const markers = [...new Set(program.edges.map(({ literal }) => literal))]
  const calls = (mode === 'none' ? [] : tools).map((tool) => ({
    toolName: tool.name,
    rule: ruleOfCall(tool, written, frame, rules, markers, matching),
  }))
  const reasoning =
    options.reasoning === false ? undefined : ruleOfReasoning(dialect, written, known, markers, matching)
  if (start === 'reasoning' && reasoning === undefined)
    throw wrongOption(
      `start: 'reasoning' needs reasoning markers, and the dialect '${dialect.name}' has none.`,
    )
  const text: TextRule = {
    kind: 'text',
    stops: stopsOfText(program, dialect),
    begun: '',
    escapes: [],
    follow: openerOf(frame, calls),
    ...matching,
  }
  const isBare = dialect.calls.length + dialect.looseCalls.length === 0
  const isNamed = typeof toolChoice === 'object' && 'toolName' in toolChoice
  const needsSpaceBehind = !written.readsTextBehind(first, 'Then.')
  const needsLines = needsSpaceBehind && !written.readsTextBehind(first, ' Then.')
  const parts = {
    mode,
    start,
    text,
    isBare,
    needsSpaceBehind,
    needsLines,
    reasoning,
    frame,
    calls,
    isParallel: isParallel && !isNamed,
  }
  if (calls.length > 0) rules.set(CALL.name, choice(...calls.map(({ rule }) => rule)))
  const { prompt = '' } = options
  const root = behindPrompt({ root: rootOf(parts), rules }, prompt)
  if (root === undefined)
    throw wrongOption(
      `No response that the grammar allows begins with the 'prompt' ${JSON.stringify(prompt)}.`,
    )
  return { ...parts, prompt, root, rules }
}

/** Two tools whose names begin and end differently: they show how calls stand beside each other. */
const SYNTHETIC: readonly Tool[] = ['quinceTool', 'medlarCall'].map((name) => ({
  name,
  schema: { type: 'object', properties: {} },
}))

/** Any of the calls. */
const CALL = { kind: 'reference', name: 'call' } as const

const SHAPE = { stop: [], calls: true, reasoning: true, code: undefined } as const

function chosen(
  choice: ToolChoice,
  all: readonly string[],
): { mode: CallGrammar['mode']; names: readonly string[] } {
  if (choice === 'none') return { mode: 'none', names: [] }
  const [mode, names] =
    typeof choice === 'string'
      ? ([choice, all] as const)
      : 'toolName' in choice
        ? (['required', [choice.toolName]] as const)
        : ([choice.mode, choice.toolNames] as const)
  if (mode !== 'auto' && mode !== 'required')
    throw wrongOption(
      `'toolChoice' is 'auto', 'required', 'none' or { toolName }, not ${JSON.stringify(choice)}.`,
    )
  const unknown = names.find((name) => !all.includes(name))
  if (unknown !== undefined)
    throw wrongOption(`'toolChoice' names the tool '${unknown}', which is not among the tools.`)
  if (names.length === 0 && mode === 'required')
    throw wrongOption("'toolChoice' wants a call, and there are no tools.")
  return { mode: names.length === 0 ? 'none' : mode, names }
}

// ── calls ────────────────────────────────────────────────────────────────────────────────────────

function ruleOfCall(
  { name, schema }: Tool,
  written: WrittenCalls,
  frame: ListFrame,
  rules: Map<string, GrammarRule>,
  markers: readonly string[],
  matching: Matching,
): GrammarRule {
  const place: Place = {
    write: (input) => itemIn(frame, written.one(name, input)),
    whole: (input) => written.one(name, input),
    reads: (input) => written.reads(name, input),
    isReadAs: (message, input) => written.isReadAs(message, name, input),
  }
  try {
    const root: JsonSchema = schema ?? true
    const values = new ValueRules(rules, root, markers, matching)
    const input = resolve(root, root)
    if (!isSchemaObject(input)) throw refused('', 'a tool without a schema')
    const json = jsonFrame(place, INPUTS)
    if (!INPUTS.some((one) => written.reads(name, one)))
      throw new SluiceError('unrepresentable', 'the dialect cannot write its name; rename the tool.')
    if (json === undefined) return withMarks(values.object(place, input, ''))
    const [before, behind] = json
    const rule = values.at({ ...place, write: (value) => JSON.stringify(value), jsonWithout: [] }, root, '')
    return sequence(
      writtenRule(before),
      { kind: 'json', schema: engineSchema(root, root), rule },
      writtenRule(behind),
    )
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    throw new SluiceError(error.code, `The tool '${name}': ${error.message}`, { cause: error })
  }
}

/** Inputs that show whether arguments are written as JSON. */
const INPUTS: readonly JsonValue[] = [{ qa: [1, 'text', { b: null }] }, { zb: 'a "quoted"\ntext' }, {}]

// ── text and reasoning ───────────────────────────────────────────────────────────────────────────

/** The markers that begin a call, reasoning or a result, and those that end the response. */
function stopsOfText({ text, content }: Program, { endOfTurn }: Dialect): string[] {
  const edges = [text, content].flatMap((state) => ('edges' in state ? state.edges : []))
  const openers = edges.flatMap(withAlternatives).filter(({ opens }) => opens && opens.kind !== 'markup')
  return [...new Set([...openers.map(({ literal }) => literal), ...endOfTurn])]
}

function withAlternatives(edge: Edge): Edge[] {
  return [edge, ...edge.alternatives.flatMap(withAlternatives)]
}

/** What every call of a message begins with. */
function openerOf({ before }: ListFrame, calls: CallGrammar['calls']): string {
  const begins = calls.map(({ rule }) => {
    const first = rule.kind === 'sequence' ? rule.parts[0] : rule
    return first?.kind === 'literal' ? before + first.text : before
  })
  return begins.reduce((one, other) => one.slice(0, commonStart(one, other)), begins[0] ?? '')
}

function ruleOfReasoning(
  dialect: Dialect,
  written: WrittenCalls,
  tools: ToolDefinitions,
  markers: readonly string[],
  matching: Matching,
): CallGrammar['reasoning'] {
  if (dialect.reasoning.length === 0) return undefined
  const [before = '', behind = ''] = render([{ type: 'reasoning', text: THOUGHT }], { dialect, tools }).split(
    THOUGHT,
  )
  const values = new ValueRules(new Map(), true, markers, matching)
  const stops = values.stopsAt((text) => written.readsReasoning(text), behind, THOUGHT)
  return {
    before,
    text: { kind: 'text', stops, begun: '', escapes: [], follow: behind, ...matching },
    behind,
  }
}

const THOUGHT = 'Thought'

// ── all of it ────────────────────────────────────────────────────────────────────────────────────

function rootOf(parts: Omit<CallGrammar, 'root' | 'rules' | 'prompt'>): GrammarRule {
  const { mode, start, text, isBare, needsSpaceBehind, needsLines, reasoning, frame, isParallel } = parts
  const rest = reasoning && sequence(reasoning.text, literal(reasoning.behind))
  const thought = reasoning && sequence(literal(reasoning.before), rest!)
  const begin = thought === undefined ? literal('') : start === 'reasoning' ? rest! : optional(thought)
  if (mode === 'none') return sequence(begin, text)
  const group = sequence(
    writtenRule(frame.before),
    isParallel ? { kind: 'repeat', body: CALL, separator: frame.between, least: 1 } : CALL,
    writtenRule(frame.behind),
  )
  if (mode === 'required') return sequence(begin, group)
  if (isBare) return sequence(begin, choice(group, text))
  if (needsLines) {
    const line = literal('\n')
    const lines = sequence(optional(sequence(text, line)), group)
    const calls: GrammarRule = isParallel ? { kind: 'repeat', body: lines, separator: '\n', least: 1 } : lines
    return sequence(begin, choice(text, sequence(calls, optional(sequence(line, text)))))
  }
  const behind = needsSpaceBehind ? optional(sequence(choice(literal('\n'), literal(' ')), text)) : text
  const more = sequence(group, behind)
  return sequence(
    begin,
    text,
    isParallel ? { kind: 'repeat', body: more, separator: '', least: 0 } : optional(more),
  )
}
