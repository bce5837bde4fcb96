/** More calls between the markers of one. */

import { describe, expect, test } from 'vitest'
import { again, closer, dialect, object, wire } from '../../../src/engine/wire/index.ts'
import { outline } from './outline.ts'

const call = object({ name: ['name'], arguments: ['arguments'] })
const house = dialect('house', { call: wire`<call>${call}${again`${call}`}${closer`</call>`}` })
const tools = [{ name: 'ls' }, { name: 'rm' }]

describe('a second object between the markers of a call', () => {
  test.each([
    [
      'is a call',
      '<call>{"name": "ls"}\n{"name": "rm"}</call>.',
      ['call ls {}', 'call rm {}', 'text .', 'note call-without-wrapper'],
    ],
    [
      'is a call without white space, too',
      '<call>{"name": "ls"}{"name": "rm"}{"name": "ls"}</call>',
      ['call ls {}', 'call rm {}', 'call ls {}', 'note call-without-wrapper', 'note call-without-wrapper'],
    ],
    [
      'is text if its tool is not known',
      '<call>{"name": "ls"}\n{"name": "package"} and so on',
      ['call ls {}', 'text \n{"name": "package"} and so on'],
    ],
    [
      'is text if it is no call',
      '<call>{"name": "ls"}\n{"version": 3} and so on',
      ['call ls {}', 'text \n{"version": 3} and so on'],
    ],
    [
      'is text behind the closer',
      '<call>{"name": "ls"}</call>\n{"name": "rm"}',
      ['call ls {}', 'text \n{"name": "rm"}'],
    ],
  ])('%s', (_, text, expected) => {
    expect(outline(text, { dialect: house, tools })).toEqual(expected)
  })
})
