/** The configuration of the gateway, checked before anything is served. */

import { messageOf } from '../base/errors.ts'
import { isFields } from '../base/fields.ts'
import { choice, described, shown, unknownName } from '../base/options.ts'
import { findDialect } from '../dialects/find.ts'
import type { ParserOptions } from '../engine/parser.ts'
import type { Dialect } from '../engine/wire/dialect.ts'
import type { TemplateFormat } from '../requests/templates/template-format.ts'
import { isSecret } from './without-key.ts'

/** How a model gets its tools: `native`: in the API; `template`: in the API, and its calls come as text; `prompt`: as text. */
export type Mode = 'native' | 'template' | 'prompt'

export type UpstreamProtocol = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'ollama'

/** Servers of Chat Completions that each want to be asked for raw text in a way of their own. */
export type TextServer = 'vllm' | 'llama.cpp' | 'sglang'

const MODES: readonly Mode[] = ['native', 'template', 'prompt']
const SERVERS: readonly TextServer[] = ['vllm', 'llama.cpp', 'sglang']
const PROTOCOLS: readonly UpstreamProtocol[] = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'ollama',
]

export function isUpstreamProtocol(name: string | undefined): name is UpstreamProtocol {
  return (PROTOCOLS as readonly unknown[]).includes(name)
}

/** What can be said about an upstream, and again about one of its models. */
export interface ModelConfig {
  readonly mode: Mode
  /** `auto`: by the name of the model. */
  readonly dialect: Dialect | 'auto' | undefined
  /** Where a response begins, if a chat template says so. */
  readonly start?: ParserOptions['start']
  /** A call in Markdown code is text. */
  readonly protectCode?: boolean
  /** The name that the upstream knows. */
  readonly model?: string
}

export interface UpstreamConfig extends ModelConfig {
  readonly name: string
  readonly url: string
  readonly protocol: UpstreamProtocol
  /** What serves it, for the mode `template`. */
  readonly server: TextServer
  /** The gateway's own key, or the one that the client sent. */
  readonly key: { readonly own: string } | 'client' | undefined
  readonly models: Readonly<Record<string, ModelConfig>>
}

export interface GatewayConfig {
  /** The first one gets every model that no other lists. Empty: the scripted model answers. */
  readonly upstreams: readonly UpstreamConfig[]
  /** Keys of which a client needs one. Empty: no key is needed. */
  readonly keys: readonly string[]
  readonly host: string
  readonly port: number
  /** Names under which clients reach it, besides those of this machine. */
  readonly hosts: readonly string[]
  /** `file:FOLDER`, `redis://…`, `nats://…` or `none`; `file`: a folder of the user who runs the gateway. */
  readonly log: string
  /** Which runs can be resumed: those whose client asks for it, all, or none. */
  readonly resumable: 'asked' | 'always' | 'never'
  /** What is kept of a run: everything, or only who started it and how it ended. */
  readonly keep: 'content' | 'outcome'
  /** If the log fails: `required` refuses or ends the run, `best-effort` continues it for its client alone. */
  readonly durability: 'required' | 'best-effort'
  readonly ttlMs: number
  readonly leaseMs: number
  readonly connectTimeoutMs: number
  readonly firstTokenTimeoutMs: number
  readonly idleTimeoutMs: number
  /** How often a request that failed before its first token is repeated. */
  readonly retries: number
  readonly maxBodyBytes: number
  readonly maxRuns: number
  readonly maxRunsPerKey: number
  /** How long a client may read nothing before it is disconnected. */
  readonly slowClientMs: number
  readonly keepAliveMs: number
  /** How long runs may continue after SIGTERM. */
  readonly drainMs: number
  /** Whether the arguments of a call are checked by the schema of its tool. */
  readonly verify: 'schema' | 'wire'
  /** Calls that may run although they had to be guessed. */
  readonly allow: readonly ('guess' | 'place-uncertain')[]
  /** Verdicts, repairs and diagnostics in every stream, or in those whose client asks for them. */
  readonly extensions: 'asked' | 'always'
  /** Whether a model whose calls may not run is asked once more. */
  readonly repair: 'off' | 'once'
}

