/** A response that its upstream makes in the background: to leave it is not to stop it, so that it has to be cancelled. */

import type { ModelRequest } from '../requests/conversation/model-request.ts'
import type { UpstreamConfig } from './gateway-config.ts'
import { tellToStop } from './upstream-address.ts'

/** The id stands at the beginning of the first event. */
const BEGINNING = 4_096

export class BackgroundResponse {
  private beginning = ''
  private id: string | undefined

  /** Looks at what arrives. */
  readonly add = (piece: string | Uint8Array): void => {
    if (this.id !== undefined || this.beginning.length >= BEGINNING) return
    this.beginning += typeof piece === 'string' ? piece : new TextDecoder().decode(piece)
    this.id = /"id": ?"(resp_[\w-]+)"/.exec(this.beginning)?.[1]
  }

  /** Nothing to do where it has not begun. */
  async cancel(upstream: UpstreamConfig, client: Request | undefined): Promise<void> {
    if (this.id === undefined) return
    await tellToStop(upstream, 'POST', `/v1/responses/${this.id}/cancel`, client)
  }
}

export function isBackground(
  { providerOptions }: ModelRequest,
  upstream: UpstreamConfig | undefined,
): boolean {
  const options = Object(providerOptions?.['openai-responses']) as { readonly background?: unknown }
  return upstream?.protocol === 'openai-responses' && options.background === true
}
