import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import * as sluice from 'sluice'
import * as aiSdk from 'sluice/ai-sdk'
import * as blocks from 'sluice/blocks'
import * as dialects from 'sluice/dialects'
import * as grammar from 'sluice/grammar'
import * as json from 'sluice/json'
import * as policy from 'sluice/policy'
import * as progress from 'sluice/progress'
import * as prompt from 'sluice/prompt'
import * as providers from 'sluice/providers'
import * as anyProviders from 'sluice/providers/any'
import * as recording from 'sluice/recording'
import * as requests from 'sluice/requests'
import * as schema from 'sluice/schema'
import * as segments from 'sluice/segments'
import * as templates from 'sluice/templates'
import * as terminal from 'sluice/terminal'
import * as turn from 'sluice/turn'
import * as xml from 'sluice/xml'
import * as yaml from 'sluice/yaml'
import { describe, expect, test } from 'vitest'
import { DIALECTS } from '../../scripts/dialects-page.ts'
import { sluice as command } from '../apps/cli/harness.ts'
import { anchorOf, type Block, PAGES, type Page, ROOT } from './markdown.ts'

const page = (name: string): Page => PAGES.find((one) => one.name === name)!
const blocksOf = (language: string, word?: string): Block[] =>
  PAGES.flatMap(({ blocks }) =>
    blocks.filter(
      (block) => block.language === language && (word === undefined || block.words.includes(word)),
    ),
  )
const at = ({ page, line }: Block): string => `${page}, line ${line}`

