// The log of an address: file:FOLDER, redis://… or nats://…, from the built library.

/** @param {string} path */
const built = (path) => import(new URL(`../../../dist/${path}`, import.meta.url).href)

/** @type {typeof import('../../../src/index.ts')} */
export const { createParser } = await built('index.js')
/** @type {typeof import('../../../src/dialects/index.ts')} */
export const { hermes } = await built('dialects/index.js')
/** @type {typeof import('../../../src/runs/log/index.ts')} */
const { openFileLog } = await built('runs/log/index.js')
/** @type {typeof import('../../../src/runs/log/nats/index.ts')} */
const { openNatsLog } = await built('runs/log/nats/index.js')
/** @type {typeof import('../../../src/runs/log/redis/index.ts')} */
const { openRedisLog } = await built('runs/log/redis/index.js')

/** @param {string} address @param {number} leaseMs */
export function openLog(address, leaseMs) {
  if (address.startsWith('file:')) return openFileLog(address.slice(5))
  const options = { leaseMs, timeoutMs: 10_000 }
  return address.startsWith('redis:') ? openRedisLog(address, options) : openNatsLog(address, options)
}
