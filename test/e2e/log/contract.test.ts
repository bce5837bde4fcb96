import { afterAll, beforeAll, describe, expect } from 'vitest'
import { openNatsLog } from '../../../src/runs/log/nats/index.ts'
import { openRedisLog } from '../../../src/runs/log/redis/index.ts'
import { describeLog } from '../../runs/log/contract.ts'
import { type StoreServer, startNats, startRedis } from './servers.ts'

const LEASE = 300

/** Runs of one test are not seen by the others, where their time to live differs. */
const prefixOf = (): string => (expect.getState().currentTestName ?? '').replace(/\W+/g, '_').slice(-60)

describe.skipIf(!process.env.SLUICE_HAS_REDIS)('with Redis', () => {
  let server: StoreServer
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.remove())
  describeLog({
    name: 'Redis',
    open: (options) => openRedisLog(server.url, { leaseMs: LEASE, prefix: prefixOf(), ...options }),
    isShared: true,
    leaseMs: LEASE,
  })
})

describe.skipIf(!process.env.SLUICE_HAS_NATS)('with NATS', () => {
  let server: StoreServer
  beforeAll(async () => {
    server = await startNats()
  })
  afterAll(() => server.remove())
  describeLog({
    name: 'NATS',
    open: (options) => openNatsLog(server.url, { leaseMs: LEASE, prefix: prefixOf(), ...options }),
    isShared: true,
    leaseMs: LEASE,
  })
})
