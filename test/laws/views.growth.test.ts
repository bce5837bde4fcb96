import { expect, test } from 'vitest'
import { createSinkParser } from '../../src/engine/parser.ts'
import { growthOf, MOST_GROWTH } from '../growth.ts'
import { ENTRIES } from './entries.ts'
import { VIEWS } from './views.ts'

/** A file in one argument, and many short calls. */
const fileAndCalls = (length: number): string =>
  `<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "${'line\\n'.repeat(length / 6)}"}}</tool_call>` +
  'a < b. <tool_call>{"name": "ping", "arguments": {}}</tool_call>'.repeat(length / 60)

test.each(VIEWS)('9. $name takes work in proportion to the text', async (view) => {
  const options = ENTRIES.find(({ name }) => name === 'hermes')!.options
  const growth = await growthOf((length) => {
    const open = view.open()
    const parser = createSinkParser((event) => open.add(event), { ...options, ...view.options })
    for (const character of fileAndCalls(length)) parser.push(character)
    parser.end()
  }, 4000)
  expect(growth).toBeLessThan(MOST_GROWTH)
})
