/** Markup behind a call where nothing should stand. */

import { describe, expect, test } from 'vitest'
import { explain, isExecutable } from '../../../src/engine/calls/verdict.ts'
import { parse } from '../../../src/engine/message.ts'
import {
  args,
  closer,
  type Dialect,
  dialect,
  list,
  name,
  object,
  stray,
  wire,
} from '../../../src/engine/wire/index.ts'
import { outline } from './outline.ts'

const call = object({ name: ['name'], arguments: ['arguments'] })

const closed = dialect('closed', { call: wire`CALL ${name} ${args}${stray`}`}${stray`(end)`}${closer`;`}` })
const unclosed = dialect('unclosed', {
  call: wire`CALL ${call}${stray`
    }`}`,
})
const section = dialect('section', { call: wire`CALLS [${list(wire`${call}${stray`}`}`)}]${stray`]`}` })

describe('markup behind a call', () => {
  test.each<[Dialect, string, string[]]>([
    [closed, 'CALL ls {};.', ['call ls {}', 'text .']],
    [closed, 'CALL ls {}};.', ['repaired ls {}', 'text .', 'note stray-markup']],
    [closed, 'CALL ls {}}};.', ['repaired ls {}', 'text .', 'note stray-markup', 'note stray-markup']],
    [closed, 'CALL ls {}(end);.', ['call ls {}', 'text .', 'note stray-markup']],
    [closed, 'CALL ls {}}.', ['repaired ls {}', 'text .', 'note stray-markup', 'note missing-closer']],
    [closed, 'CALL ls {}(en', ['call ls {}', 'text (en', 'note missing-closer']],
    [unclosed, 'CALL {"name": "ls"}', ['call ls {}']],
    [unclosed, 'CALL {"name": "ls"}}', ['repaired ls {}', 'note stray-markup']],
    [unclosed, 'CALL {"name": "ls"} }', ['call ls {}', 'note stray-markup']],
    [
      section,
      'CALLS [{"name": "ls"}, {"name": "ls"}]].',
      ['call ls {}', 'call ls {}', 'text .', 'note stray-markup'],
    ],
    [section, 'CALLS [{"name": "ls"}}]', ['repaired ls {}', 'note stray-markup']],
  ])('is read over and reported: %#', (dialect, text, expected) => {
    expect(outline(text, { dialect })).toEqual(expected)
  })

  test('makes a call uncertain if it is a bracket directly behind that of the call', () => {
    const [one, next] = parse('CALL {"name": "ls"}} CALL {"name": "ls"}', { dialect: unclosed }).toolCalls
    expect(one?.repairs.map(({ code }) => code)).toEqual(['trailing-content', 'place-uncertain'])
    expect(explain(one!)).toMatch(
      /Send the whole call again with nothing directly behind the bracket that ends it\.$/,
    )
    expect(isExecutable(one!)).toBe(false)
    expect(isExecutable(next!)).toBe(false)
  })
})
