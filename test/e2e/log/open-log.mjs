// The log of an address: file:FOLDER, redis://… or nats://…
import { openFileLog } from '../../../dist/log/index.js'
import { openNatsLog } from '../../../dist/log/nats/index.js'
import { openRedisLog } from '../../../dist/log/redis/index.js'

/** @param {string} address @param {number} leaseMs */
export function openLog(address, leaseMs) {
  if (address.startsWith('file:')) return openFileLog(address.slice(5))
  const options = { leaseMs, timeoutMs: 10_000 }
  return address.startsWith('redis:') ? openRedisLog(address, options) : openNatsLog(address, options)
}
