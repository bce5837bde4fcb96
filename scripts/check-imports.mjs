// Checks that imports in src/ point upward in the order of its rooms, and that the core entries reach nothing outside it.
//
//   node scripts/check-imports.mjs [root]
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { entrySources } from './entries.mjs'
import { filesBelow } from './files.mjs'

/** What these entries reach, through however many files, is inside src/: no package and nothing of Node. */
const CORE_ENTRIES = ['sluice', 'sluice/json', 'sluice/xml', 'sluice/schema', 'sluice/dialects']

export const FILES = 'other files'
export const FOLDERS = 'other folders'

/**
 * The rooms of src/ in the order in which they may import each other. A file may import from its own room and from
 * the rooms above it.
 *
 * `order` continues the rule inside a room: a place may import from the places in the rows before its own, and from its
 * neighbours in the row as long as two neighbours never import each other. A place is a folder (`wire/`) or a file
 * (`parser.ts`). What is not named is FILES, together one place, or FOLDERS, each a place of its own.
 *
 * @typedef {{ readonly name: string, readonly what: string, readonly order: readonly (readonly string[])[] }} Room
 * @type {readonly Room[]}
 */
export const ROOMS = [
  {
    name: 'base',
    what: 'what every room speaks: events, parts, errors, ids, options, limits, paths, plain state',
    order: [[FILES]],
  },
  {
    name: 'values',
    what: 'values while they arrive: numbers, regular expressions, JSON Schema, JSON, XML',
    order: [['numbers/', 'pattern/'], ['schema/'], ['json/', 'xml/']],
  },
  {
    name: 'engine',
    what: 'text to events, events to text: the template language, the machine, calls',
    order: [['calls/'], ['wire/'], ['parser.ts'], ['message.ts'], ['render.ts', 'stream.ts']],
  },
  {
    name: 'dialects',
    what: 'one file of declarations per format that models write',
    order: [[FILES], ['yaml/']],
  },
  {
    name: 'requests',
    what: 'everything a model is sent: conversations, prompts, chat templates, grammars',
    order: [['conversation/'], ['grammar/', 'prompt/'], ['templates/']],
  },
  {
    name: 'providers',
    what: 'one folder per protocol: its stream and its request, read and written',
    order: [
      ['framing/'],
      [FILES],
      [FOLDERS],
      ['any.ts', 'index.ts', 'named-providers.ts', 'named-requests.ts', 'named-writers.ts', 'requests.ts'],
    ],
  },
  {
    name: 'views',
    what: 'one folder per shape that a consumer wants; in compat/ the published designs',
    order: [[FILES, FOLDERS, 'compat/blocks/', 'compat/progress/', 'compat/segments/']],
  },
  {
    name: 'runs',
    what: 'responses that are kept: recordings, and logs in memory, files, Redis and NATS',
    order: [['recording/'], ['log/']],
  },
  {
    name: 'turn',
    what: 'the tool loop, and policies on growing arguments',
    order: [['policy/'], [FILES]],
  },
  {
    name: 'gateway',
    what: 'the server: clients of any protocol, models behind any other',
    order: [[FILES]],
  },
  {
    name: 'apps',
    what: 'what people start: the terminal view, the playground, the `sluice` command',
    order: [['playground/', 'terminal/'], ['cli/']],
  },
]

/** The only file beside the rooms. It may import from all of them, and none imports it. */
const ENTRY = 'index.ts'

/**
 * A file's imports, as paths from the root (`src/base/event.ts`) or as written when they leave src/ (`node:fs`).
 * Type imports count: what a declaration mentions, its user must have.
 *
 * @typedef {{ inside: string[], outside: string[], problems: string[] }} Imports
 */

/** @param {string} root @param {string} file @returns {Imports} */
function readImports(root, file) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest)
  /** @type {Imports} */
  const imports = {
    inside: [],
    outside: source.typeReferenceDirectives.map((it) => it.fileName),
    problems: [],
  }

  /** @param {ts.Node} specifier */
  function add(specifier) {
    if (!ts.isStringLiteralLike(specifier)) {
      imports.problems.push(`${file} imports an expression, which cannot be followed. Import a literal path.`)
      return
    }
    const target = posix.join(dirname(file), specifier.text)
    if (!specifier.text.startsWith('.') || !target.startsWith('src/')) imports.outside.push(specifier.text)
    else if (existsSync(join(root, target))) imports.inside.push(target)
    else imports.problems.push(`${file} imports '${specifier.text}', which is not there.`)
  }

  /** @param {ts.Node} node */
  function visit(node) {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      add(node.moduleSpecifier)
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      if (node.arguments[0]) add(node.arguments[0])
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return imports
}

