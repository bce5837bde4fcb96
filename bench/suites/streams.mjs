import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { hermes } from '../../dist/dialects/index.js'
import { SluiceStream } from '../../dist/index.js'
import { measureAsync, median } from '../measure.mjs'
import { cut, prose } from '../workloads.mjs'

async function pass(chunks, transform) {
  const reader = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
    .pipeThrough(transform)
    .getReader()
  while (!(await reader.read()).done);
}

const COMMAND = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const STARTS = 20

/** Milliseconds from the start of Node with these arguments to its end. */
function timeOfNode(args) {
  const start = performance.now()
  const { status } = spawnSync(process.execPath, args, { input: 'Hello.' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`)
  return performance.now() - start
}

export const suite = {
  title: 'Shells and size',
  rows: [
    {
      work: 'TransformStream shell',
      target: '≤ 1.2× an identity TransformStream',
      async run() {
        const chunks = cut(prose(2 ** 15), 4)
        const jobs = {
          identity: () => pass(chunks, new TransformStream()),
          Sluice: () => pass(chunks, new SluiceStream({ dialect: hermes })),
        }
        const times = await measureAsync(jobs, 25)
        const ratio = times.Sluice / times.identity
        return { shown: `${ratio.toFixed(2)}×`, met: ratio <= 1.2 }
      },
    },
    {
      work: 'start of `sluice parse`',
      target: '≤ 1.9× bare Node',
      run() {
        const bare = []
        const parse = []
        for (let start = 0; start < STARTS; start++) {
          bare.push(timeOfNode(['-e', '0']))
          parse.push(timeOfNode([COMMAND, 'parse', '--dialect', 'hermes']))
        }
        const ratio = median(parse) / median(bare)
        return { shown: `${ratio.toFixed(2)}×, ${median(parse).toFixed(0)} ms`, met: ratio <= 1.9 }
      },
    },
    {
      work: 'core with one dialect, minified and gzipped',
      target: '≤ 25 KB',
      async run() {
        const { outputFiles } = await build({
          stdin: {
            contents: `export { createParser } from './dist/index.js'; export { hermes } from './dist/dialects/hermes.js'`,
            resolveDir: new URL('../..', import.meta.url).pathname,
          },
          bundle: true,
          minify: true,
          format: 'esm',
          write: false,
        })
        const size = gzipSync(outputFiles[0].contents, { level: 9 }).length / 1024
        return { shown: `${size.toFixed(1)} KB`, met: size <= 25 }
      },
    },
  ],
}
