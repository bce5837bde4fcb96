// Runs every check, shows the output of those that fail, and lists all failures at the end.
//
//   npm run check              all of them
//   npm run check -- style     only those named
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const program = (/** @type {string} */ name) => `checks/node_modules/.bin/${name}`

/** @typedef {{ name: string, what: string, commands: string[][], help?: string }} Check */

/** @type {readonly Check[]} */
const CHECKS = [
  {
    name: 'types',
    what: 'the types of sources, tests, examples and scripts',
    commands: ['core', 'web', ''].map((part) => [
      'node_modules/.bin/tsc',
      '-p',
      part === '' ? 'tsconfig.json' : `tsconfig.${part}.json`,
    ]),
  },
  {
    name: 'style',
    what: 'formatting, lint and the order of imports',
    commands: [[program('biome'), 'check', '--error-on-warnings']],
    help: '`npm run fix` puts most of this right.',
  },
  {
    name: 'api',
    what: 'that every exported function and class has a doc comment',
    commands: [['node', 'scripts/api.mjs', '--check']],
  },
  {
    name: 'imports',
    what: 'the direction of imports',
    commands: [['node', 'scripts/check-imports.mjs']],
  },
  {
    name: 'unused',
    what: 'files, exports and dependencies that nothing uses',
    commands: [[program('knip'), '--tsConfig', 'tsconfig.build.json']],
  },
  {
    name: 'size',
    what: 'what a page would load, and the table in docs/sizes.md',
    commands: [['node', 'scripts/sizes.mjs', '--check']],
    help: '`node scripts/sizes.mjs` writes the table again; a limit is raised by what a feature costs.',
  },
  {
    name: 'lock-files',
    what: 'that every platform can install',
    commands: [['node', 'scripts/check-lock-files.mjs']],
    help: 'Pin or override a version whose binaries are all in the registry, and run `npm install` again.',
  },
  {
    name: 'package',
    what: 'the shape of the published package',
    commands: [
      ['node', 'scripts/build.mjs'],
      [program('publint'), '--strict'],
      [program('attw'), '--pack', '.', '--profile', 'esm-only', '--format', 'table-flipped'],
    ],
  },
]

/** @param {string[]} command @returns {Promise<{ code: number, output: string }>} */
function run([name = '', ...args]) {
  return new Promise((resolve) => {
    const child = spawn(name, args, { cwd: root, shell: process.platform === 'win32' })
    let output = ''
    child.stdout.on('data', (data) => (output += data))
    child.stderr.on('data', (data) => (output += data))
    child.on('error', (error) => resolve({ code: 1, output: `${output}${error.message}\n` }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !CHECKS.some((check) => check.name === name))
if (unknown.length > 0) {
  console.error(
    `There is no check ${unknown.join(', ')}; there are ${CHECKS.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}

/** @type {Check[]} */
const failed = []
for (const check of CHECKS) {
  if (names.length > 0 && !names.includes(check.name)) continue
  const start = Date.now()
  const results = []
  for (const command of check.commands) results.push(await run(command))
  const isGood = results.every(({ code }) => code === 0)
  const seconds = Math.round((Date.now() - start) / 1000)
  console.log(`${isGood ? '✓' : '✗'} ${check.name.padEnd(10)} ${check.what} (${seconds} s)`)
  if (isGood) continue
  failed.push(check)
  for (const { code, output } of results) if (code !== 0) console.log(output.trimEnd())
}

if (failed.length > 0) {
  console.error(`\n${failed.length} of the checks failed:`)
  for (const { name, what, help } of failed) console.error(`  ${name}: ${what}.${help ? ` ${help}` : ''}`)
  process.exitCode = 1
}
