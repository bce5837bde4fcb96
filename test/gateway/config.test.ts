import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/gateway/gateway-config.ts'

const message = (config: unknown, env = {}): string => {
  try {
    readConfig(config, env)
    return 'it was taken'
  } catch (error) {
    return error instanceof ConfigError ? error.message : String(error)
  }
}

describe('a configuration', () => {
  test('has defaults for everything', () => {
    expect(readConfig({}, {})).toMatchObject({ host: '127.0.0.1', upstreams: [], keys: [], retries: 2 })
  })

  test('names upstreams, with what is special about their models', () => {
    const { upstreams } = readConfig(
      {
        upstreams: {
          local: {
            url: 'http://127.0.0.1:11434',
            key: 'env:LOCAL_KEY',
            models: { coder: { model: 'qwen3-coder:30b', mode: 'prompt', dialect: 'qwen3-coder' } },
          },
          claude: { url: 'https://api.anthropic.com', key: 'client' },
        },
      },
      { LOCAL_KEY: 'local-key-1' },
    )
    expect(upstreams.map(({ name, protocol, mode, key }) => [name, protocol, mode, key])).toEqual([
      ['local', 'ollama', 'native', { own: 'local-key-1' }],
      ['claude', 'anthropic', 'native', 'client'],
    ])
    expect(upstreams[0]!.models.coder).toMatchObject({
      model: 'qwen3-coder:30b',
      mode: 'prompt',
      dialect: { name: 'qwen3-coder' },
    })
  })

  test.each<[config: unknown, says: string]>([
    [[], 'The configuration must be an object, not a list.'],
    [{ prot: 1 }, "There is no setting 'prot'; did you mean 'port'?"],
    [{ port: 'x' }, '\'port\' must be a number from 0 to 65535, not "x".'],
    [{ upstreams: { a: {} } }, `'upstreams.a.url' is missing; write "url": "http://127.0.0.1:8000".`],
    [
      { upstreams: { a: { url: 'ftp://x' } } },
      "'upstreams.a.url' must be an address such as http://127.0.0.1:8000, not 'ftp://x'.",
    ],
    [{ upstreams: { a: { url: 'http://x', mod: 'prompt' } } }, "In upstreams.a there is no setting 'mod'"],
    [
      { upstreams: { a: { url: 'http://x', mode: 'text' } } },
      `'upstreams.a.mode' must be 'native', 'template' or 'prompt', not "text".`,
    ],
    [
      { upstreams: { a: { url: 'http://x', protocol: 'anthropic', mode: 'template' } } },
      `'upstreams.a.mode' is 'template', which works only with Chat Completions; write "mode": "prompt".`,
    ],
    [{ upstreams: { a: { url: 'http://x', dialect: 'hermse' } } }, "'upstreams.a.dialect':"],
    [
      { upstreams: { a: { url: 'http://x', protectCode: 'yes' } } },
      `'upstreams.a.protectCode' must be true or false, not "yes".`,
    ],
    [
      { upstreams: { a: { url: 'http://x', key: 'word' } } },
      "'upstreams.a.key' is too short for a secret: a key needs 12 characters",
    ],
    [
      { upstreams: { a: { url: 'http://x', key: 'password' } } },
      "'upstreams.a.key' is too short for a secret",
    ],
    [{ upstreams: { a: { url: 'http://x', key: 'EMPTY' } } }, 'it was taken'],
    [{ upstreams: { a: { url: 'http://x', key: 'hunter-2' } } }, 'it was taken'],
    [
      { upstreams: { a: { url: 'http://x', key: 'env:NONE' } } },
      "'upstreams.a.key' is env:NONE, and there is no such environment variable.",
    ],
    [
      { log: 'sqlite:x' },
      "'log' must be file:FOLDER, redis://HOST:PORT, nats://HOST:PORT or none, not 'sqlite:x'.",
    ],
    [{ resumable: 'always', log: 'none' }, "'resumable' is 'always', and there is no log;"],
    [{ keys: ['a'], upstreams: { a: { url: 'http://x', key: 'client' } } }, 'a client can send only one'],
    [{ allow: ['everything'] }, "'allow' must be a list of 'guess' or 'place-uncertain', not"],
  ])('%j is refused, and says what to write', (config, says) => {
    expect(message(config)).toContain(says)
  })

  test('shows no password', () => {
    expect(message({ log: 'mysql://user:secret@host' })).not.toContain('secret')
    const upstreams = { a: { url: 'http://user:secret@host' } }
    expect(message({ upstreams })).toBe(
      `'upstreams.a.url' has a user or a password in it; write "key": "env:NAME" instead.`,
    )
  })
})
