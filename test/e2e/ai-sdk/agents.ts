/**
 * Agents of five steps, run by models that make the slips of small models in every second call. A model that is told of
 * its mistake writes the call again as its dialect does; one that is not told goes on with the next step.
 */

import { render } from 'sluice'
import { type Dialect, hermes, morphXml, qwen3Coder } from 'sluice/dialects'
import { yamlXml } from 'sluice/yaml'
import type { Major } from './majors.ts'

/** One call, and how a small model may write it. */
interface Slip {
  readonly what: string
  readonly text: string
  readonly call: WantedCall
  /** Another call in the same text. */
  readonly more?: WantedCall
}

interface WantedCall {
  readonly toolName: string
  readonly input: { readonly [key: string]: string | number | readonly string[] }
}

const PROPERTIES = {
  weather: { city: { type: 'string' }, days: { type: 'integer' } },
  tag: { tags: { type: 'array', items: { type: 'string' } } },
  write: { path: { type: 'string' }, content: { type: 'string' } },
  ping: {},
}

const TOOLS = Object.entries(PROPERTIES).map(([name, properties]) => ({
  name,
  inputSchema: { type: 'object', properties, required: Object.keys(properties) },
}))

const OSLO: WantedCall = { toolName: 'weather', input: { city: 'Oslo', days: 2 } }
const TAGS: WantedCall = { toolName: 'tag', input: { tags: ['a', 'b'] } }
const FILE: WantedCall = { toolName: 'write', input: { path: 'a.txt', content: 'Cost: $5' } }
const PING: WantedCall = { toolName: 'ping', input: {} }

const OSLO_JSON = '{"name": "weather", "arguments": {"city": "Oslo", "days": 2}}'

const PING_JSON = '{"name": "ping", "arguments": {}}'

/** Whatever the format is. */
const FENCED: Slip = {
  what: 'a call in a fence',
  call: OSLO,
  text: `\n\`\`\`json\n${OSLO_JSON}\n\`\`\``,
}

const SLIPS: readonly { readonly dialect: Dialect; readonly slips: readonly Slip[] }[] = [
  {
    dialect: hermes,
    slips: [
      {
        what: 'a number as text',
        call: OSLO,
        text: `<tool_call>${OSLO_JSON.replace('2', '"2"')}</tool_call>`,
      },
      { what: 'a brace too many', call: OSLO, text: `<tool_call>${OSLO_JSON}}</tool_call>` },
      { what: 'a brace too few', call: OSLO, text: `<tool_call>${OSLO_JSON.slice(0, -1)}</tool_call>` },
      { what: 'a list of calls', call: OSLO, text: `<tool_call>[${OSLO_JSON}]</tool_call>` },
      {
        what: 'two calls in a list',
        call: OSLO,
        more: PING,
        text: `<tool_call>[${OSLO_JSON}, ${PING_JSON}]</tool_call>`,
      },
      {
        what: 'two calls between the markers of one',
        call: OSLO,
        more: PING,
        text: `<tool_call>${OSLO_JSON}\n${PING_JSON}</tool_call>`,
      },
      FENCED,
      { what: 'a tag that closes itself', call: PING, text: '<tool_call name="ping"/>' },
      {
        what: 'the name as an attribute',
        call: OSLO,
        text: '<tool_call name="weather">{"city": "Oslo", "days": 2}</tool_call>',
      },
      { what: 'white space in the closer', call: OSLO, text: `<tool_call>${OSLO_JSON}</tool_call >` },
      {
        what: 'an invalid escape',
        call: FILE,
        text: '<tool_call>{"name": "write", "arguments": {"path": "a.txt", "content": "Cost: \\$5"}}</tool_call>',
      },
      {
        what: 'the name before the JSON',
        call: OSLO,
        text: '<tool_call>weather\n{"city": "Oslo", "days": 2}</tool_call>',
      },
      { what: 'the text of a call', call: OSLO, text: '<tool_call>weather(city="Oslo", days=2)</tool_call>' },
      {
        what: 'bare strings',
        call: OSLO,
        text: '<tool_call>{"name": "weather", "arguments": {"city": Oslo, "days": 2}}</tool_call>',
      },
      {
        what: 'a list as text',
        call: TAGS,
        text: '<tool_call>{"name": "tag", "arguments": {"tags": "[\\"a\\", \\"b\\"]"}}</tool_call>',
      },
      {
        what: 'an argument twice',
        call: OSLO,
        text: '<tool_call>{"name": "weather", "arguments": {"city": "Rom", "city": "Oslo", "days": 2}}</tool_call>',
      },
      { what: 'no end', call: OSLO, text: `<tool_call>${OSLO_JSON.slice(0, -9)}` },
    ],
  },
  {
    dialect: qwen3Coder,
    slips: [
      FENCED,
      {
        what: 'a list as repeated parameters',
        call: TAGS,
        text: '<tool_call>\n<function=tag>\n<parameter=tags>\na\n</parameter>\n<parameter=tags>\nb\n</parameter>\n</function>\n</tool_call>',
      },
      {
        what: 'names as attributes',
        call: OSLO,
        text: '<tool_call>\n<function name="weather">\n<parameter name="city">Oslo</parameter>\n<parameter name="days">2</parameter>\n</function>\n</tool_call>',
      },
      {
        what: 'another tag',
        call: OSLO,
        text: '<tool_call>\n<call=weather>\n<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n2\n</parameter>\n</call>\n</tool_call>',
      },
      {
        what: 'white space in closers',
        call: OSLO,
        text: '<tool_call>\n<function=weather>\n<parameter=city>\nOslo\n</parameter >\n<parameter=days>\n2\n</parameter >\n</function >\n</tool_call >',
      },
      { what: 'a tag that closes itself', call: PING, text: '<tool_call>\n<function=ping/>\n</tool_call>' },
      {
        what: 'a parameter that is not closed',
        call: OSLO,
        text: '<tool_call>\n<function=weather>\n<parameter=city>\nOslo\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>',
      },
      { what: 'no end', call: OSLO, text: '<tool_call>\n<function=weather>\n<parameter=city>\nOs' },
    ],
  },
  {
    dialect: morphXml,
    slips: [
      FENCED,
      { what: 'a list as repeated elements', call: TAGS, text: '<tag><tags>a</tags><tags>b</tags></tag>' },
      {
        what: 'white space in tags',
        call: OSLO,
        text: '<weather>\n<city >Oslo</city >\n<days>2</days >\n</weather >',
      },
      { what: 'a tag that closes itself', call: PING, text: '<ping/>' },
      { what: 'a text for elements', call: OSLO, text: '<weather>Oslo</weather>' },
      {
        what: 'an element that is not closed',
        call: OSLO,
        text: '<weather><city>Oslo<days>2</days></weather>',
      },
      {
        what: 'a string twice',
        call: OSLO,
        text: '<weather><city>Rom</city><city>Oslo</city><days>2</days></weather>',
      },
      { what: 'no end', call: OSLO, text: '<weather><city>Os' },
    ],
  },
  {
    dialect: yamlXml,
    slips: [
      FENCED,
      { what: 'a number as text', call: OSLO, text: '<weather>\ncity: Oslo\ndays: "2"\n</weather>' },
      {
        what: 'one value for a list',
        call: { toolName: 'tag', input: { tags: ['a'] } },
        text: '<tag>\ntags: a\n</tag>',
      },
      { what: 'white space in the closer', call: OSLO, text: '<weather>\ncity: Oslo\ndays: 2\n</weather >' },
      { what: 'a tag that closes itself', call: PING, text: '<ping/>' },
      { what: 'a bracket that is not closed', call: TAGS, text: '<tag>\ntags: [a, b\n</tag>' },
      { what: 'a key twice', call: OSLO, text: '<weather>\ncity: Rom\ncity: Oslo\ndays: 2\n</weather>' },
      { what: 'no end', call: OSLO, text: '<weather>\ncity: Os' },
    ],
  },
]

