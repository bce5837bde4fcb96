/** Looks at the schemas of tools when they are defined. */

import { SluiceError } from '../../base/errors.ts'
import { brokenPatternIn } from '../../values/schema/check-patterns.ts'
import type { ToolTable } from './tools.ts'

/** Tables whose schemas were looked at before. */
const checked = new WeakSet<ToolTable>()

/**
 * Throws for a tool whose schema has a pattern that cannot be run: all of its calls would be refused. For tools that the
 * application defines; those of a client's request are served.
 */
export function checkSchemas(table: ToolTable): ToolTable {
  if (checked.has(table)) return table
  for (const { name, schema, standard } of table) {
    // A Standard Schema runs its patterns itself.
    const broken = schema === undefined || standard ? undefined : brokenPatternIn(schema)
    if (broken !== undefined)
      throw new SluiceError(
        'invalid-schema',
        `The schema of the tool '${name}' cannot be checked, because of ${broken.path}. ${broken.problem}`,
      )
  }
  checked.add(table)
  return table
}