const DEFAULTS: GatewayConfig = {
  upstreams: [],
  keys: [],
  host: '127.0.0.1',
  port: 8787,
  hosts: [],
  log: 'file',
  resumable: 'asked',
  keep: 'content',
  durability: 'required',
  ttlMs: 3_600_000,
  leaseMs: 10_000,
  connectTimeoutMs: 60_000,
  firstTokenTimeoutMs: 300_000,
  idleTimeoutMs: 120_000,
  retries: 2,
  maxBodyBytes: 50_000_000,
  maxRuns: 2_000,
  maxRunsPerKey: 2_000,
  slowClientMs: 60_000,
  keepAliveMs: 15_000,
  drainMs: 30_000,
  verify: 'schema',
  allow: [],
  extensions: 'asked',
  repair: 'off',
}

/** The configuration cannot be used: the message says where, and what to write there. */
export class ConfigError extends Error {}

/** Reads environment variables for `env:NAME`. */
type Environment = Readonly<Record<string, string | undefined>>

/** The format of the chat template in a file. Throws where it cannot be found out. */
export type ReadTemplate = (file: string) => Pick<TemplateFormat, 'dialect' | 'start' | 'alternatives'>

const noTemplates: ReadTemplate = () => {
  throw new Error('files cannot be read here')
}

/** Checks what a configuration file holds. */
export function readConfig(
  value: unknown,
  env: Environment,
  readTemplate: ReadTemplate = noTemplates,
): GatewayConfig {
  if (!isFields(value)) throw new ConfigError(`The configuration must be an object, not ${described(value)}.`)
  const at = new Place('', value, [...Object.keys(DEFAULTS)])
  const upstreams = at.fields('upstreams')
  const config: GatewayConfig = {
    upstreams: Object.entries(upstreams ?? {}).map(([name, one]) =>
      readUpstream(name, one, env, readTemplate),
    ),
    keys: at.texts('keys')?.map((key, index) => secret(key, `keys[${index}]`, env)) ?? [],
    host: at.text('host') ?? DEFAULTS.host,
    port: at.number('port', 0, 65_535) ?? DEFAULTS.port,
    hosts: at.texts('hosts') ?? DEFAULTS.hosts,
    log: at.text('log') ?? DEFAULTS.log,
    resumable: at.word('resumable', ['asked', 'always', 'never']) ?? DEFAULTS.resumable,
    keep: at.word('keep', ['content', 'outcome']) ?? DEFAULTS.keep,
    durability: at.word('durability', ['required', 'best-effort']) ?? DEFAULTS.durability,
    ttlMs: at.number('ttlMs', 1_000) ?? DEFAULTS.ttlMs,
    leaseMs: at.number('leaseMs', 100) ?? DEFAULTS.leaseMs,
    connectTimeoutMs: at.number('connectTimeoutMs', 1) ?? DEFAULTS.connectTimeoutMs,
    firstTokenTimeoutMs: at.number('firstTokenTimeoutMs', 1) ?? DEFAULTS.firstTokenTimeoutMs,
    idleTimeoutMs: at.number('idleTimeoutMs', 1) ?? DEFAULTS.idleTimeoutMs,
    retries: at.number('retries', 0, 10) ?? DEFAULTS.retries,
    maxBodyBytes: at.number('maxBodyBytes', 1) ?? DEFAULTS.maxBodyBytes,
    maxRuns: at.number('maxRuns', 1) ?? DEFAULTS.maxRuns,
    maxRunsPerKey: at.number('maxRunsPerKey', 1) ?? DEFAULTS.maxRunsPerKey,
    slowClientMs: at.number('slowClientMs', 1) ?? DEFAULTS.slowClientMs,
    keepAliveMs: at.number('keepAliveMs', 1) ?? DEFAULTS.keepAliveMs,
    drainMs: at.number('drainMs', 0) ?? DEFAULTS.drainMs,
    verify: at.word('verify', ['schema', 'wire']) ?? DEFAULTS.verify,
    allow: (at.texts('allow', ['guess', 'place-uncertain']) as GatewayConfig['allow']) ?? DEFAULTS.allow,
    extensions: at.word('extensions', ['asked', 'always']) ?? DEFAULTS.extensions,
    repair: at.word('repair', ['off', 'once']) ?? DEFAULTS.repair,
  }
  checkLog(config)
  const isOpen = config.upstreams.some(({ key }) => key === 'client')
  if (isOpen && config.keys.length > 0)
    throw new ConfigError(
      `'keys' are the gateway's own, and an upstream has "key": "client": a client can send only one. Leave out 'keys', or give the upstream a key.`,
    )
  return config
}