/** What an agent did, or did not. */
interface Agent {
  readonly name: string
  /** The calls of the tools that were wanted, and only those, each once and in their order. */
  readonly isRight: boolean
  readonly text: string
  /** How often the model was told of a mistake. */
  readonly told: number
}

export const AGENTS = SLIPS.flatMap(({ dialect, slips }) =>
  slips.map((slip, at) => ({ dialect, first: slip, second: slips[(at + 1) % slips.length]! })),
)

/** What went wrong in any of them, on either way of asking a model. */
export async function seeAgents(open: (dialect: Dialect) => Major): Promise<string[]> {
  const wrong: string[] = []
  for (const { dialect, first, second } of AGENTS)
    for (const isStreamed of [false, true]) {
      const agent = await runAgent(open(dialect), dialect, [first, second], isStreamed)
      if (!agent.isRight || agent.text !== 'Done.' || agent.told > 2)
        wrong.push(`${agent.name}: ${JSON.stringify(agent)}`)
    }
  return wrong
}

async function runAgent(
  major: Major,
  dialect: Dialect,
  [first, second]: readonly [Slip, Slip],
  isStreamed: boolean,
): Promise<Agent> {
  const callsOf = ({ call, more }: Slip): readonly WantedCall[] =>
    more === undefined ? [call] : [call, more]
  const well = (calls: readonly WantedCall[]): string =>
    `I go on. ${render(
      calls.map(({ toolName, input }) => ({ type: 'call', toolName, input: input as never })),
      { dialect, tools: TOOLS },
    )}`
  const steps = [
    { calls: [PING], text: well([PING]) },
    { calls: callsOf(first), text: `I try. ${first.text}` },
    { calls: [FILE], text: well([FILE]) },
    { calls: callsOf(second), text: `I try. ${second.text}` },
    { calls: [OSLO], text: well([OSLO]) },
  ]
  const ran: unknown[] = []
  const tools = Object.fromEntries(
    TOOLS.map(({ name, inputSchema }) => [
      name,
      major.tool({
        inputSchema: major.jsonSchema(inputSchema),
        execute: async (input: unknown) => {
          ran.push([name, input])
          return 'fine'
        },
      }),
    ]),
  )
  let next = 0
  let told = 0
  const { model } = major.model((prompt) => {
    const last = JSON.stringify((prompt as unknown[]).at(-1))
    const mistake = next > 0 && /Error: /.test(last)
    if (!mistake) return steps[next++]?.text ?? 'Done.'
    told++
    return well(steps[next - 1]!.calls)
  })
  const options = { model: major.wrap(model), tools, prompt: 'Go.', stopWhen: major.stepCountIs(12) }
  const text = isStreamed ? await major.streamText(options).text : (await major.generateText(options)).text
  const wanted = steps.flatMap(({ calls }) => calls.map(({ toolName, input }) => [toolName, input]))
  return {
    name: `${dialect.name}, ${first.what}, ${second.what}${isStreamed ? ', streamed' : ''}`,
    isRight: JSON.stringify(ran) === JSON.stringify(wanted),
    text,
    told,
  }
}
