// Writes the reference of every entry into docs/api, from the doc comments. Fails if an export has no doc comment, or if a
// comment links to something that does not exist.
//
//   node scripts/api.mjs            writes it
//   node scripts/api.mjs --check    only looks
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { entrySources } from './entries.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { resolve } = createRequire(`${root}checks/`)
const { Application, ReflectionKind } = await import(pathToFileURL(resolve('typedoc')).href)

/**
 * An entry, or what it exports.
 *
 * @typedef {{ name: string, comment?: object, signatures?: { comment?: object }[], children?: Reflection[],
 *   kindOf(kind: number): boolean }} Reflection
 */

const isCheck = process.argv.includes('--check')

const app = await Application.bootstrapWithPlugins({
  entryPoints: [...entrySources(root).values()].map((source) => root + source),
  tsconfig: `${root}tsconfig.build.json`,
  plugin: [resolve('typedoc-plugin-markdown')],
  name: 'Sluice',
  out: `${root}docs/api`,
  readme: 'none',
  disableSources: true,
  excludePrivate: true,
  excludeInternal: true,
  validation: { notDocumented: false, invalidLink: true, notExported: false },
  logLevel: 'Warn',
  outputFileStrategy: 'modules',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  parametersFormat: 'table',
  propertiesFormat: 'table',
  interfacePropertiesFormat: 'table',
  useCodeBlocks: true,
})
const project = await app.convert()
if (project === undefined) process.exit(1)
app.validate(project)

/** Whether someone who looks it up finds words. What an entry exports from another one has them there. @param {Reflection} export_ */
function isDocumented(export_) {
  if (export_.kindOf(ReflectionKind.Reference)) return true
  return export_.comment !== undefined || (export_.signatures?.some(({ comment }) => comment) ?? false)
}

/** @type {Reflection[]} */
const documented = project.children ?? []
for (const entry of documented)
  for (const export_ of entry.children ?? [])
    if (!isDocumented(export_)) app.logger.error(`${export_.name} of ${entry.name} has no doc comment.`)
if (app.logger.hasWarnings() || app.logger.hasErrors()) process.exit(1)
if (!isCheck) {
  rmSync(`${root}docs/api`, { recursive: true, force: true })
  await app.generateOutputs(project)
}
