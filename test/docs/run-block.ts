/**
 * Runs the programs in the documentation. A comment that begins with `// →` is a line of output:
 *
 *     console.log(message.text)   // → Hello
 *     isExecutable(call)          // → false
 *
 * An expression that is followed by such a comment is shown as Node shows it; a list of events is shown with
 * one event per line.
 *
 * @reads src/ examples/ test/docs/ tsconfig.json
 */

import * as fs from 'node:fs/promises'
import { inspect } from 'node:util'
import * as ai from 'ai6'
import * as aiTest from 'ai6/test'
import * as sluice from 'sluice'
import * as aiSdk from 'sluice/ai-sdk'
import * as aiSdkYaml from 'sluice/ai-sdk/yaml'
import * as blocks from 'sluice/blocks'
import * as dialects from 'sluice/dialects'
import * as grammar from 'sluice/grammar'
import * as json from 'sluice/json'
import * as log from 'sluice/log'
import * as policy from 'sluice/policy'
import * as progress from 'sluice/progress'
import * as prompt from 'sluice/prompt'
import * as providers from 'sluice/providers'
import * as anyProvider from 'sluice/providers/any'
import * as recording from 'sluice/recording'
import * as requests from 'sluice/requests'
import * as schema from 'sluice/schema'
import * as segments from 'sluice/segments'
import * as templates from 'sluice/templates'
import * as terminal from 'sluice/terminal'
import * as turn from 'sluice/turn'
import * as xml from 'sluice/xml'
import * as yaml from 'sluice/yaml'
import ts from 'typescript'
import * as zod from 'zod'
import { fetchDocumented, fetchOutside } from './model-server.ts'

const MODULES: Readonly<Record<string, object>> = {
  ai,
  'ai/test': aiTest,
  zod,
  sluice,
  'sluice/ai-sdk': aiSdk,
  'sluice/ai-sdk/yaml': aiSdkYaml,
  'sluice/blocks': blocks,
  'sluice/dialects': dialects,
  'sluice/json': json,
  'sluice/log': log,
  'node:fs/promises': fs,
  'sluice/providers': providers,
  'sluice/providers/any': anyProvider,
  'sluice/policy': policy,
  'sluice/progress': progress,
  'sluice/prompt': prompt,
  'sluice/templates': templates,
  'sluice/grammar': grammar,
  'sluice/recording': recording,
  'sluice/requests': requests,
  'sluice/schema': schema,
  'sluice/segments': segments,
  'sluice/terminal': terminal,
  'sluice/turn': turn,
  'sluice/xml': xml,
  'sluice/yaml': yaml,
}

/** What the program says it will write. */
export function promisedOutput(program: string): string[] {
  return [...program.matchAll(/\/\/ → ?(.*)$/gm)].map((match) => match[1]!)
}

/** What the program writes. */
export async function outputOf(program: string): Promise<string[]> {
  const written: string[] = []
  const write = (text: string): void => void written.push(...text.split('\n'))
  const load = (name: string): object => {
    const module = MODULES[name]
    if (module === undefined) throw new Error(`The documentation imports '${name}', which is no entry.`)
    return module
  }
  const body = ts.transpileModule(runnable(program), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  }).outputText
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...args: unknown[]) => Promise<void>
  const run = new AsyncFunction('$load', '$show', 'console', body.replace(/^export \{\};$/m, ''))
  globalThis.fetch = fetchDocumented
  try {
    await run(load, (value: unknown) => value !== undefined && write(shown(value)), {
      log: (...values: unknown[]) => write(values.map(logged).join(' ')),
    })
  } finally {
    globalThis.fetch = fetchOutside
  }
  return written
}

function logged(value: unknown): string {
  return typeof value === 'string' ? value : inspected(value)
}

function shown(value: unknown): string {
  const isEvents = Array.isArray(value) && value.length > 0 && value.every((one) => one?.type !== undefined)
  return isEvents ? value.map(inspected).join('\n') : inspected(value)
}

function inspected(value: unknown): string {
  return inspect(value, { breakLength: Number.POSITIVE_INFINITY, compact: true, depth: 9 })
}

/** The program as the body of a function: imports are loaded, and what is to be shown is. */
function runnable(program: string): string {
  const source = ts.createSourceFile('block.ts', program, ts.ScriptTarget.Latest, true)
  const changes: { from: number; to: number; text: string }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node))
      changes.push({ from: node.getStart(), to: node.end, text: loaded(node) })
    else if (ts.isExpressionStatement(node) && isShown(program, node))
      changes.push({ from: node.getStart(), to: node.end, text: `$show(${node.expression.getText()})` })
    else ts.forEachChild(node, visit)
  }
  visit(source)
  return changes.reduceRight(
    (text, { from, to, text: change }) => text.slice(0, from) + change + text.slice(to),
    program,
  )
}

function isShown(program: string, node: ts.ExpressionStatement): boolean {
  if (node.expression.getText().startsWith('console.')) return false
  const [comment] = ts.getTrailingCommentRanges(program, node.end) ?? []
  const next = /^\n\s*\/\/ →/.test(program.slice(node.end))
  return next || (comment !== undefined && program.slice(comment.pos).startsWith('// →'))
}

function loaded({ importClause, moduleSpecifier }: ts.ImportDeclaration): string {
  const bindings = importClause?.namedBindings
  if (importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return ''
  if (bindings === undefined || !ts.isNamedImports(bindings))
    throw new Error(`The documentation imports by name: ${moduleSpecifier.getText()}.`)
  const names = bindings.elements
    .filter((element) => !element.isTypeOnly)
    .map(({ name, propertyName }) =>
      propertyName ? `${propertyName.getText()}: ${name.getText()}` : name.getText(),
    )
  return `const { ${names.join(', ')} } = $load(${moduleSpecifier.getText()})`
}

// ── types ────────────────────────────────────────────────────────────────────────────────────────

/** What the compiler finds wrong with programs that stand in files of these names, by their name. */
export function typeErrorsOf(root: string, programs: ReadonlyMap<string, string>): string[] {
  const path = (name: string): string => `${root}test/docs/${name}.ts`
  const files = new Map([...programs].map(([name, program]) => [path(name), program]))
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
  // The AI SDK is installed once for each major; the programs use one of them by the name that users know.
  options.paths = {
    ...options.paths,
    ai: ['./node_modules/ai6/dist/index.d.ts'],
    'ai/test': ['./node_modules/ai6/dist/test/index.d.ts'],
  }
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile, readFile } = host
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.readFile = (name) => files.get(name) ?? readFile(name)
  host.getSourceFile = (name, languageVersion, ...rest) => {
    const program = files.get(name)
    return program === undefined
      ? getSourceFile(name, languageVersion, ...rest)
      : ts.createSourceFile(name, program, languageVersion, true)
  }
  const program = ts.createProgram({ rootNames: [...files.keys()], options, host })
  return [...files.keys()].flatMap((name) => {
    const file = program.getSourceFile(name)
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      (problem) => {
        const { line } = file!.getLineAndCharacterOfPosition(problem.start ?? 0)
        const message = ts.flattenDiagnosticMessageText(problem.messageText, ' ')
        return `${name.slice(path('').length - 3, -3)}, line ${line + 1}: ${message}`
      },
    )
  })
}
