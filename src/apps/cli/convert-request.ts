/** `sluice convert --request`: reads a request of one protocol and writes it in another. */

import { messageOf, SluiceError } from '../../base/errors.ts'
import { allRequests, findRequest } from '../../providers/any.ts'
import {
  type ModelRequest,
  type RequestDiagnostic,
  readRequest,
  writeRequest,
} from '../../providers/requests.ts'
import { promptRequest } from '../../requests/prompt/index.ts'
import { Failure, UsageError } from './command.ts'
import { findDialects } from './dialects.ts'
import { nameOf, readTools, textOf } from './files.ts'
import { harmlessJson, type Io, write } from './io.ts'

/** The options of the command, as they were typed. */
interface RequestArguments {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly dialect?: string | undefined
  readonly tools?: string | undefined
  readonly model?: string | undefined
  readonly path?: string | undefined
}

const NAMES = allRequests.map(({ name }) => name)

export async function convertRequest(
  values: RequestArguments,
  file: string | undefined,
  io: Io,
): Promise<number> {
  const { from, to, dialect, tools, model, path } = values
  if (to === undefined) throw new UsageError(`'--to NAME' is missing; use one of ${NAMES.join(', ')}.`)
  const target = formatNamed(to)
  const body = bodyOf(await textOf(file, io), nameOf(file))
  const source = from === undefined ? detected(body) : formatNamed(from)
  const dialects = dialect === undefined ? [] : await findDialects([dialect])
  const given = tools === undefined ? undefined : await readTools(tools)
  try {
    const read = readRequest(source, body, path === undefined ? {} : { path })
    const request: ModelRequest = { ...read.request, ...(model && { model }), ...(given && { tools: given }) }
    const prompted =
      dialects[0] === undefined
        ? { request, diagnostics: [] }
        : promptRequest(request, { dialect: dialects[0] })
    const written = writeRequest(target, prompted.request)
    await write(io.stdout, `${harmlessJson(JSON.stringify(written.body))}\n`)
    await report([...read.diagnostics, ...prompted.diagnostics, ...written.diagnostics], io)
    return 0
  } catch (error) {
    if (error instanceof SluiceError) throw new Failure(error.message)
    throw error
  }
}

async function report(diagnostics: readonly RequestDiagnostic[], io: Io): Promise<void> {
  for (const { code, message } of diagnostics) await write(io.stderr, `${code}: ${message}\n`)
}

function formatNamed(name: string): ReturnType<typeof findRequest> {
  try {
    return findRequest(name)
  } catch (error) {
    throw new UsageError(messageOf(error))
  }
}

function detected(body: object): (typeof allRequests)[number] {
  const found = allRequests.filter((format) => format.detect(body as Readonly<Record<string, unknown>>))
  const [format] = found
  if (format !== undefined && found.length === 1) return format
  const which =
    found.length === 0 ? 'no protocol' : `more than one (${found.map(({ name }) => name).join(', ')})`
  throw new UsageError(`The body fits ${which}; say which it is with '--from NAME': ${NAMES.join(', ')}.`)
}

function bodyOf(text: string, name: string): object {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null) return body
  } catch {}
  throw new Failure(`${name} is not a JSON object.`)
}
