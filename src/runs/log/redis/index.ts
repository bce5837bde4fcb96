/** `sluice/log/redis`: runs in Redis Streams, for any number of machines. Needs the package `ioredis`. */

export { openRedisLog, type RedisLogOptions } from './redis-log.ts'
