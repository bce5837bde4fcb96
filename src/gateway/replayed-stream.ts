/**
 * A stream of llama.cpp that the server keeps under a name: it continues when its reader disconnects, and can be read again
 * from any byte that the server still has. It ends early only if it is deleted.
 *
 *     POST   /v1/chat/completions    x-conversation-id: run_1
 *     GET    /v1/stream?conv_id=run_1&from=4096
 *     DELETE /v1/stream?conv_id=run_1
 */

import type { StreamPlace } from '../runs/log/run-record.ts'
import type { UpstreamConfig } from './gateway-config.ts'
import { tellToStop } from './upstream-address.ts'

export const STREAM_NAME = 'x-conversation-id'

/** The name of the stream of an attempt. Each has one of its own, so that bytes of two are never mixed. */
export const streamName = (run: string, attempt: number): string => (attempt > 1 ? `${run}-${attempt}` : run)

const streamPath = (stream: string, more = ''): string =>
  `/v1/stream?conv_id=${encodeURIComponent(stream)}${more}`

export const replayPath = ({ stream, offset }: StreamPlace): string => streamPath(stream, `&from=${offset}`)

export const stopStream = (upstream: UpstreamConfig, stream: string): Promise<void> =>
  tellToStop(upstream, 'DELETE', streamPath(stream))
