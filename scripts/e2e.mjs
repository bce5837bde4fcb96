// Runs the end-to-end tests, after seeing to the programs they drive: one row of TOOLS for each.
//
// A test asks for its program by the row's variable: `describe.skipIf(!process.env.SLUICE_HAS_TMUX)`.
import { spawnSync } from 'node:child_process'

const TOOLS = [
  { command: 'tmux', debianPackage: 'tmux', variable: 'SLUICE_HAS_TMUX' },
  { command: 'espeak-ng', debianPackage: 'espeak-ng', variable: 'SLUICE_HAS_ESPEAK' },
]

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
