// @reads src/
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import type * as providers from '../../src/providers/named-providers.ts'
import * as writers from '../../src/providers/named-writers.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The files of src/ of which something is in the bundle of a program, and the packages that it imports. */
async function bundled(code: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: code, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
    metafile: true,
    packages: 'external',
    absWorkingDir: root,
  })
  const [output] = Object.values(metafile.outputs)
  return [
    ...Object.entries(output!.inputs).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [file] : [],
    ),
    ...output!.imports.map(({ path }) => path),
  ]
}

/** The files of protocols, each as `folder/file`. */
const protocols = (files: readonly string[]): string[] =>
  files
    .flatMap((file) => /^src\/providers\/(.+\/.+)\.ts$/.exec(file)?.[1] ?? [])
    .filter((file) => !/^framing\/(?!aws)/.test(file))

const FOLDERS: Readonly<Record<keyof typeof providers, readonly string[]>> = {
  agUi: ['ag-ui/read'],
  // Its parts are those of the user interface, and some more.
  aiSdk: ['ai-sdk-ui/read', 'ai-sdk/read'],
  aiSdkUi: ['ai-sdk-ui/read'],
  anthropic: ['anthropic/read'],
  bedrock: ['bedrock/read', 'framing/aws-frame', 'framing/aws-framing'],
  claudeCode: ['anthropic/read', 'claude-code/read'],
  codex: ['codex/read'],
  cohere: ['cohere/read'],
  gemini: ['gemini-interactions/read', 'gemini/patches', 'gemini/read'],
  langchain: ['langchain/read'],
  ollama: ['ollama/read'],
  openaiChat: ['openai-chat/client-chunk', 'openai-chat/read', 'openai-chat/reasoning-fields'],
  openaiResponses: [
    ...['openai-responses/item-types', 'openai-responses/kept-fields'],
    ...['openai-responses/read', 'openai-responses/read-item'],
  ],
}

describe('a bundle that reads', () => {
  test.each(Object.entries(FOLDERS))('%s holds no other provider, and no writer', async (name, files) => {
    const found = await bundled(`export { ${name}, readProvider } from './src/providers/index.ts'`)
    expect(protocols(found).sort()).toEqual(files)
    expect(found).not.toContain('src/providers/write-provider.ts')
  })

  test('any provider holds no writer', async () => {
    const found = await bundled(
      "export { anyProvider } from './src/providers/any.ts'; export { readProvider } from './src/providers/index.ts'",
    )
    expect(found.filter((file) => /write/.test(file))).toEqual([])
    expect(new Set(protocols(found))).toEqual(new Set(Object.values(FOLDERS).flat()))
  })
})

test.each(Object.entries(writers))(
  'a bundle with %s holds no other writer, and no reader',
  async (name, { name: folder }) => {
    const found = await bundled(`export { ${name}, writeProvider } from './src/providers/index.ts'`)
    for (const file of protocols(found))
      expect(file).toMatch(new RegExp(`^${folder}/(write|kept-fields|item-types|reasoning-fields)`))
    expect(found).not.toContain('src/providers/provider-parser.ts')
  },
)
