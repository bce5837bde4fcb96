import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { EXPECTED_OF_FAILED } from './failed-calls.ts'
import { EXPECTED } from './majors.ts'
import { EXPECTED_OF_REPAIRS } from './repairs.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const node = process.env.SLUICE_NODE_22 ?? ''

describe.skipIf(node === '')('the newest major of the AI SDK, on a Node that it runs on', () => {
  it('does with models and calls that fail what every other major does', async () => {
    const program = `${root}test/e2e/node_modules/.cache/newest-major.mjs`
    await build({
      entryPoints: [`${root}test/e2e/ai-sdk/newest-major.ts`],
      outfile: program,
      bundle: true,
      format: 'esm',
      platform: 'node',
      // The package as it is published; the AI SDK as it is installed.
      alias: {
        sluice: `${root}dist/index.js`,
        'sluice/yaml': `${root}dist/dialects/yaml/index.js`,
        'sluice/ai-sdk': `${root}dist/views/ai-sdk/index.js`,
        'sluice/dialects': `${root}dist/dialects/index.js`,
      },
      tsconfigRaw: {},
      external: ['ai7', 'ai7/test', 'yaml'],
    })
    const written = execFileSync(node, [program], { encoding: 'utf8' })
    expect(JSON.parse(written)).toEqual([
      ...[EXPECTED, EXPECTED_OF_FAILED, EXPECTED_OF_REPAIRS, true],
      ...[EXPECTED, EXPECTED_OF_FAILED, EXPECTED_OF_REPAIRS, true],
      // What went wrong in agents whose every second call has a slip.
      [],
    ])
  })
})
