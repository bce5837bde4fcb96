/**
 * What happens to a run in Redis, each in one atomic step. Keys: the fields of the run (`next`, `epoch`, `closed`,
 * `stop`), its stream, and the set of open runs with the end of each lease. Time is the server's.
 *
 * A record with the number n is the entry `0-(n+1)` of the stream: 0-0 is no id.
 *
 * ARGV of each: id, line, lease, time to live, epoch, n, whether it is the last ('1'), the channel of hints.
 */

export const CREATE = `
if redis.call('EXISTS', KEYS[1]) == 1 then return {'exists'} end
redis.call('HSET', KEYS[1], 'epoch', 1, 'next', 1)
redis.call('XADD', KEYS[2], '0-1', 'line', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
local now = redis.call('TIME')
redis.call('ZADD', KEYS[3], now[1] * 1000 + math.floor(now[2] / 1000) + ARGV[3], ARGV[1])
return {'ok', ''}
`

export const APPEND = `
local run = redis.call('HMGET', KEYS[1], 'epoch', 'next', 'closed', 'stop')
if not run[1] then return {'unknown'} end
if run[1] ~= ARGV[5] then return {'fenced'} end
local n = tonumber(ARGV[6])
local next = tonumber(run[2])
if n < next then return {'ok', run[4] or ''} end
if run[3] then return {'closed'} end
if n > next then return {'gap', run[2]} end
redis.call('XADD', KEYS[2], '0-' .. (n + 1), 'line', ARGV[2])
redis.call('HSET', KEYS[1], 'next', n + 1)
if ARGV[7] == '1' then
  redis.call('HSET', KEYS[1], 'closed', 1)
  redis.call('ZREM', KEYS[3], ARGV[1])
else
  local now = redis.call('TIME')
  redis.call('ZADD', KEYS[3], now[1] * 1000 + math.floor(now[2] / 1000) + ARGV[3], ARGV[1])
end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
redis.call('PUBLISH', ARGV[8], n)
return {'ok', run[4] or ''}
`

export const RENEW = `
local run = redis.call('HMGET', KEYS[1], 'epoch', 'closed', 'stop')
if not run[1] then return {'unknown'} end
if run[1] ~= ARGV[5] then return {'fenced'} end
if run[2] then return {'closed'} end
local now = redis.call('TIME')
redis.call('ZADD', KEYS[3], now[1] * 1000 + math.floor(now[2] / 1000) + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return {'ok', run[3] or ''}
`

export const CLAIM = `
local run = redis.call('HMGET', KEYS[1], 'next', 'closed')
if not run[1] or run[2] then
  redis.call('ZREM', KEYS[3], ARGV[1])
  return {'none'}
end
local now = redis.call('TIME')
local time = now[1] * 1000 + math.floor(now[2] / 1000)
local lease = redis.call('ZSCORE', KEYS[3], ARGV[1])
if lease and tonumber(lease) > time then return {'none'} end
redis.call('ZADD', KEYS[3], time + ARGV[3], ARGV[1])
return {'ok', tostring(redis.call('HINCRBY', KEYS[1], 'epoch', 1)), run[1]}
`

export const STOP = `
local run = redis.call('HMGET', KEYS[1], 'next', 'closed')
if not run[1] or run[2] then return {'none'} end
redis.call('HSET', KEYS[1], 'stop', 1)
redis.call('PUBLISH', ARGV[8], 'stop')
return {'ok', ''}
`

export const REMOVE = `
local found = redis.call('DEL', KEYS[1], KEYS[2])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('PUBLISH', ARGV[8], 'removed')
return {found > 0 and 'ok' or 'none', ''}
`

/** KEYS: the set of open runs alone. */
export const LOST = `
local now = redis.call('TIME')
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now[1] * 1000 + math.floor(now[2] / 1000), 'LIMIT', 0, 100)
`
