import { beforeAll, describe, expect, test } from 'vitest'
import type { Part } from '../../../src/base/part.ts'
import { ALL } from '../../../src/dialects/all.ts'
import { render } from '../../../src/engine/render.ts'
import type { Dialect } from '../../../src/engine/wire/dialect.ts'
import {
  accepts,
  type CallGrammar,
  callGrammar,
  toGbnf,
  toStructuralTag,
} from '../../../src/requests/grammar/index.ts'
import { GRAMMAR_TOOLS, MESSAGES } from '../../requests/grammar/laws.ts'
import { randomFrom, walk } from '../../requests/grammar/walk.ts'
import { LlamaEngine, type ReadGrammar, XGrammarEngine } from './engines.ts'

/** One dialect of each family. */
const FAMILIES = [
  'hermes',
  'deepseek-v3',
  'qwen3-coder',
  'deepseek-dsml',
  'morph-xml',
  'minimax-m3',
  'sentinel',
  'pythonic',
  'gemma4',
  'llama3-json',
].map((name) => ALL.find((dialect) => dialect.name === name)!)

const CHOICES = ['auto', 'required', 'none', { toolName: 'get_weather' }] as const

type Choice = (typeof CHOICES)[number]

const ROWS = FAMILIES.flatMap((dialect) =>
  CHOICES.map((toolChoice) => ({ dialect, name: dialect.name, toolChoice })),
)

/** Both engines read the same grammars. */
const grammars = new Map<string, CallGrammar>()

function grammarOf(dialect: Dialect, toolChoice: Choice): CallGrammar {
  const key = JSON.stringify([dialect.name, toolChoice])
  const grammar = grammars.get(key) ?? callGrammar({ dialect, tools: GRAMMAR_TOOLS, toolChoice })
  grammars.set(key, grammar)
  return grammar
}

/** Texts, and whether the grammar of a tool choice allows each. */
function textsOf(dialect: Dialect, toolChoice: Choice): (readonly [string, boolean])[] {
  const written = (parts: readonly Part[]) => render(parts, { dialect, tools: GRAMMAR_TOOLS })
  const mayCall = toolChoice !== 'none'
  const mayCallAny = toolChoice === 'auto' || toolChoice === 'required'
  const mayTalk = toolChoice === 'auto' || toolChoice === 'none'
  // Where the name of the tool is the tag, any other tag is text.
  const isTextOfOtherTools = dialect.name === 'morph-xml'
  const [weather] = MESSAGES[0]! as [Part & { type: 'call' }]
  const call = written([weather])
  return [
    ...MESSAGES.map((parts): readonly [string, boolean] => {
      const isNamed = parts.length === 1 && parts[0] === weather
      return [written(parts), mayCallAny || (mayCall && isNamed)]
    }),
    [call.replaceAll('get_weather', 'delete_all'), isTextOfOtherTools && mayTalk],
    [call.slice(0, call.indexOf('Paulo')), false],
    [call.replaceAll('city', 'town'), false],
    ['Hello there.', mayTalk],
  ]
}

/** What an engine says otherwise. */
async function disagreements(
  engine: ReadGrammar,
  texts: readonly (readonly [string, boolean])[],
): Promise<string[]> {
  const found: string[] = []
  for (const [text, isAllowed] of texts)
    if ((await engine.allows(text)) !== isAllowed)
      found.push(`${isAllowed ? 'refuses' : 'allows'} ${JSON.stringify(text)}`)
  return found
}

/** Texts that the grammar allows, and the same with a piece missing or twice, with what the library itself says. */
function edits(grammar: CallGrammar, count: number): (readonly [string, boolean])[] {
  return Array.from({ length: count }, (_, index) => {
    const random = randomFrom(index + 1)
    const text = [...walk(grammar, random)]
    const at = Math.floor(random() * text.length)
    const end = at + 1 + Math.floor(random() * 3)
    const piece = index % 3 === 1 ? [] : text.slice(at, end)
    const edited = index % 3 === 0 ? text : [...text.slice(0, at), ...piece, ...piece, ...text.slice(end)]
    return edited.join('')
  }).map((text) => [text, accepts(grammar, text)] as const)
}

describe.skipIf(!process.env.SLUICE_LLAMA)('llama.cpp', () => {
  let engine: LlamaEngine
  beforeAll(() => {
    engine = new LlamaEngine(process.env.SLUICE_LLAMA!)
  })

  test.each(ROWS)('takes the GBNF of $name with $toolChoice', async ({ dialect, toolChoice }) => {
    const grammar = grammarOf(dialect, toolChoice)
    const read = engine.readGbnf(toGbnf(grammar))
    expect(await disagreements(read, textsOf(dialect, toolChoice))).toEqual([])
    expect(await disagreements(read, edits(grammar, 15))).toEqual([])
  })

  test.each(FAMILIES)('takes the GBNF of $name behind a prompt that ends inside a call', async (dialect) => {
    const call = render(MESSAGES[0]!, { dialect, tools: GRAMMAR_TOOLS })
    const at = call.indexOf('Paulo')
    const options = { dialect, tools: GRAMMAR_TOOLS, toolChoice: 'required' } as const
    const read = engine.readGbnf(toGbnf(callGrammar({ ...options, prompt: call.slice(0, at) })))
    const rest = call.slice(at)
    expect(
      await disagreements(read, [
        [rest, true],
        [rest.slice(0, -1), false],
        [call, false],
      ]),
    ).toEqual([])
  })

  test('refuses a grammar with a rule that is not there', () => {
    expect(() => engine.readGbnf('root ::= missing\n')).toThrow('Failed to parse grammar')
  })
})

describe('XGrammar', () => {
  let engine: XGrammarEngine
  beforeAll(async () => {
    engine = await XGrammarEngine.start()
  })

  test.each(ROWS)('takes the structural tag of $name with $toolChoice', async ({ dialect, toolChoice }) => {
    const grammar = grammarOf(dialect, toolChoice)
    const tag = toStructuralTag(grammar)
    const read = await engine.readStructuralTag(tag)
    expect(await disagreements(read, textsOf(dialect, toolChoice))).toEqual([])
    // Tags leave the white space of JSON to the engine; a grammar of its own allows nothing more than ours.
    if (tag.format.type !== 'grammar') return
    const wrong = edits(grammar, 15).filter(([text, isAllowed]) => !isAllowed || !hasSetOfOthers(text))
    expect(await disagreements(read, wrong)).toEqual([])
  })
})

/** XGrammar's sets hold only ASCII: behind the beginning of a marker, other characters are refused in text. */
function hasSetOfOthers(text: string): boolean {
  return /[\u0080-\u{10ffff}]/u.test(text)
}
