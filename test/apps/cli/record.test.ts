import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SecretFilter } from '../../../src/apps/cli/request.ts'
import { parseRecording } from '../../../src/runs/recording/index.ts'
import { fileWith, serve, sluice } from './harness.ts'

const KEY = 'sk-ant-0123456789abcdef'

describe('sluice record', () => {
  it('saves what a URL answers with its timing, and no key', async () => {
    const url = await serve(async (_request, response) => {
      response.writeHead(200, { 'set-cookie': 'session=1234', 'x-model': 'm' })
      response.write(`data: {"choices":[{"delta":{"content":"Your key is ${KEY.slice(0, 9)}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
      response.end(`${KEY.slice(9)}."},"finish_reason":"stop"}]}\n\n`)
    })
    const output = fileWith('')
    const argv = ['record', '--output', output, '--provider', 'openai-chat', '--note', 'n', '--url']
    const headers = ['--header', `Authorization: Bearer ${KEY}`, '--header', 'accept: */*']
    const { code, stderr } = await sluice([
      ...argv,
      `${url}/v1?api_key=${KEY}&x=1`,
      ...headers,
      '--body',
      '{}',
    ])
    expect(stderr).toMatch(/^Recorded \d chunks?, \d+ bytes in [\d.]+ s to /)
    expect(code).toBe(0)
    const text = readFileSync(output, 'utf8')
    expect(text).not.toContain('0123456789')
    expect(text).not.toContain('1234')
    const { kind, header, chunks, end } = parseRecording(text)
    expect([kind, header.provider, header.note, end?.reason]).toEqual([
      'bytes',
      'openai-chat',
      'n',
      'finished',
    ])
    expect(header.request).toEqual({
      url: `${url}/v1?api_key=[redacted]&x=1`,
      headers: { accept: '*/*', authorization: '[redacted]' },
    })
    expect(header.response).toMatchObject({
      status: 200,
      headers: { 'set-cookie': '[redacted]', 'x-model': 'm' },
    })
    expect(chunks.length).toBeGreaterThan(0)
    expect((await sluice(['play', '--speed', '0', output])).stdout).toBe('Your key is [redacted].\n')
  })

  it('saves what a command writes, and how it ended', async () => {
    const program = "process.stdout.write('Hi.'); process.exitCode = 3"
    const command = [process.execPath, '-e', program, '--', '--api-key', KEY, `TOKEN=${KEY}`, '-u', 'me:word']
    const { code, stdout, stderr } = await sluice(['record', '--dialect', 'hermes,glm', '--', ...command])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'sluice record: The stream failed, and is recorded up to there: The command ended with 3.\n',
    })
    const { header, chunks, end } = parseRecording(stdout)
    expect(header.dialect).toEqual(['hermes', 'glm'])
    expect(header.command).toEqual([
      process.execPath,
      '-e',
      program,
      '--',
      '--api-key',
      '[redacted]',
      'TOKEN=[redacted]',
      '-u',
      '[redacted]',
    ])
    expect(chunks.map(({ chunk }) => new TextDecoder().decode(chunk as Uint8Array))).toEqual(['Hi.'])
    expect(end).toMatchObject({ reason: 'failed', error: 'The command ended with 3.' })
  })

  it('saves stdin, and when what came', async () => {
    let time = 0
    const clock = { now: () => time, wait: async () => {} }
    async function* stdin(): AsyncGenerator<string> {
      yield 'a'
      time = 250
      yield 'b'
      time = 300
    }
    const { code, stdout } = await sluice(['record'], { stdin, clock })
    expect(code).toBe(0)
    expect(stdout).toBe(
      '{"sluice-recording":1,"kind":"bytes"}\n[0,"a"]\n[250,"b"]\n[300,{"end":"finished"}]\n',
    )
  })

  it.each([
    [['--url', 'ftp://x'], "'--url' is an address that begins with http:// or https://, not 'ftp://x'"],
    [['--url', 'http://x', '--', 'ls'], "'--url' and a command cannot be used together"],
    [['--'], "Write the command to run after '--'"],
    [['--body', 'x'], "'--header' and '--body' are for '--url'"],
    [
      ['--url', 'http://x', '--header', 'x'],
      "'--header' is a name, a colon and a value, such as 'x-api-key: …'",
    ],
  ])('says what is wrong with %j', async (args, problem) => {
    expect(await sluice(['record', ...args])).toEqual({
      code: 2,
      stdout: '',
      stderr: `sluice record: ${problem} (see 'sluice help record').\n`,
    })
  })

  it('keeps what came up to Ctrl-C, which is no failure', async () => {
    let interrupt = (): void => {}
    const url = await serve((_request, response) => {
      response.write('data: 1')
      setTimeout(() => interrupt(), 50)
    })
    const on = (_signal: string, listener: () => void): void => {
      interrupt = listener
    }
    const { code, stdout, stderr } = await sluice(['record', '--url', url], { on })
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' })
    expect(stdout).toMatch(/,"data: 1"\]\n\[[\d.]+,\{"end":"interrupted"\}\]\n$/)
  })

  it('says that a file cannot be written, and runs nothing', async () => {
    const { code, stderr } = await sluice(['record', '--output', '/nowhere/x'], { stdin: 'a' })
    expect(code).toBe(1)
    expect(stderr).toContain('/nowhere/x cannot be written')
    expect(existsSync('/nowhere/x')).toBe(false)
  })
})

describe('a filter of secrets', () => {
  it('finds them however the bytes are cut', () => {
    const text = 'a secret-é secret-secret-é, secre'
    const bytes = new TextEncoder().encode(text)
    for (let at = 0; at <= bytes.length; at++) {
      const filter = new SecretFilter(['secret-é'])
      const parts = [filter.push(bytes.subarray(0, at)), filter.push(bytes.subarray(at)), filter.end()]
      expect(Buffer.concat(parts).toString()).toBe('a [redacted] secret-[redacted], secre')
    }
  })
})
