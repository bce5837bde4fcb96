// What the agent can do, and only inside its folder.
import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { createPolicy, type Policy, pattern, within } from 'sluice/policy'
import type { ExecuteContext } from 'sluice/turn'

const text = { type: 'string' } as const
const schema = (...names: string[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(names.map((name) => [name, text])),
  required: names,
})

const MOST_OUTPUT = 10_000

/** The place of a path in the folder. A link that leads out of it is not followed. */
async function placeOf(folder: string, path: string): Promise<string> {
  const root = await realpath(folder)
  const place = resolve(root, path)
  let existing = place
  for (;;) {
    const real = await realpath(existing).catch(() => undefined)
    if (real !== undefined) {
      if (real === root || real.startsWith(root + sep)) return join(real, relative(existing, place))
      throw new Error(`${path} is outside of the folder.`)
    }
    existing = dirname(existing)
  }
}

export function toolsOf(folder: string) {
  return [
    {
      name: 'list_files',
      description: 'Lists what is in a folder.',
      inputSchema: schema('path'),
      headlines: ['path'],
      execute: async ({ path }: { path: string }) =>
        (await readdir(await placeOf(folder, path))).sort().join('\n'),
    },
    {
      name: 'read_file',
      description: 'Reads a file.',
      inputSchema: schema('path'),
      headlines: ['path'],
      execute: async ({ path }: { path: string }) => readFile(await placeOf(folder, path), 'utf8'),
    },
    {
      name: 'write_file',
      description: 'Writes a file, with all of its content.',
      inputSchema: schema('path', 'content'),
      headlines: ['path'],
      streams: 'content',
      execute: async ({ path, content }: { path: string; content: string }) => {
        const place = await placeOf(folder, path)
        await mkdir(dirname(place), { recursive: true })
        await writeFile(place, content)
        return `Wrote ${content.length} characters.`
      },
    },
    {
      name: 'shell',
      description: 'Runs a command in the folder.',
      inputSchema: schema('command'),
      headlines: ['command'],
      execute: ({ command }: { command: string }, { signal }: ExecuteContext) =>
        new Promise<{ content: string; isError: boolean }>((done, fail) => {
          const child = spawn('sh', ['-c', command], {
            cwd: folder,
            signal,
            stdio: ['ignore', 'pipe', 'pipe'],
          })
          let output = ''
          const take = (piece: Buffer): void => {
            output = (output + piece.toString()).slice(-MOST_OUTPUT)
          }
          child.stdout.on('data', take)
          child.stderr.on('data', take)
          child.on('error', fail)
          child.on('close', (code) => done({ content: output || `Exit code ${code}.`, isError: code !== 0 }))
        }),
    },
  ]
}

/** Reading is free inside the folder, everything else is asked about, and some things are out of the question. */
export function policyOf(folder: string): Policy {
  return createPolicy({
    rules: [
      {
        tool: ['list_files', 'read_file'],
        at: '/path',
        is: within(folder, { base: folder }),
        decision: 'allow',
      },
      {
        tool: 'shell',
        at: '/command',
        is: pattern(/\brm\s+-\w*[rf]/),
        decision: 'deny',
        reason: 'Nothing is deleted by force.',
      },
    ],
  })
}
