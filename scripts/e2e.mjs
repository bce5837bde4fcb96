// Runs the end-to-end tests, after seeing to the programs they drive: one row of TOOLS for each.
//
// A test asks for its program by the row's variable: `describe.skipIf(!process.env.SLUICE_HAS_TMUX)`.
//
// A newer Node comes from npm, for what does not run on the oldest one we support: one row of NODES for each. A test
// asks for it in the same way, and the variable holds the path of the program.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TOOLS = [
  { command: 'tmux', debianPackage: 'tmux', variable: 'SLUICE_HAS_TMUX' },
  { command: 'zsh', debianPackage: 'zsh', variable: 'SLUICE_HAS_ZSH' },
  { command: 'fish', debianPackage: 'fish', variable: 'SLUICE_HAS_FISH' },
  { command: 'chromium', debianPackage: 'chromium', variable: 'SLUICE_HAS_CHROMIUM' },
  { command: 'espeak-ng', debianPackage: 'espeak-ng', variable: 'SLUICE_HAS_ESPEAK' },
  { command: 'redis-server', debianPackage: 'redis-server', variable: 'SLUICE_HAS_REDIS' },
  { command: 'nats-server', debianPackage: 'nats-server', variable: 'SLUICE_HAS_NATS' },
]

/** Other runtimes and engines, which npm has installed where it has them for this platform; the variable holds the path. */
const RUNTIMES = [
  { name: 'Deno', program: '@deno/linux-x64-glibc/deno', variable: 'SLUICE_DENO' },
  { name: 'workerd', program: '@cloudflare/workerd-linux-64/bin/workerd', variable: 'SLUICE_WORKERD' },
  {
    name: "llama.cpp's binding for Node",
    program: '@node-llama-cpp/linux-x64/bins/linux-x64/llama-addon.node',
    variable: 'SLUICE_LLAMA',
  },
]

const NODES = [{ major: 22, version: '22.23.3', variable: 'SLUICE_NODE_22' }]

/** @param {string} command @param {string[]} args */
const succeeds = (command, args) =>
  spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0

/** @param {string} command */
const isInstalled = (command) => succeeds('sh', ['-c', `command -v ${command}`])

const missingTools = () => TOOLS.filter((tool) => !isInstalled(tool.command))

function installMissing() {
  const packages = missingTools().map((tool) => tool.debianPackage)
  const canInstall = process.getuid?.() === 0 && isInstalled('apt-get')
  if (packages.length === 0 || !canInstall) return
  console.log(`Installing ${packages.join(', ')} (apt-get)`)
  succeeds('apt-get', ['update', '-q'])
  for (const name of packages) succeeds('apt-get', ['install', '-q', '-y', '--no-install-recommends', name])
}

installMissing()

const missing = missingTools()
if (missing.length > 0) {
  const names = missing.map((tool) => tool.command).join(', ')
  if (process.env.CI === 'true') {
    console.error(`${names}: not installed and could not be; the end-to-end tests need it.`)
    process.exit(1)
  }
  console.log(`Skipping the end-to-end tests that need ${names}: not installed.`)
}

/** The packages that carry Node are named after the platform, with two exceptions. */
function nodePackage() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `${platform}-${process.arch}`
  return name === 'darwin-arm64' ? `node-bin-${name}` : `node-${name}`
}

/** The path of such a Node, fetched if there is none; nothing where it cannot be had. @param {(typeof NODES)[0]} node */
function pathOf(node) {
  if (Number.parseInt(process.versions.node, 10) >= node.major) return process.execPath
  const folder = fileURLToPath(new URL(`../node_modules/.cache/node-${node.version}`, import.meta.url))
  const path = join(
    folder,
    'node_modules',
    nodePackage(),
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
  if (!existsSync(path) && process.env.CI === 'true') {
    console.log(`Fetching Node ${node.version} (npm)`)
    spawnSync(
      'npm',
      [
        'install',
        '--no-save',
        '--no-audit',
        '--no-fund',
        '--prefix',
        folder,
        `${nodePackage()}@${node.version}`,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' },
    )
  }
  return existsSync(path) ? path : ''
}

for (const node of NODES) {
  const path = pathOf(node)
  process.env[node.variable] = path
  if (path !== '') continue
  if (process.env.CI === 'true') {
    console.error(`Node ${node.major}: not there and could not be fetched; the end-to-end tests need it.`)
    process.exit(1)
  }
  console.log(`Skipping the end-to-end tests that need Node ${node.major}: it is fetched only in CI.`)
}

for (const { name, program, variable } of RUNTIMES) {
  const path = fileURLToPath(new URL(`../test/e2e/node_modules/${program}`, import.meta.url))
  process.env[variable] = existsSync(path) ? path : ''
  if (existsSync(path)) continue
  if (process.env.CI === 'true' && process.platform === 'linux' && process.arch === 'x64') {
    console.error(`${name}: not installed; the end-to-end tests need it.`)
    process.exit(1)
  }
  console.log(`Skipping the end-to-end tests that need ${name}: not installed.`)
}

for (const tool of TOOLS) process.env[tool.variable] = missing.includes(tool) ? '' : '1'
const { status } = spawnSync(
  'vitest',
  ['run', '--config', 'vitest.e2e.config.ts', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  },
)
process.exit(status ?? 1)
