/**
 * Tags of known elements put right: names in another case, and elements that nobody closes, which then end before the
 * next of them.
 *
 *     <Path>a.ts<line>3</LINE>      <path>a.ts</path><line>3</line>
 */

import { checkText } from '../../base/errors.ts'
import type { XmlProblem } from './tree.ts'

interface RepairedXml {
  readonly xml: string
  /** What was guessed, by its offset in the text that was given. */
  readonly problems: readonly XmlProblem[]
}

/** `names`: the elements that there may be. Tags of others stay as they are. */
export function repairElements(xml: string, names: Iterable<string>): RepairedXml {
  checkText(xml, 'Elements are read from')
  const known = new Map(Array.from(names, (name) => [name.toLowerCase(), name]))
  const tags = [...tagsIn(xml, known)]
  const problems: XmlProblem[] = []
  const closersLeft = new Map<string, number>()
  for (const { name, isCloser } of tags) if (isCloser) closersLeft.set(name, (closersLeft.get(name) ?? 0) + 1)
  let repaired = ''
  let from = 0
  let unclosed = ''
  const end = (at: number): void => {
    repaired += xml.slice(from, at) + (unclosed === '' ? '' : `</${unclosed}>`)
    from = at
    unclosed = ''
  }
  for (const { name, isCloser, offset, written } of tags) {
    end(offset)
    const start = offset + (isCloser ? 2 : 1)
    repaired += xml.slice(offset, start) + name
    from = start + written.length
    if (written !== name) problems.push({ code: 'miscased-tag', name, offset })
    const left = closersLeft.get(name) ?? 0
    if (isCloser) closersLeft.set(name, left - 1)
    else if (left === 0) {
      unclosed = name
      problems.push({ code: 'unclosed-element', name, offset })
    }
  }
  end(xml.length)
  return { xml: repaired, problems }
}

interface Tag {
  /** As it is known. */
  readonly name: string
  readonly written: string
  readonly isCloser: boolean
  readonly offset: number
}

function* tagsIn(xml: string, known: ReadonlyMap<string, string>): Generator<Tag> {
  for (let offset = xml.indexOf('<'); offset !== -1; offset = xml.indexOf('<', offset + 1)) {
    const isCloser = xml[offset + 1] === '/'
    const start = offset + (isCloser ? 2 : 1)
    let end = start
    while (end < xml.length && /[\w.:-]/.test(xml[end]!)) end++
    const written = xml.slice(start, end)
    const name = known.get(written.toLowerCase())
    if (name === undefined) continue
    let close = end
    while (close < xml.length && xml[close] !== '>' && xml[close] !== '<') close++
    // What closes itself needs no closer.
    const isTag = xml[close] === '>' && (isCloser || xml[close - 1] !== '/')
    if (isTag) yield { name, written, isCloser, offset }
  }
}
