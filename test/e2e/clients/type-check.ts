/** Values against the types of a package, as the compiler sees them where a program has them as literals. */

import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** Where the packages of the end-to-end tests are found. */
const PLACE = fileURLToPath(new URL('./', import.meta.url))

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
}

/** A value that should be of a type. */
export interface Checked {
  readonly type: string
  /** The package that has the type, or lines that declare it. */
  readonly from: string | readonly string[]
  readonly value: unknown
}

const declaration = (type: string, from: Checked['from']): string =>
  typeof from === 'string' ? `import type { ${type} } from '${from}'` : from.join('\n')

/** What is wrong with each value; a literal may have no field that its type does not know. One program for all is fast. */
export function typeErrors(values: readonly Checked[]): readonly (readonly string[])[] {
  const sources = new Map(
    values.map(({ type, from, value }, index) => [
      `${PLACE}checked-${index}.ts`,
      `${declaration(type, from)}\nexport const value: ${type} = ${JSON.stringify(value, null, 2)}\n`,
    ]),
  )
  const host = ts.createCompilerHost(OPTIONS)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (name) => sources.has(name) || fileExists(name)
  host.readFile = (name) => sources.get(name) ?? readFile(name)
  host.getSourceFile = (name, ...rest) => {
    const source = sources.get(name)
    return source === undefined
      ? getSourceFile(name, ...rest)
      : ts.createSourceFile(name, source, OPTIONS.target!)
  }
  const program = ts.createProgram([...sources.keys()], OPTIONS, host)
  return Array.from(sources.keys(), (name) => {
    const file = program.getSourceFile(name)
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
    )
  })
}
