import { describe, expect, it } from 'vitest'
import { sluice } from './harness.ts'

describe('sluice dialects', () => {
  it('shows a call in each dialect', async () => {
    const { code, stdout } = await sluice(['dialects'])
    expect(code).toBe(0)
    expect(stdout).toContain(`
    <tool_call>
    <function=get_weather>
    <parameter=city>
    Paris
    </parameter>
    </function>
    </tool_call>
`)
  })

  it('gives the list as JSON, with an example for everyone', async () => {
    const list: { name: string; aliases: string[]; example: string }[] = JSON.parse(
      (await sluice(['dialects', '--json'])).stdout,
    )
    expect(list.find(({ name }) => name === 'qwen3-coder')?.aliases).toContain('qwen3_xml')
    expect(list.map(({ name }) => name)).toContain('hermes')
    expect(list.filter(({ example }) => example === '')).toEqual([])
  })
})
