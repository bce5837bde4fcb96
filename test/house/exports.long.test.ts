// @reads src/ test/house/exports.txt
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { entrySources } from '../../scripts/entries.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  exports: Record<string, string | { default: string }>
  bin: Record<string, string>
}

/** What each entry exports, values and types: the name, and what it stands for. */
function exported(): Map<string, Map<string, ts.Symbol>> {
  const sources = [...entrySources(root)].map(([entry, source]) => [entry, root + source] as const)
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
  const program = ts.createProgram({ rootNames: sources.map(([, file]) => file), options })
  const checker = program.getTypeChecker()
  return new Map(
    sources.map(([entry, file]) => {
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

const all = exported()

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
