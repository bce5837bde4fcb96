import { describe, expect, it } from 'vitest'
import { checked } from '../../../../src/engine/wire/checked-dialect.ts'
import { ToolSyntaxRegistry } from '../../../../src/views/compat/segments/tool-syntax.ts'
import { JSON_PROFILES } from '../../../../src/views/compat/segments/wire/json-call.ts'
import { DETECTION_STRATEGIES, dialectsFor } from '../../../../src/views/compat/segments/wire/strategies.ts'

describe('the dialects of segments', () => {
  it.each([
    ['for the usual tools', new ToolSyntaxRegistry()],
    [
      'for a tool of its own',
      new ToolSyntaxRegistry([{ name: 'note', streams: 'content', shorthand: true }]),
    ],
  ])('could have been defined by a user, whose dialects are checked, %s', (_, registry) => {
    for (const profile of JSON_PROFILES)
      for (const dialect of dialectsFor(DETECTION_STRATEGIES, registry, profile))
        expect(checked(dialect)).toBe(dialect)
  })
})
