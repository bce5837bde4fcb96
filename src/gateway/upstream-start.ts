/** How the body of an upstream begins, to tell which protocol it is in. */

import { startedBy } from '../base/provider-stream.ts'
import { isUpstreamProtocol, type UpstreamConfig } from './gateway-config.ts'

/** Enough of a body to recognise its protocol. */
const ENOUGH = 1024

export class UpstreamStart {
  private text = ''

  add(piece: string | Uint8Array): void {
    if (this.text.length >= ENOUGH) return
    this.text += typeof piece === 'string' ? piece : new TextDecoder().decode(piece.subarray(0, ENOUGH))
  }

  clear(): void {
    this.text = ''
  }

  /** What to do about an upstream that answers in another protocol than the configured one. */
  advice({ name, protocol }: Pick<UpstreamConfig, 'name' | 'protocol'>): string {
    const found = startedBy(this.text)
    const where = (value: string): string => `'--protocol ${value}' or 'upstreams.${name}.protocol'`
    return isUpstreamProtocol(found) && found !== protocol
      ? `The upstream answers in ${found} and not in ${protocol}; set ${where(found)}.`
      : `The upstream does not answer in ${protocol}; check its address, and ${where('NAME')}.`
  }
}
