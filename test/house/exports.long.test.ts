import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  exports: Record<string, string | { default: string }>
  bin: Record<string, string>
}

/** The entries of the package, each with the source it is built from. */
function entries(): Map<string, string> {
  return new Map(
    Object.entries(manifest.exports).flatMap(([subpath, target]) =>
      typeof target === 'string'
        ? []
        : [
            [
              posix.join('sluice', subpath),
              root + target.default.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts'),
            ],
          ],
    ),
  )
}

/** What each entry exports, values and types: the name, and what it stands for. */
function exported(files: ReadonlyMap<string, string>): Map<string, Map<string, ts.Symbol>> {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
  const program = ts.createProgram({ rootNames: [...files.values()], options })
  const checker = program.getTypeChecker()
  return new Map(
    [...files].map(([entry, file]) => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!
      const symbols = checker
        .getExportsOfModule(module)
        .map((symbol): [string, ts.Symbol] => [
          symbol.name,
          symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
        ])
      return [entry, new Map(symbols)]
    }),
  )
}

const all = exported(entries())

test('the package exports what exports.txt lists, with the same files and commands', async () => {
  const commands = Object.entries(manifest.bin).map(([name, file]) => `bin ${name}: ${file}`)
  const files = Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? target : [],
  )
  const names = [...all].flatMap(([entry, symbols]) => [...symbols.keys()].map((name) => `${entry}: ${name}`))
  await expect([...commands.sort(), ...files, ...names.sort(), ''].join('\n')).toMatchFileSnapshot(
    'exports.txt',
  )
})

test('no two entries export one name for different things', () => {
  expect([...all.get('sluice')!.keys()]).toContain('SluiceEvent')
  const first = new Map<string, [entry: string, symbol: ts.Symbol]>()
  const clashes: string[] = []
  for (const [entry, symbols] of all)
    for (const [name, symbol] of symbols) {
      const [before, known] = first.get(name) ?? [entry, symbol]
      if (known !== symbol) clashes.push(`${name} of ${before} is not ${name} of ${entry}`)
      first.set(name, [before, known])
    }
  expect(clashes).toEqual([])
})
