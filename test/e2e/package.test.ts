/** The package as its users get it: packed, installed in a folder of its own, and used from there. */

import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import ts from 'typescript'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPage } from './browser.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const place = mkdtempSync(join(tmpdir(), 'sluice-package-'))
const inPlace = (name: string): string => join(place, name)

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
  readonly peerDependencies: Readonly<Record<string, string>>
}
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
const ENTRIES = Object.keys(manifest.exports)
  .filter((subpath) => subpath !== './package.json')
  .map((subpath) => posix.join('sluice', subpath))

let packed: {
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

const npm = (...args: string[]): string =>
  execFileSync('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'], {
    cwd: args[0] === 'pack' ? root : place,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })

/** The first line that the gateway writes; it is stopped then. */
async function startedGateway(): Promise<string> {
  const gateway = spawn(
    process.execPath,
    ['node_modules/.bin/sluice', 'serve', '--port', '0', '--log', 'none'],
    {
      cwd: place,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  try {
    for await (const line of gateway.stdout) return String(line)
    return ''
  } finally {
    gateway.kill()
  }
}
let served: string

beforeAll(async () => {
  // What was built before the tests is packed.
  ;[packed] = JSON.parse(npm('pack', '--json', '--pack-destination', place)) as [typeof packed]
  writeFileSync(inPlace('package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }))
  npm('install', '--prefer-offline', `./${packed.filename}`)
  served = await startedGateway()
  // What its users install beside it, where they need it.
  for (const name of [...Object.keys(manifest.peerDependencies), '@types/node', 'undici-types']) {
    const [from, to] = [join(root, 'node_modules', name), inPlace(`node_modules/${name}`)]
    mkdirSync(dirname(to), { recursive: true })
    symlinkSync(from, to)
  }
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

test('holds what users need, and is small', () => {
  const tops = new Set(packed.files.map(({ path }) => path.split('/')[0]))
  expect([...tops].sort()).toEqual([
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bench',
    'dist',
    'docs',
    'examples',
    'package.json',
  ])
  expect(packed.files.filter(({ path }) => /\.(test|growth)\.|fixtures|\.map$/.test(path))).toEqual([])
  expect(packed.size).toBeLessThan(1_600_000)
})

test('the gateway starts with nothing installed beside it', () => {
  expect(served).toMatch(/^sluice serve: http:\/\/127\.0\.0\.1:\d+\n$/)
})

test('every entry is imported, and exports something', () => {
  const program = `for (const entry of ${JSON.stringify(ENTRIES)}) console.log(entry, Object.keys(await import(entry)).length > 0)`
  writeFileSync(inPlace('entries.mjs'), program)
  const said = execFileSync(process.execPath, ['entries.mjs'], { cwd: place, encoding: 'utf8' })
  expect(said.trim().split('\n')).toEqual(ENTRIES.map((entry) => `${entry} true`))
})

/** A program that imports every entry and uses some types. */
const TYPED = `
${ENTRIES.map((entry, index) => `import * as entry${index} from '${entry}'`).join('\n')}
import { parse, prepareCall, type SluiceEvent, sluice } from 'sluice'
import { hermes } from 'sluice/dialects'
export const entries = [${ENTRIES.map((_, index) => `entry${index}`).join(', ')}]
export const text: string = parse('Hello', { dialect: hermes }).text
export async function* texts(source: ReadableStream<string>): AsyncGenerator<string> {
  for await (const event of sluice(source, { dialect: hermes })) {
    const one: SluiceEvent = event
    if (one.type === 'text-delta') yield one.delta
    if (one.type !== 'tool-call') continue
    const prepared = await prepareCall(one, [])
    yield prepared.ok ? 'may run' : prepared.message
  }
}
// @ts-expect-error There is no such option, and the types of the package say so.
parse('Hello', { dialekt: hermes })
`

test.each([
  ['node16', { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 }],
  ['bundler', { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }],
])('its types are found and hold with moduleResolution %s', (_, how) => {
  writeFileSync(inPlace('typed.ts'), TYPED)
  const program = ts.createProgram([inPlace('typed.ts')], {
    ...how,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.asynciterable.d.ts'],
    strict: true,
    noEmit: true,
    types: [],
    skipLibCheck: false,
  })
  const found = ts.getPreEmitDiagnostics(program)
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
})

describe('every example that is one file runs', () => {
  const names = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'))

  test('from the installed package', () => {
    cpSync(join(root, 'examples'), inPlace('examples'), { recursive: true })
    for (const name of names) {
      const { code } = transformSync(readFileSync(inPlace(`examples/${name}`), 'utf8'), {
        loader: 'ts',
        target: 'node20',
      })
      writeFileSync(inPlace(`examples/${name}.mjs`), code)
    }
    const programs = names.map((name) => `await import('./examples/${name}.mjs'); console.log('ran ${name}')`)
    writeFileSync(inPlace('examples.mjs'), programs.join('\n'))
    const said = execFileSync(process.execPath, ['examples.mjs'], { cwd: place, encoding: 'utf8' })
    expect(said.match(/^ran .*$/gm)).toEqual(names.map((name) => `ran ${name}`))
  })
})

const PAGE = '<!doctype html><p id="said"></p><script type="module" src="/page.js"></script>'
const PAGE_PROGRAM = `
const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
worker.onmessage = ({ data }) => { document.querySelector('#said').textContent = data }
worker.postMessage(['Let me look.<tool_ca', 'll>{"name": "read", "arguments": {"path": "a.ts"}}</tool_call>'])
`
const WORKER = `
import { sluice } from 'sluice'
import { hermes } from 'sluice/dialects'
onmessage = async ({ data }) => {
  const said = []
  for await (const event of sluice(data, { dialect: hermes }))
    if (event.type === 'text-delta') said.push(event.delta)
    else if (event.type === 'tool-call') said.push(event.toolName + ' ' + JSON.stringify(event.input) + ' ' + event.status)
  postMessage(said.join(' | '))
}
`

describe('built by Vite', () => {
  const site = inPlace('site')
  beforeAll(async () => {
    mkdirSync(site)
    writeFileSync(join(site, 'index.html'), PAGE)
    writeFileSync(join(site, 'page.js'), PAGE_PROGRAM)
    writeFileSync(join(site, 'worker.js'), WORKER)
    await build({ root: site, logLevel: 'silent', configFile: false, worker: { format: 'es' } })
  })

  test('a page that uses one dialect does not load all of them', () => {
    const assets = readdirSync(join(site, 'dist/assets'))
    const worker = assets.find((name) => name.startsWith('worker'))!
    expect(statSync(join(site, 'dist/assets', worker)).size).toBeLessThan(250_000)
  })

  test.skipIf(!process.env.SLUICE_HAS_CHROMIUM)('a worker of it parses in a browser', async () => {
    const server = createServer((request, response) => {
      const file = join(site, 'dist', request.url === '/' ? 'index.html' : request.url!)
      const type = file.endsWith('.js') ? 'text/javascript' : 'text/html'
      if (existsSync(file)) response.writeHead(200, { 'content-type': type }).end(readFileSync(file))
      else response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const page = await openPage(server)
    await page.locator('#said', { hasText: 'complete' }).waitFor()
    expect(await page.locator('#said').textContent()).toBe('Let me look. | read {"path":"a.ts"} complete')
  })
})
