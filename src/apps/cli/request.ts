/** A request that a command sends, and what must not be kept of it. */

import { readFile } from 'node:fs/promises'
import { messageOf } from '../../base/errors.ts'
import { Failure, UsageError } from './command.ts'

export const REQUEST_OPTIONS = {
  header: { type: 'string', multiple: true },
  body: { type: 'string' },
} as const

export const REQUEST_HELP = `  --header 'NAME: VALUE'  a header of the request; repeatable
  --body TEXT|@FILE       the body of the request, which makes it a POST
`

export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

export interface RequestValues {
  readonly header?: readonly string[]
  readonly body?: string
}

export function readHeaders(given: readonly string[] = []): Headers {
  const headers = new Headers()
  for (const header of given) {
    const colon = header.indexOf(':')
    if (colon < 1) throw new UsageError("'--header' is a name, a colon and a value, such as 'x-api-key: …'.")
    try {
      headers.append(header.slice(0, colon).trim(), header.slice(colon + 1).trim())
    } catch {
      throw new UsageError(
        `'${header.slice(0, colon)}' cannot be the name of a header, or its value has a character that none may have.`,
      )
    }
  }
  return headers
}

/** Sends the request. A server that refuses is a failure, with the beginning of what it says. */
export async function send(url: string, values: RequestValues, signal: AbortSignal): Promise<Response> {
  const headers = readHeaders(values.header)
  const body = values.body === undefined ? undefined : await bodyOf(values.body)
  if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
  let response: Response
  try {
    response = await fetch(url, { headers, signal, ...(body !== undefined && { method: 'POST', body }) })
  } catch (error) {
    signal.throwIfAborted()
    const { cause } = error as { cause?: unknown }
    throw new Failure(`${withoutKeys(url)} cannot be reached: ${messageOf(cause ?? error)}.`)
  }
  if (response.ok) return response
  const answer = await response.text().catch(() => '')
  const said = withoutSecrets(answer, secretsIn(headers, url)).slice(0, 500).trim()
  throw new Failure(`${withoutKeys(url)} answered ${response.status}${said === '' ? '.' : `: ${said}`}`)
}

async function bodyOf(body: string): Promise<string> {
  if (!body.startsWith('@')) return body
  try {
    return await readFile(body.slice(1), 'utf8')
  } catch (error) {
    throw new Failure(`${body.slice(1)} cannot be read: ${messageOf(error)}.`)
  }
}

// ── what is not kept ─────────────────────────────────────────────────────────────────────────────

const REDACTED = '[redacted]'
/** Headers, parameters and options that hold a key. */
const SECRET_NAME = /auth|api-?_?key|token|secret|password|passwd|cookie|credential|signature|^key$|^sig$/i
/** Keys that are known by their form, in whatever they stand. */
const SECRET_VALUE =
  /\b(sk|pk|rk|gsk|xai|hf|ghp|gho|glpat|AIza|ya29|pplx|nvapi|sk-ant|AKIA)[-_A-Za-z0-9.]{12,}|\b(Bearer|Basic)\s+[^\s'"]+/g

/** A URL without the keys in its parameters, and without a user and a password. */
export function withoutKeys(url: string): string {
  try {
    const parsed = new URL(url)
    parsed.username = ''
    parsed.password = ''
    for (const name of [...parsed.searchParams.keys()])
      if (SECRET_NAME.test(name)) parsed.searchParams.set(name, REDACTED)
    return parsed.href.replaceAll('%5Bredacted%5D', REDACTED).replace(SECRET_VALUE, REDACTED)
  } catch {
    return url.replace(SECRET_VALUE, REDACTED)
  }
}

export function redactedHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [
      name,
      SECRET_NAME.test(name) ? REDACTED : value.replace(SECRET_VALUE, REDACTED),
    ]),
  )
}

/** A command and its arguments without keys: `-H 'Authorization: …'`, `--api-key …`, `KEY=…`, `https://…?key=…`. */
export function redactedCommand(command: readonly string[]): string[] {
  return command.map((word, index) => {
    const before = command[index - 1] ?? ''
    if (/^--?[\w-]+$/.test(before) && SECRET_NAME.test(before.replace(/^-+/, ''))) return REDACTED
    const named = /^((?:--)?[\w-]+\s*[:=]\s*)(.+)$/s.exec(word)
    if (named !== null && SECRET_NAME.test(named[1]!.replace(/^-+|[\s:=]+$/g, '')))
      return `${named[1]}${REDACTED}`
    if (before === '-u' || before === '--user') return REDACTED
    return isUrl(word) ? withoutKeys(word) : word.replace(SECRET_VALUE, REDACTED)
  })
}

/** The keys themselves, which must not stand in the answer either. */
export function secretsIn(
  headers: Headers,
  url: string | undefined,
  command: readonly string[] = [],
): string[] {
  const found: string[] = []
  for (const [name, value] of headers)
    if (SECRET_NAME.test(name)) found.push(value.replace(/^(Bearer|Basic)\s+/i, ''))
  if (url !== undefined && URL.canParse(url))
    for (const [name, value] of new URL(url).searchParams) if (SECRET_NAME.test(name)) found.push(value)
  const redacted = redactedCommand(command)
  for (const [index, word] of command.entries())
    if (redacted[index] !== word)
      found.push(word.replace(/^(?:--)?[\w-]+\s*[:=]\s*/, '').replace(/^(Bearer|Basic)\s+/i, ''))
  // Short ones would be found everywhere.
  return found.filter((secret) => secret.length >= 8 && !isUrl(secret))
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  for (const secret of secrets) text = text.replaceAll(secret, REDACTED)
  return text.replace(SECRET_VALUE, REDACTED)
}

/**
 * Replaces secrets in bytes that come in chunks. What could be the beginning of one is held back until it is known.
 */
export class SecretFilter {
  private readonly secrets: readonly string[]
  private heldBack = ''

  constructor(secrets: readonly string[]) {
    // As bytes, one character each.
    this.secrets = secrets.map((secret) => Buffer.from(secret, 'utf8').toString('latin1'))
  }

  push(chunk: Uint8Array | string): Buffer {
    let text = this.heldBack + Buffer.from(chunk as Uint8Array).toString('latin1')
    for (const secret of this.secrets) text = text.replaceAll(secret, REDACTED)
    const held = Math.max(0, ...this.secrets.map((secret) => overlap(text, secret)))
    this.heldBack = text.slice(text.length - held)
    return Buffer.from(text.slice(0, text.length - held), 'latin1')
  }

  end(): Buffer {
    const rest = this.heldBack
    this.heldBack = ''
    return Buffer.from(rest, 'latin1')
  }
}

/** How much of the end of a text is the beginning of a secret. */
function overlap(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--)
    if (text.endsWith(secret.slice(0, length))) return length
  return 0
}
