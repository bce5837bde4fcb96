// Builds dist/ from src/: one module and one declaration file for each source file.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const command = join(dist, 'cli', 'main.js')
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')

rmSync(dist, { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)

// tsc turns './event.ts' into './event.js' in modules but not in declarations, where only it knows what is meant.
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue
  const text = readFileSync(join(dist, name), 'utf8')
  writeFileSync(
    join(dist, name),
    text.replace(/((?:from |import |import\()['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js'),
  )
}

if (existsSync(command)) chmodSync(command, 0o755)