function checkLog({ log, resumable }: Pick<GatewayConfig, 'log' | 'resumable'>): void {
  if (!/^(none$|file$|file:.|rediss?:\/\/.|nats:\/\/.)/.test(log))
    throw new ConfigError(
      `'log' must be file:FOLDER, redis://HOST:PORT, nats://HOST:PORT or none, not '${log.replace(/\/\/.*@/, '//…@')}'.`,
    )
  if (log === 'none' && resumable === 'always')
    throw new ConfigError(`'resumable' is 'always', and there is no log; write "log": "file:./runs".`)
}

function readUpstream(
  name: string,
  value: unknown,
  env: Environment,
  readTemplate: ReadTemplate,
): UpstreamConfig {
  const where = `upstreams.${name}`
  if (!isFields(value)) throw new ConfigError(`'${where}' must be an object, not ${described(value)}.`)
  const at = new Place(`${where}.`, value, [...['url', 'protocol', 'server', 'key', 'models'], ...OF_MODEL])
  const url = at.text('url')
  if (url === undefined)
    throw new ConfigError(`'${where}.url' is missing; write "url": "http://127.0.0.1:8000".`)
  const address = checkUrl(url, `${where}.url`)
  const protocol = at.word('protocol', PROTOCOLS) ?? protocolOf(address)
  const common = readModel(at, { mode: 'native', dialect: undefined }, readTemplate)
  checkMode(common.mode, protocol, where)
  const models = Object.entries(at.fields('models') ?? {}).map(([model, one]): [string, ModelConfig] => {
    const place = `${where}.models.${model}`
    if (!isFields(one)) throw new ConfigError(`'${place}' must be an object, not ${described(one)}.`)
    const fields = new Place(`${place}.`, one, ['model', ...OF_MODEL])
    const own = fields.text('model')
    const settings = readModel(fields, common, readTemplate)
    checkMode(settings.mode, protocol, place)
    return [model, { ...settings, ...(own !== undefined && { model: own }) }]
  })
  const key = at.text('key')
  return {
    ...common,
    name,
    url,
    protocol,
    server: at.word('server', SERVERS) ?? 'vllm',
    key:
      key === undefined || key === 'client'
        ? key
        : { own: checkKey(secret(key, `${where}.key`, env), where) },
    models: Object.fromEntries(models),
  }
}

/** What can be said about an upstream, and about a model. */
const OF_MODEL = ['mode', 'dialect', 'template', 'protectCode']

function readModel(at: Place, common: ModelConfig, readTemplate: ReadTemplate): ModelConfig {
  const mode = at.word('mode', MODES) ?? common.mode
  const protectCode = at.boolean('protectCode') ?? common.protectCode
  const settings = { mode, ...(protectCode && { protectCode }) }
  const named = at.text('dialect')
  const own = named === undefined ? undefined : dialectNamed(named, at.prefix)
  const file = at.text('template')
  if (file !== undefined) return { ...settings, ...templateFormat(file, own, at.prefix, readTemplate) }
  if (own !== undefined) return { ...settings, dialect: own }
  const { dialect, start } = common
  return {
    ...settings,
    dialect: mode !== 'native' && dialect === undefined ? 'auto' : dialect,
    ...(start && { start }),
  }
}

/** What the chat template writes is what the model writes. A dialect that is configured beside it has to be able to read it. */
function templateFormat(
  file: string,
  own: Dialect | 'auto' | undefined,
  prefix: string,
  readTemplate: ReadTemplate,
): Pick<ModelConfig, 'dialect' | 'start'> {
  let found: ReturnType<ReadTemplate>
  try {
    found = readTemplate(file)
  } catch (error) {
    throw new ConfigError(`'${prefix}template': ${messageOf(error)}`)
  }
  const { dialect, start, alternatives } = found
  if (own === undefined || own === 'auto' || own.name === dialect.name) return { dialect, start }
  if (alternatives.includes(own.name)) return { dialect: own, start }
  throw new ConfigError(
    `'${prefix}dialect' is '${own.name}', and the chat template ${file} writes calls as '${dialect.name}' does; leave out 'dialect', or name the template of the model.`,
  )
}

/** Other protocols have no place for what such a server is asked. */
function checkMode(mode: Mode, protocol: UpstreamProtocol, where: string): void {
  if (mode === 'template' && protocol !== 'openai-chat')
    throw new ConfigError(
      `'${where}.mode' is 'template', which works only with Chat Completions; write "mode": "prompt".`,
    )
}