/** The rows of the tables in a page, each a list of its cells. */
function rowsOf({ prose }: Page): string[][] {
  return prose
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

/** What stands in backticks in a text. */
const coded = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
/** The codes in the first column of a page's tables. */
const named = (name: string): Set<string> => new Set(rowsOf(page(name)).flatMap(([first]) => coded(first!)))
/** The section of a page under a heading. */
function sectionOf({ text }: Page, heading: string): string {
  const [, section] = text.split(new RegExp(`^#+ ${heading}$`, 'm'))
  return section!.split(/^## /m)[0]!
}
/** The members of a union of words in a source file. */
function wordsOf(file: string, type: string): string[] {
  const [, rest] = readFileSync(`${ROOT}${file}`, 'utf8').split(`type ${type} =`)
  return [...rest!.split('\n\n')[0]!.matchAll(/\| '([\w-]+)'/g)].map((match) => match[1]!)
}

/** What is in the package; npm adds the README by itself. */
const PACKED: readonly string[] = [
  'README.md',
  ...(JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { files: string[] }).files,
]

describe('links', () => {
  const links = PAGES.flatMap(({ name, prose }) =>
    [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => [name, match[1]!] as const),
  )

  test.each(links.filter(([, target]) => !target.startsWith('http')))('in %s: %s', (name, target) => {
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? name : posix.join(posix.dirname(name), path)
    expect(existsSync(`${ROOT}${file}`)).toBe(true)
    // Pages lead nowhere else than to what is in the package with them. Pictures of the page and charts are only in the
    // repository.
    if (!/\.webp$|^bench\/charts\//.test(file))
      expect(PACKED.some((packed) => `${file}/`.startsWith(`${packed}/`))).toBe(true)
    if (anchor !== undefined) expect(page(file).headings.map(anchorOf)).toContain(anchor)
  })
})

describe('files', () => {
  const files = PAGES.flatMap(({ name, prose }) =>
    coded(prose)
      .filter(
        (word) =>
          /^(src|test|scripts|examples|docs|dist)\/[\w./-]+$/.test(word) && !/NAME|^dist|views/.test(word),
      )
      .map((word) => [name, word] as const),
  )

  test.each(files)('that %s names are there: %s', (_, file) => {
    expect(existsSync(`${ROOT}${file}`)).toBe(true)
  })
})

describe('the command', () => {
  const commands = async (): Promise<string[]> => {
    const { stdout } = await command(['--help'])
    return [...stdout.matchAll(/^ {2}(\w+) {2,}/gm)].map((match) => match[1]!)
  }

  test('has the commands that docs/command.md and the README name', async () => {
    const { headings } = page('docs/command.md')
    const documented = headings.flatMap((heading) => /^sluice (\w+)$/.exec(heading)?.[1] ?? [])
    expect(documented).toEqual(await commands())
    const inReadme = rowsOf(page('README.md')).flatMap(
      ([first]) => /^`sluice (\w+)`$/.exec(first!)?.[1] ?? [],
    )
    expect(inReadme).toEqual(await commands())
  })

  test('has the options that docs/command.md names', async () => {
    for (const name of await commands()) {
      const { stdout } = await command(['help', name])
      const options = new Set([...stdout.matchAll(/^ {2}(--[a-z]+)/gm)].map((match) => match[1]!))
      const table = sectionOf(page('docs/command.md'), `sluice ${name}`).matchAll(/^\| `(--[a-z]+)/gm)
      expect(new Set([...table].map((match) => match[1]!)), name).toEqual(options)
    }
  })

  test.each(blocksOf('console').map((block) => [at(block), block] as const))(
    'says what %s shows',
    async (_, block) => {
      const [line, ...output] = block.content.split('\n')
      const { argv, stdin } = readCommand(line!)
      const { stdout } = await command(argv, { stdin })
      expect(stdout.trimEnd()).toBe(output.join('\n').trimEnd())
    },
  )

  const requests = blocksOf('json', 'request')
  const answers = blocksOf('json', 'answer')

  test.each(requests.map((block, index) => [at(block), block, answers[index]!] as const))(
    'answers the request of %s',
    async (_, request, answer) => {
      const stdin = `${JSON.stringify(JSON.parse(request.content))}\n`
      const { stdout } = await command(['parse', '--jsonl'], { stdin })
      expect(JSON.parse(stdout)).toEqual(JSON.parse(answer.content))
    },
  )

  /** `$ echo 'text' | sluice …` */
  function readCommand(line: string): { argv: string[]; stdin: string } {
    const [, text = '', args = ''] = /^\$ (?:echo '(.*)' \| )?sluice (.*)$/.exec(line) ?? []
    return { argv: args.split(' '), stdin: `${text}\n` }
  }
})

describe('tables', () => {
  test('of events name every event', () => {
    const source = readFileSync(`${ROOT}src/base/event.ts`, 'utf8')
    const events = [...source.matchAll(/readonly type: '([\w-]+)'/g)].map((match) => match[1]!)
    for (const event of events) expect(named('docs/events.md')).toContain(event)
  })

  test('of diagnostics name codes that exist', () => {
    const section = sectionOf(page('docs/events.md'), 'Diagnostics')
    const documented = [...section.matchAll(/^\| `([\w-]+)` \|/gm)]
      .map((match) => match[1]!)
      .filter((code) => code !== 'code')
    const codes = wordsOf('src/base/event.ts', 'DiagnosticCode')
    for (const code of documented) expect(codes).toContain(code)
  })

  test('of reasons to finish name every reason', () => {
    const [, line] = /type FinishReason = (.*)/.exec(readFileSync(`${ROOT}src/base/event.ts`, 'utf8'))!
    for (const reason of line!.match(/[\w-]+/g)!) expect(named('docs/events.md')).toContain(reason)
  })

  test('of errors name every code', () => {
    for (const code of wordsOf('src/base/errors.ts', 'ErrorCode'))
      expect(named('docs/parser.md')).toContain(code)
  })

  test('of options name every option', () => {
    let message = ''
    try {
      sluice.createParser({ nothing: true } as object)
    } catch (error) {
      message = (error as Error).message
    }
    const options = message.split('use one of ')[1]!.match(/\w+/g)!
    expect(options.length).toBeGreaterThan(5)
    for (const option of options) expect(named('docs/parser.md')).toContain(option)
  })

  test('of limits name every limit with its default', () => {
    const rows = rowsOf(page('docs/parser.md'))
    for (const [limit, value] of Object.entries(sluice.DEFAULT_LIMITS))
      expect(rows).toContainEqual([`\`${limit}\``, expect.any(String), String(value)])
  })

  test("of a dialect's definition name every field", () => {
    let message = ''
    try {
      dialects.dialect('x', { nothing: true } as object)
    } catch (error) {
      message = (error as Error).message
    }
    const fields = message.split('use one of ')[1]!.match(/\w+/g)!
    for (const field of fields) expect(named('docs/wire.md')).toContain(field)
  })

  const tolerated = rowsOf(page('docs/json.md')).filter(
    ([code, kind]) => code !== 'code' && /^(lossless|guess|lossy)$/.test(kind!),
  )

  test.each(tolerated.filter(([, , text]) => /^(`[^`]+`|`` .* ``)$/.test(text!)))(
    'of what JSON tolerates are right: %s, %s, %s',
    (code, repairClass, text, value) => {
      const written = text.replaceAll(/^`+ ?| ?`+$/g, '').replaceAll('⏎', '\n')
      const { repairs, value: got } = json.safeParseJson(
        text.startsWith('`` ') ? text.slice(3, -3).replaceAll('⏎', '\n') : written,
      )
      expect(repairs.map((repair) => [`\`${repair.code}\``, repair.class])).toEqual([[code, repairClass]])
      expect(got).toEqual(JSON.parse(coded(value)[0]!))
    },
  )

  test('of what JSON tolerates name every repair', () => {
    const codes = wordsOf('src/values/json/handler.ts', 'JsonRepairCode')
    expect(new Set(tolerated.map(([code]) => coded(code!)[0]))).toEqual(new Set(codes))
  })

  test('in the README say how many dialects there are, and name every entry', () => {
    const { text } = page('README.md')
    expect(text).toContain(`${DIALECTS.length} tool-call dialects`)
    const { exports } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { exports: object }
    for (const entry of Object.keys(exports))
      if (entry !== './package.json') expect(text).toContain(`\`${posix.join('sluice', entry)}\``)
  })
})