/**
 * Where a file is: its room, and its place in the order of that room.
 *
 * @typedef {{ room: Room, floor: number, place: string, row: number }} Place
 */

/** The place of a file of src/, or undefined where it has none. @param {string} file @returns {Place | undefined} */
export function placeOf(file) {
  const [, name = '', ...rest] = file.split('/')
  const floor = ROOMS.findIndex((room) => room.name === name)
  const room = ROOMS[floor]
  if (room === undefined) return undefined
  const [first = '', second = ''] = rest
  /** What `order` may call it, the most exact name first, and the place that this is. */
  const names =
    rest.length === 1
      ? [
          [first, first],
          [FILES, FILES],
        ]
      : [
          [`${first}/${second}/`, `${first}/${second}/`],
          [`${first}/`, `${first}/`],
          [FOLDERS, `${first}/`],
        ]
  for (const [known = '', place = ''] of names) {
    const row = room.order.findIndex((row) => row.includes(known))
    if (row >= 0) return { room, floor, place, row }
  }
  return undefined
}

/** @param {Map<string, Imports>} graph */
function problemsWithFlow(graph) {
  const problems = new Set()
  /** @type {Map<string, string>} for each pair of neighbours, the first import that joins them */
  const joined = new Map()
  for (const [file, { inside, outside }] of graph) {
    for (const specifier of outside)
      if (/^(?:\.|sluice(?:\/|$))/.test(specifier))
        problems.add(`${file} imports '${specifier}'. Import a file of src/ by its path.`)
    if (file === `src/${ENTRY}`) continue
    const from = placeOf(file)
    if (from === undefined) {
      const [, entry] = file.split('/')
      problems.add(
        ROOMS.some(({ name }) => name === entry)
          ? `${file} has no place in src/${entry}. Add it to the order of that room in scripts/check-imports.mjs.`
          : `src/${entry} is no room. Move it into one; scripts/check-imports.mjs lists them.`,
      )
      continue
    }
    for (const target of inside) {
      const said = `${file} imports ${target}`
      if (target === `src/${ENTRY}`) {
        problems.add(`${said}, which is for users. Import the file that exports what is needed.`)
        continue
      }
      const to = placeOf(target)
      if (to === undefined) continue
      const [here, there] = from.room === to.room ? [from.place, to.place] : [from.room.name, to.room.name]
      if (here === there) continue
      if (to.floor > from.floor || (to.floor === from.floor && to.row > from.row)) {
        problems.add(
          `${said}, against the flow: ${there} comes after ${here}. Move what both need above both.`,
        )
      } else if (to.floor === from.floor && to.row === from.row) {
        const back = joined.get(`${from.room.name} ${there} ${here}`)
        if (back) problems.add(`${said}, but ${back}: neighbours import one way only.`)
        joined.set(`${from.room.name} ${here} ${there}`, said)
      }
    }
  }
  return [...problems]
}

/**
 * Follows one core entry breadth first, so that the chain in a message is a shortest one.
 *
 * @param {Map<string, Imports>} graph @param {string} entry @param {string} start
 */
function problemsWithReach(graph, entry, start) {
  const problems = []
  const chains = new Map([[start, start]])
  for (const [file, chain] of chains) {
    for (const specifier of graph.get(file)?.outside ?? []) {
      problems.push(`${entry} must run anywhere but reaches '${specifier}': ${chain} -> ${specifier}`)
    }
    for (const target of graph.get(file)?.inside ?? []) {
      if (!chains.has(target)) chains.set(target, `${chain} -> ${target}`)
    }
  }
  return problems
}

/** @param {string} root */
export function sourcesOf(root) {
  return filesBelow(root, 'src').filter((file) => file.endsWith('.ts'))
}

/** All that is wrong with the imports of the package at `root`, one sentence each. @param {string} root */
export function checkImports(root) {
  const graph = new Map(sourcesOf(root).map((file) => [file, readImports(root, file)]))
  const problems = [...graph.values()].flatMap((imports) => imports.problems)
  problems.push(...problemsWithFlow(graph))

  const sources = entrySources(root)
  for (const entry of CORE_ENTRIES) {
    const start = sources.get(entry) ?? ''
    if (graph.has(start)) problems.push(...problemsWithReach(graph, entry, start))
    else
      problems.push(`'${entry}' is not in the export map, or its source is not there: ${start || 'no path'}.`)
  }
  return problems
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = checkImports(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)))
  for (const problem of problems) console.error(problem)
  if (problems.length === 0) console.log('Imports point upward, and the core entries reach nothing outside.')
  process.exitCode = problems.length === 0 ? 0 : 1
}
