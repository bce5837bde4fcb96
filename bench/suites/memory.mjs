import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Each measurement has a process of its own, so that nothing else is on its heap. */
const child = fileURLToPath(new URL('../memory-of.mjs', import.meta.url))
const bytesOf = (what) =>
  new Promise((resolve, reject) => {
    const process = fork(child, [what], { execArgv: ['--expose-gc'] })
    process.on('message', resolve)
    process.on('exit', (code) => code !== 0 && reject(new Error(`measuring ${what} failed`)))
  })

const row = (work, what, target, unit) => ({
  work,
  target: `≤ ${target} ${unit}`,
  async run() {
    const bytes = await bytesOf(what)
    const amount = unit === 'bytes' ? Math.round(bytes) : bytes / 2 ** 20
    return { shown: `${unit === 'bytes' ? amount : amount.toFixed(1)} ${unit}`, met: amount <= target }
  },
})

export const suite = {
  title: 'Memory',
  about:
    'Per parser, of 10,000 that share a dialect; and what a call of 5 MB that never closes adds to the heap.',
  rows: [
    row('an idle parser', 'idle', 500, 'bytes'),
    row('holding an open call of 1 KB, hermes', 'holding', 1536, 'bytes'),
    row('holding an open call of 1 KB, hermes, with value', 'holding-value', 3072, 'bytes'),
    row('holding an open call of 1 KB, qwen3-coder', 'holding-xml', 1536, 'bytes'),
    row('holding an open call of 1 KB, qwen3-coder, with value', 'holding-xml-value', 3072, 'bytes'),
    row('a 5 MB call that never closes, nothing kept', 'endless', 1, 'MB'),
    row('a 5 MB call that never closes, hermes, with value', 'endless-value', 6, 'MB'),
    row('a 5 MB call that never closes, qwen3-coder, with value', 'endless-xml-value', 6, 'MB'),
  ],
}