test('the ratios in the README are those of bench/PEERS.md', () => {
  const measured = readFileSync(`${ROOT}bench/PEERS.md`, 'utf8')
  const ratios = [...page('README.md').text.matchAll(/\| (more than )?([\d.]+)× as fast as `([^`]+)`/g)]
  expect(ratios.length).toBe(6)
  for (const [, isBound, ratio, peer] of ratios) {
    const row = measured.split('\n').find((line) => line.includes(`| ${isBound ? '> ' : ''}${ratio}× `))
    expect(row).toContain(peer)
  }
})

describe('providers', () => {
  test('are all in the tables of docs/providers.md', () => {
    const inPage = named('docs/providers.md')
    for (const { name } of anyProviders.allProviders) expect(inPage).toContain(name)
    const { length } = anyProviders.allProviders
    expect(page('README.md').text, 'README.md says how many there are').toContain(`${length} providers' APIs`)
  })

  test('that can be written are marked as such', () => {
    const written = rowsOf(page('docs/providers.md')).filter(([, , , writes]) => writes === 'yes')
    const names = written.flatMap(([name]) => coded(name!))
    expect(new Set(names)).toEqual(new Set(anyProviders.allWriters.map(({ name }) => name)))
  })
})

describe('the recording format', () => {
  test.each(blocksOf('jsonl', 'recording').map((block) => [at(block), block] as const))(
    'reads %s',
    (_, { content }) => {
      expect(recording.formatRecording(recording.parseRecording(content)).trim()).toBe(content)
    },
  )
})

describe('every export is in a program of the documentation', () => {
  const programs = blocksOf('ts').map(({ content }) => content)
  const entries = {
    sluice,
    'sluice/blocks': blocks,
    'sluice/json': json,
    'sluice/schema': schema,
    'sluice/segments': segments,
    'sluice/xml': xml,
    'sluice/providers/any': anyProviders,
    'sluice/prompt': prompt,
    'sluice/templates': templates,
    'sluice/grammar': grammar,
    'sluice/requests': requests,
    'sluice/policy': policy,
    'sluice/progress': progress,
    'sluice/recording': recording,
    'sluice/terminal': terminal,
    'sluice/turn': turn,
  }

  test.each(Object.entries(entries))('%s', (entry, module) => {
    const used = programs.flatMap((program) => imported(program, entry))
    expect(Object.keys(module).filter((name) => !used.includes(name))).toEqual([])
  })

  test('sluice/providers, apart from the providers and writers themselves', () => {
    const used = programs.flatMap((program) => imported(program, 'sluice/providers'))
    const values: readonly unknown[] = [...anyProviders.allProviders, ...anyProviders.allWriters]
    const missing = Object.entries(providers).filter(
      ([name, value]) => !used.includes(name) && !values.includes(value),
    )
    expect(missing).toEqual([])
  })

  test('sluice/dialects and sluice/yaml, apart from the dialects themselves', () => {
    const used = programs.flatMap((program) => imported(program, 'sluice/dialects'))
    const isDialect = (value: unknown): boolean => DIALECTS.includes(value as dialects.Dialect)
    const all = { ...dialects, ...yaml }
    expect(Object.entries(all).filter(([name, value]) => !used.includes(name) && !isDialect(value))).toEqual(
      [],
    )
  })

  test('sluice/ai-sdk, apart from the middlewares of the dialects, of which each has one', () => {
    const used = programs.flatMap((program) => imported(program, 'sluice/ai-sdk'))
    const ready = Object.entries(aiSdk)
      .filter(([name, value]) => name.endsWith('Middleware') && typeof value === 'object')
      .map(([name]) => name)
    expect(Object.keys(aiSdk).filter((name) => !used.includes(name) && !ready.includes(name))).toEqual([])
    const all: Readonly<Record<string, unknown>> = dialects
    const named = Object.keys(all).filter((name) => DIALECTS.includes(all[name] as dialects.Dialect))
    expect(ready.sort()).toEqual(named.map((name) => `${name}Middleware`).sort())
  })

  function imported(program: string, entry: string): string[] {
    return [...program.matchAll(/import (?:type )?\{([^}]*)\} from '([^']+)'/g)]
      .filter((match) => match[2] === entry)
      .flatMap((match) => match[1]!.split(',').map((name) => name.replace('type ', '').trim()))
  }
})

describe('the page about security', () => {
  const promises = rowsOf(page('docs/security.md')).slice(2)

  // That they are there is tested for the files of all pages.
  test.each(promises)('names the tests of its promise: %s', (_, files) => {
    expect(coded(files!)).not.toEqual([])
    for (const file of coded(files!)) expect(file).toMatch(/^test\/.*\.test\.ts$/)
  })
})
