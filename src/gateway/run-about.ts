/** What has to be known of a run to write it in any protocol, and to close it when its producer is lost. */

import type { IdKind } from '../base/ids.ts'
import type { ToolDefinitions } from '../engine/calls/tools.ts'
import type { RunHeader } from '../runs/log/run-record.ts'
import type { GatewayConfig } from './gateway-config.ts'
import type { ClientProtocol } from './protocols.ts'

export interface RunAbout {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly created: number
  /** As the client named it. */
  readonly model: string
  /** The protocol that the run was started in. */
  readonly client: string
  /** A digest of the key that started it; nobody else may read it. */
  readonly owner: string
  readonly includesUsage: boolean
  readonly allow: GatewayConfig['allow']
  readonly verify: GatewayConfig['verify']
  /** How the upstream's answer is read, where that can be written down. */
  readonly provider?: string
  /** The name of the upstream in the configuration. */
  readonly upstream?: string
  /** The upstream keeps the stream, under the id of the run, and sends it again from any byte. */
  readonly isReplayed?: true
  readonly dialect?: string
  readonly start?: 'text' | 'reasoning'
  readonly protectCode?: boolean
  /** Those whose calls may run; none: no call may. */
  readonly tools: ToolDefinitions
  /** Only how it ended is kept. */
  readonly keeps?: 'outcome'
}

/** The fields of a run's header that are the gateway's own. */
export type AboutFields = Omit<RunAbout, 'id' | 'created'>

/** Undefined for a run of someone else's making. */
export function aboutOf({ run, kind: _, ...header }: RunHeader): RunAbout | undefined {
  const fields = header as Partial<AboutFields>
  if (typeof fields.model !== 'string' || typeof fields.client !== 'string') return undefined
  return {
    owner: '',
    includesUsage: false,
    allow: [],
    verify: 'schema',
    tools: [],
    ...fields,
    model: fields.model,
    client: fields.client,
    id: run.id,
    created: run.created,
  }
}

const RUN = 'run_'

/** With 122 random bits. */
export const newRunId = (): string => RUN + globalThis.crypto.randomUUID().replaceAll('-', '')

/** Ids of calls and texts that no other response has. The same for whoever reads the run again. */
export function idsOf(id: string, round = 1): (kind: IdKind) => string {
  let count = 0
  const own = id.slice(RUN.length, RUN.length + 12) + (round > 1 ? `r${round}` : '')
  return (kind) => `${kind}_${own}_${++count}`
}

/** The id of a run as clients of a protocol know it. */
export function responseId({ idPrefix }: ClientProtocol, id: string): string {
  return idPrefix === '' ? id : idPrefix + id.slice(RUN.length)
}

/** And back. */
export function runIdOf(id: string): string {
  return id.startsWith(RUN) ? id : RUN + id.replace(/^(?:chatcmpl-|msg_|resp_)/, '')
}
