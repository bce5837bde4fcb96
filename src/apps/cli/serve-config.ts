/** The options of `sluice serve` as a configuration, and the log that it names. */

import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import {
  ConfigError,
  type GatewayConfig,
  type ReadTemplate,
  readConfig,
} from '../../gateway/gateway-config.ts'
import type { Log } from '../../runs/log/log.ts'
import { loadTemplates } from './load-templates.ts'

type Values = Readonly<Record<string, string | boolean | undefined>>

const OF_UPSTREAM = ['upstream', 'protocol', 'server', 'mode', 'dialect', 'template'] as const

type Environment = Readonly<Record<string, string | undefined>>

export async function configOf(values: Values, env: Environment): Promise<GatewayConfig> {
  const { config: file, upstream, protocol, server, dialect, template, mode, log, host, port } = values
  const given = file === undefined ? {} : await readFileConfig(String(file))
  const named = OF_UPSTREAM.find((name) => values[name] !== undefined)
  if (file !== undefined && named !== undefined)
    throw new ConfigError(`'--${named}' cannot be combined with '--config'; write it in the file`)
  if (upstream === undefined && named !== undefined)
    throw new ConfigError(`'--${named}' configures an upstream; add '--upstream URL'`)
  const { upstreams } = Object(given) as { readonly upstreams?: unknown }
  if (file !== undefined && Object.keys(Object(upstreams)).length === 0)
    throw new ConfigError(
      `The configuration ${file} has no 'upstreams'; add one, or leave out '--config' to try the scripted model`,
    )
  const number = port === undefined ? undefined : Number(port)
  if (number !== undefined && !(Number.isInteger(number) && number >= 0 && number <= 65_535))
    throw new ConfigError(`'--port' is a number from 0 to 65535, not '${String(port)}'`)
  const one = {
    url: upstream,
    key: 'client',
    protocol,
    server,
    dialect,
    template,
    mode: mode ?? (template !== undefined ? 'template' : dialect !== undefined ? 'prompt' : undefined),
  }
  const whole = {
    ...given,
    ...(upstream !== undefined && { upstreams: { default: withoutUndefined(one) } }),
    ...withoutUndefined({ log, host, port: number }),
  }
  const hasTemplates = JSON.stringify(whole).includes('"template":')
  const folder = file === undefined ? '.' : dirname(String(file))
  const templates = hasTemplates ? await templatesIn(folder) : undefined
  try {
    return readConfig(whole, env, templates)
  } catch (error) {
    if (upstream === undefined || !(error instanceof ConfigError)) throw error
    throw new ConfigError(inOptions(error.message))
  }
}

/** Names the options where a message names the settings that they become. */
const inOptions = (message: string): string =>
  message.replace(/'upstreams\.default\.(\w+)'/g, (_, name) =>
    name === 'url' ? "'--upstream'" : `'--${name}'`,
  )

/** Reads chat templates, by their names in a folder. */
async function templatesIn(folder: string): Promise<ReadTemplate> {
  const { dialectOfTemplate } = await loadTemplates()
  return (file) => dialectOfTemplate(readFileSync(resolve(folder, file), 'utf8'))
}

const withoutUndefined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

async function readFileConfig(file: string): Promise<object> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as object
  } catch (error) {
    throw new ConfigError(`The configuration ${file} cannot be read: ${messageOf(error)}`)
  }
}

/** The default folder of runs. */
function usualFolder(env: Environment): string {
  const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state')
  return join(state, 'sluice', 'runs')
}

/**
 * The log of an address. The packages for Redis and NATS are installed by those who use them. `onMissing`: the usual folder
 * cannot be used, such as by a second gateway; it then serves without a log.
 */
export async function openLog(
  config: GatewayConfig,
  env: Environment,
  onMissing: (message: string) => void,
): Promise<Log | undefined> {
  const { log, leaseMs, ttlMs } = config
  if (log === 'none' || (log === 'file' && config.resumable === 'never')) return undefined
  if (log === 'file') {
    const { openFileLog } = await import('../../runs/log/file/file-log.ts')
    try {
      return await openFileLog(usualFolder(env), { ttlMs })
    } catch (error) {
      if (config.resumable === 'always') throw error
      onMissing(messageOf(error))
      return undefined
    }
  }
  if (log.startsWith('file:')) {
    const { openFileLog } = await import('../../runs/log/file/file-log.ts')
    return openFileLog(log.slice('file:'.length), { ttlMs })
  }
  const isNats = log.startsWith('nats:')
  try {
    if (isNats) {
      const { openNatsLog } = await import('../../runs/log/nats/nats-log.ts')
      return await openNatsLog(log, { leaseMs, ttlMs })
    }
    const { openRedisLog } = await import('../../runs/log/redis/redis-log.ts')
    return await openRedisLog(log, { leaseMs, ttlMs })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const packages = isNats ? '@nats-io/jetstream @nats-io/transport-node' : 'ioredis'
    throw new ConfigError(`A log in ${isNats ? 'NATS' : 'Redis'} needs a package: npm install ${packages}`)
  }
}