/** Throws where there is no such dialect. */
function dialectNamed(name: string, prefix = ''): Dialect | 'auto' {
  if (name === 'auto') return 'auto'
  try {
    return findDialect(name as string)
  } catch (error) {
    throw new ConfigError(`'${prefix}dialect': ${messageOf(error)}`)
  }
}

/** Throws where it is no address of a server. */
function checkUrl(text: string, where: string): URL {
  try {
    const url = new URL(text)
    // A name and a password in an address would turn up in errors.
    if (url.username !== '' || url.password !== '')
      throw new ConfigError(`'${where}' has a user or a password in it; write "key": "env:NAME" instead.`)
    if (url.protocol === 'http:' || url.protocol === 'https:') return url
  } catch (error) {
    if (error instanceof ConfigError) throw error
  }
  throw new ConfigError(`'${where}' must be an address such as http://127.0.0.1:8000, not '${text}'.`)
}

/** What a server at this address most likely speaks. */
function protocolOf({ hostname, port }: URL): UpstreamProtocol {
  if (hostname.endsWith('anthropic.com')) return 'anthropic'
  if (hostname.endsWith('googleapis.com')) return 'gemini'
  return port === '11434' ? 'ollama' : 'openai-chat'
}

/** `env:NAME` stands for the value of an environment variable, so that no key has to be in a file. */
function secret(text: string, where: string, env: Environment): string {
  if (!text.startsWith('env:')) return text
  const value = env[text.slice(4)]
  if (value) return value
  throw new ConfigError(`'${where}' is ${text}, and there is no such environment variable.`)
}

/** What people write for servers that want a key and take any. */
const NO_KEYS = /^(none|no-?key|not-?needed|empty|dummy|unused|ollama|vllm|sglang|lm-?studio|llama-?cpp)$/i

/** Wherever an upstream repeats its key, it is taken out; a word could not be told from the words of an answer. */
function checkKey(key: string, where: string): string {
  if (isSecret(key) || NO_KEYS.test(key)) return key
  throw new ConfigError(
    `'${where}.key' is too short for a secret: a key needs 12 characters, or 8 that are not all letters. Give the server a longer one, or write "none" if it takes any.`,
  )
}

/** The fields of an object in the configuration, and where it stands. */
class Place {
  readonly prefix: string
  private readonly value: Readonly<Record<string, unknown>>

  constructor(prefix: string, value: Readonly<Record<string, unknown>>, known: readonly string[]) {
    this.prefix = prefix
    this.value = value
    for (const name of Object.keys(value))
      if (!known.includes(name))
        throw new ConfigError(
          unknownName(
            prefix === '' ? 'There is no setting' : `In ${prefix.slice(0, -1)} there is no setting`,
            name,
            known,
          ),
        )
  }

  /** A text may be a secret, so that only its type is named. */
  private refuse(name: string, wanted: string, found = described(this.value[name])): never {
    throw new ConfigError(`'${this.prefix}${name}' must be ${wanted}, not ${found}.`)
  }

  text(name: string): string | undefined {
    const value = this.value[name]
    if (value === undefined || (typeof value === 'string' && value !== '')) return value
    return this.refuse(name, 'a text')
  }

  texts(name: string, words?: readonly string[]): readonly string[] | undefined {
    const value = this.value[name]
    if (value === undefined) return undefined
    const isRight = (one: unknown): boolean =>
      typeof one === 'string' && one !== '' && (words === undefined || words.includes(one))
    if (Array.isArray(value) && value.every(isRight)) return value as string[]
    return this.refuse(name, words === undefined ? 'a list of texts' : `a list of ${choice(words)}`)
  }

  word<const Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.value[name]
    if (value === undefined || words.includes(value as Word)) return value as Word | undefined
    return this.refuse(name, choice(words), shown(value))
  }

  number(name: string, least: number, most = Number.MAX_SAFE_INTEGER): number | undefined {
    const value = this.value[name]
    if (value === undefined) return undefined
    if (typeof value === 'number' && value >= least && value <= most) return value
    return this.refuse(name, `a number from ${least} to ${most}`, shown(value))
  }

  boolean(name: string): boolean | undefined {
    const value = this.value[name]
    if (value === undefined || typeof value === 'boolean') return value
    return this.refuse(name, 'true or false', shown(value))
  }

  fields(name: string): Readonly<Record<string, unknown>> | undefined {
    const value = this.value[name]
    if (value === undefined || isFields(value)) return value
    return this.refuse(name, 'an object')
  }
}
