import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

const SENTENCES = [
  'Good morning, Dr. Lee.',
  'Let me look it up.',
  'It will rain 3.5 millimetres.',
  'Take an umbrella, e.g. the red one!',
  'Code in sh, 1 line.',
  'More is on the weather page.',
]

const isInstalled = Boolean(process.env.SLUICE_HAS_ESPEAK)
const directory = isInstalled ? mkdtempSync(join(tmpdir(), 'sluice-e2e-')) : ''
const inside = (name: string): string => join(directory, name)

/** How these lines sound, in the international phonetic alphabet. */
function sounds(lines: readonly string[]): string {
  return execFileSync('espeak-ng', ['-q', '--ipa'], { input: `${lines.join('\n')}\n`, encoding: 'utf8' })
}

/** How long a WAV file plays, in seconds. */
function duration(file: string): number {
  const wav = readFileSync(file)
  expect(wav.toString('latin1', 0, 4)).toBe('RIFF')
  expect(wav.toString('latin1', 8, 12)).toBe('WAVE')
  return (wav.length - 44) / wav.readUInt32LE(28)
}

describe.skipIf(!isInstalled)('a turn through a real voice', () => {
  beforeAll(async () => {
    await build({
      entryPoints: [join(root, 'examples/speech.ts')],
      outfile: inside('speech.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
      absWorkingDir: root,
    })
    // A voice that also writes down what it is given to say.
    const voice = execFileSync('sh', ['-c', 'command -v espeak-ng'], { encoding: 'utf8' }).trim()
    writeFileSync(
      inside('espeak-ng'),
      `#!/bin/sh\nif [ "$1" = -w ]; then tee -a '${inside('said.txt')}' | '${voice}' "$@"; else '${voice}' "$@"; fi\n`,
    )
    chmodSync(inside('espeak-ng'), 0o755)
    execFileSync(process.execPath, [inside('speech.mjs')], {
      env: { ...process.env, PATH: `${directory}:${process.env.PATH}`, SPEECH_FILE: inside('turn.wav') },
    })
  })

  afterAll(() => {
    rmSync(directory, { recursive: true, force: true })
  })

  it('says what is for people, sentence by sentence, and nothing else', () => {
    const said = readFileSync(inside('said.txt'), 'utf8').trimEnd().split('\n')
    expect(said).toEqual(SENTENCES)
    expect(sounds(said)).toBe(sounds(SENTENCES))
    // The number came in two pieces, and is one number.
    expect(sounds(said)).toContain('θɹˈiː pɔɪnt fˈaɪv mˈɪlɪmˌiːtəz')
  })

  it('plays as long as its sentences take', () => {
    execFileSync('espeak-ng', ['-w', inside('first.wav')], { input: `${SENTENCES[0]}\n` })
    execFileSync('espeak-ng', ['-w', inside('all.wav')], { input: `${SENTENCES.join('\n')}\n` })
    expect(duration(inside('first.wav'))).toBeGreaterThan(0.5)
    expect(duration(inside('turn.wav'))).toBeGreaterThan(4 * duration(inside('first.wav')))
    expect(duration(inside('turn.wav'))).toBeCloseTo(duration(inside('all.wav')), 1)
  })
})
