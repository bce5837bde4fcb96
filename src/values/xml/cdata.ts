/**
 * CDATA sections: text in which nothing is markup but its end.
 *
 *     <![CDATA[a < b &amp; c]]>     a < b &amp; c
 */

import { leadingSpace } from '../../base/whitespace.ts'
import { decodeEntities } from './entities.ts'

export const CDATA = '<![CDATA['
export const CDATA_END = ']]>'

/**
 * The text of a string that begins with a section; undefined for others, which may hold one as data: a file that is XML
 * itself. White space before the first section and behind the last one is markup; text between them is text.
 */
export function textOfSections(inner: string, entities: boolean): string | undefined {
  let at = leadingSpace(inner)
  if (!inner.startsWith(CDATA, at)) return undefined
  let text = ''
  for (let start = at; start !== -1; start = inner.indexOf(CDATA, at)) {
    const end = inner.indexOf(CDATA_END, start)
    if (end === -1) return undefined
    text += outside(inner.slice(at, start), entities) + inner.slice(start + CDATA.length, end)
    at = end + CDATA_END.length
  }
  const rest = inner.slice(at)
  return leadingSpace(rest) === rest.length ? text : text + outside(rest, entities)
}

function outside(text: string, entities: boolean): string {
  return entities ? decodeEntities(text) : text
}

/** Whether a section holds the beginning of another: then its own end may be missing. */
export function nestsSection(xml: string): boolean {
  for (let start = xml.indexOf(CDATA); start !== -1; ) {
    const end = xml.indexOf(CDATA_END, start)
    const next = xml.indexOf(CDATA, start + CDATA.length)
    if (next !== -1 && next < end) return true
    start = end === -1 ? -1 : xml.indexOf(CDATA, end)
  }
  return false
}
