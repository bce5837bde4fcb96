import { createToolMiddlewareV3, type PartLike } from 'sluice/ai-sdk'
import { hermes } from 'sluice/dialects'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { collect, finish, request, streamOf } from './models.ts'

const CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'

let lines: string[] = []
beforeEach(() => {
  lines = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

async function run(...before: PartLike[]): Promise<void> {
  const { wrapStream } = createToolMiddlewareV3({ dialect: hermes, generateId: () => 'c' })
  const { stream } = await wrapStream({
    doStream: async () => ({
      stream: streamOf([
        ...before,
        { type: 'text-delta', id: '0', delta: `Go. ${CALL} Done.` } as PartLike,
        finish(),
      ]),
    }),
    doGenerate: async () => ({ content: [], finishReason: 'stop' }),
    params: request(),
  })
  await collect(stream)
}

describe('what is shown', () => {
  test('is nothing by default, nor when it is off', async () => {
    await run()
    vi.stubEnv('DEBUG_PARSER_MW', 'off')
    vi.stubEnv('SLUICE_DEBUG', 'parse')
    await run()
    expect(lines).toEqual([])
  })

  test.each(['DEBUG_PARSER_MW', 'SLUICE_DEBUG'])(
    'with %s=stream is each part in and out',
    async (variable) => {
      vi.stubEnv(variable, 'stream')
      await run()
      expect(lines[0]).toBe(
        `[sluice] in  ${JSON.stringify({ type: 'text-delta', id: '0', delta: `Go. ${CALL} Done.` })}`,
      )
      expect(lines[1]).toBe('[sluice] out {"type":"text-start","id":"sluice-text-1"}')
      expect(lines.at(-1)).toMatch(/^\[sluice\] out \{"type":"finish"/)
    },
  )

  test.each([
    ['bg', '30;43'],
    ['inverse', '7'],
    ['underline', '4'],
    ['bold', '1'],
    [undefined, '30;43'],
    ['glitter', '30;43'],
  ])('with parse and the style %s is also a summary', async (style, code) => {
    vi.stubEnv('DEBUG_PARSER_MW', 'parse')
    if (style !== undefined) vi.stubEnv('DEBUG_PARSER_MW_STYLE', style)
    await run()
    expect(lines.slice(-2)).toEqual([
      `[sluice] text Go. \x1b[${code}m${CALL}\x1b[0m Done.`,
      '[sluice] call get_weather {"city": "Paris"}',
    ])
  })

  test('is as much as can be written of anything', async () => {
    vi.stubEnv('DEBUG_PARSER_MW', 'stream')
    const circle: { type: string; self?: unknown } = { type: 'raw' }
    circle.self = circle
    await run({ type: 'error', error: new TypeError('gone') } as PartLike, circle)
    expect(lines.filter((line) => line.startsWith('[sluice] in')).slice(0, 2)).toEqual([
      '[sluice] in  {"type":"error","error":"TypeError: gone"}',
      '[sluice] in  {"type":"raw"}',
    ])
  })

  test('is also the call that had to be made', async () => {
    vi.stubEnv('SLUICE_DEBUG', 'parse')
    const text = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    const { wrapGenerate } = createToolMiddlewareV3({ dialect: hermes, generateId: () => 'c' })
    await wrapGenerate({
      doGenerate: async () => ({ content: [{ type: 'text', text }], finishReason: 'stop' }),
      params: request({ toolChoice: { type: 'required' } }),
    })
    expect(lines.slice(-2)).toEqual([`[sluice] text ${text}`, '[sluice] call get_weather {"city": "Paris"}'])
  })

  test.each([
    ['no tool may be called', {}, { toolChoice: { type: 'none' } as const }, CALL],
    ['it is code', { protectCode: true }, {}, `\`\`\`\n${CALL}\n\`\`\``],
  ])('is no call where %s', async (_, parser, options, text) => {
    vi.stubEnv('SLUICE_DEBUG', 'parse')
    const { wrapGenerate } = createToolMiddlewareV3({ dialect: hermes, parser })
    await wrapGenerate({
      doGenerate: async () => ({ content: [{ type: 'text', text }], finishReason: 'stop' }),
      params: request(options),
    })
    expect(lines.at(-1)).toBe(`[sluice] text ${text}`)
  })

  test('is the same for a whole response', async () => {
    vi.stubEnv('SLUICE_DEBUG', 'parse')
    const { wrapGenerate } = createToolMiddlewareV3({ dialect: hermes, generateId: () => 'c' })
    await wrapGenerate({
      doGenerate: async () => ({ content: [{ type: 'text', text: CALL }], finishReason: 'stop' }),
      params: request(),
    })
    expect(lines[0]).toBe(`[sluice] in  ${JSON.stringify({ type: 'text', text: CALL })}`)
    expect(lines.slice(-2)).toEqual([
      `[sluice] text \x1b[30;43m${CALL}\x1b[0m`,
      '[sluice] call get_weather {"city": "Paris"}',
    ])
  })
})
