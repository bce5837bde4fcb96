// Checks that imports in src/ point one way along the flow, and that the core entries reach nothing outside it.
//
//   node scripts/check-imports.mjs [root]
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** What these entries reach, through however many files, is inside src/: no package and nothing of Node. */
const CORE_ENTRIES = ['.', './json', './xml', './schema', './dialects']

/**
 * The flow, first things first. A file or folder of src/ may import from any row before its own, and from its
 * neighbours in the row as long as two neighbours never import each other.
 */
export const LAYERS = [
  [
    'base64.ts',
    'errors.ts',
    'limits.ts',
    'merge-metadata.ts',
    'nearest.ts',
    'options.ts',
    'event.ts',
    'part.ts',
    'fields.ts',
    'nearest.ts',
    'ids.ts',
    'path.ts',
    'plain-state.ts',
    'rope.ts',
    'surrogates.ts',
    'whitespace.ts',
    'source.ts',
    'provider-stream.ts',
  ],
  ['pattern'],
  ['json', 'xml', 'schema'],
  ['calls'],
  ['wire'],
  ['dialects', 'yaml'],
  ['parser.ts'],
  ['message.ts', 'open-events.ts'],
  ['stream.ts', 'render.ts'],
  ['conversation'],
  ['prompt', 'templates', 'grammar'],
  ['providers'],
  ['views'],
  ['policy'],
  ['recording'],
  ['turn'],
  ['terminal', 'log'],
  ['gateway'],
  ['index.ts'],
  ['playground'],
  ['cli'],
]

/**
 * A file's imports, as paths from the root (`src/event.ts`) or as written when they leave src/ (`node:fs`).
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

/** The file or folder of src/ that a file belongs to: `json` for `src/json/reader.ts`. @param {string} file */
export const entryOf = (file) => /** @type {string} */ (file.split('/')[1])

/** @param {string} entry */
const layerOf = (entry) => LAYERS.findIndex((entries) => entries.includes(entry))

/** @param {Map<string, Imports>} graph */
function problemsWithFlow(graph) {
  const problems = new Set()
  /** @type {Map<string, string>} for each pair of neighbours, the first import that joins them */
  const joined = new Map()
  for (const [file, { inside }] of graph) {
    const from = entryOf(file)
    if (layerOf(from) < 0) {
      problems.add(`src/${from} has no place in the flow. Add it to LAYERS in scripts/check-imports.mjs.`)
      continue
    }
    for (const target of inside) {
      const to = entryOf(target)
      if (from === to || layerOf(to) < 0) continue
      const said = `${file} imports ${target}`
      if (layerOf(to) > layerOf(from)) {
        problems.add(`${said}, against the flow: ${to} comes after ${from}. Move what both need below both.`)
      } else if (layerOf(to) === layerOf(from)) {
        const back = joined.get(`${to} ${from}`)
        if (back) problems.add(`${said}, but ${back}: neighbours import one way only.`)
        joined.set(`${from} ${to}`, said)
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

/** The imports of each file in src/. @param {string} root @returns {Map<string, Imports>} */
export function importsBelow(root) {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts'))
    .sort()
  return new Map(files.map((file) => [file, readImports(root, file)]))
}

/** All that is wrong with the imports of the package at `root`, one sentence each. @param {string} root */
export function checkImports(root) {
  const graph = importsBelow(root)
  const problems = [...graph.values()].flatMap((imports) => imports.problems)
  problems.push(...problemsWithFlow(graph))

  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const subpath of CORE_ENTRIES) {
    const start = exports[subpath]?.default.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts')
    if (graph.has(start)) problems.push(...problemsWithReach(graph, posix.join(name, subpath), start))
    else
      problems.push(`The entry '${subpath}' is not in the export map, or its source ${start} is not there.`)
  }
  return problems
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = checkImports(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)))
  for (const problem of problems) console.error(problem)
  if (problems.length === 0)
    console.log('Imports follow the flow, and the core entries reach nothing outside.')
  process.exitCode = problems.length === 0 ? 0 : 1
}
