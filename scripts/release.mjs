// Does everything for a release but publish it: checks, tests, packs, and says what is left to do.
//
//   npm run release -- 0.2.0            the version to release; CHANGELOG.md must have it, or have news under Unreleased
//   npm run release -- 0.2.0 --dry      says what it would do, and what is in the way
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [version = ''] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isDry = process.argv.includes('--dry')

/** @param {string[]} command */
function output([name = '', ...args]) {
  const { stdout } = spawnSync(name, args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  return stdout.trim()
}

/** @param {string[]} command */
function run([name = '', ...args]) {
  console.log(`\n== ${[name, ...args].join(' ')}`)
  const { status } = spawnSync(name, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  console.error(`${name} failed: nothing was released.`)
  process.exit(status ?? 1)
}

/** Whether a version is newer than another. @param {string} one @param {string} other */
function isNewer(one, other) {
  const [a = [], b = []] = [one, other].map((text) => text.split('.').map(Number))
  const at = a.findIndex((number, index) => number !== b[index])
  return at !== -1 && /** @type {number} */ (a[at]) > /** @type {number} */ (b[at])
}

const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const changelog = readFileSync(`${root}CHANGELOG.md`, 'utf8')
const news = /^## Unreleased\n([\s\S]*?)(?=^## )/m.exec(changelog)?.[1]?.trim() ?? ''
const isNamed = changelog.includes(`\n## ${version} `)
const isTagged = output(['git', 'tag', '--list', `v${version}`]) !== ''

/** What is in the way. */
const problems = [
  ...(/^\d+\.\d+\.\d+$/.test(version) ? [] : ['Name the version to release, such as 0.2.0.']),
  ...(isTagged || (version !== manifest.version && !isNewer(version, manifest.version))
    ? [`${version} is not newer than what was released; package.json has ${manifest.version}.`]
    : []),
  ...(news === '' && !isNamed ? ['CHANGELOG.md has nothing under Unreleased.'] : []),
  ...(output(['git', 'status', '--porcelain']) === '' ? [] : ['There are changes that are not committed.']),
]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(2)

const STEPS = [
  ['npm', 'test'],
  ['npm', 'run', 'test:laws', '--', '--all'],
  ['npm', 'run', 'check'],
  ['npm', 'run', 'test:e2e'],
]
if (isDry) {
  console.log(`${version}: would run ${STEPS.map((step) => step.join(' ')).join(', ')}, and pack.`)
  process.exit(0)
}
for (const step of STEPS) run(step)

if (!isNamed) {
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(
    `${root}CHANGELOG.md`,
    changelog.replace(/^## Unreleased$/m, () => `## Unreleased\n\n## ${version} (${date})`),
  )
}
if (manifest.version !== version) run(['npm', 'version', version, '--no-git-tag-version'])
run(['npm', 'pack'])
console.log(`
sluice-${version}.tgz is what would be published; look into it. Then:

  git commit -am "Release ${version}" && git tag v${version} && git push --follow-tags
  npm publish sluice-${version}.tgz
`)
