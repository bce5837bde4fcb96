/** Where a citation points, in the forms in which providers send it: a writer of another format has its own form for it. */

import { isFields } from '../base/fields.ts'
import { fieldsIn, fieldsOf, listOf, wordOf } from './payload-fields.ts'

export interface Source {
  readonly url: string
  readonly title: string
}

/**
 * The pages that a `custom` event cites; none where it is something else, or cites no page.
 *
 *     sourcesOf('annotation', { type: 'url_citation', url: 'https://a.example', title: 'A' })
 *     sourcesOf('citations', ['https://a.example'])
 *     sourcesOf('groundingMetadata', { groundingChunks: [{ web: { uri: 'https://a.example' } }] })
 */
export function sourcesOf(kind: string, value: unknown): readonly Source[] {
  if (kind === 'groundingMetadata') return sourcesIn(fieldsOf(value).groundingChunks)
  if (kind === 'citations' || kind === 'annotations' || kind === 'search_results') return sourcesIn(value)
  return ['annotation', 'citation', 'source', 'source-url'].includes(kind) ? sourcesIn([value]) : []
}

function sourcesIn(list: unknown): readonly Source[] {
  return listOf(list).flatMap((one) => {
    const fields = isFields(one) ? one : { url: one }
    const [place = {}] = fieldsIn([
      fields.web,
      fields.url_citation,
      fieldsOf(fields.location).web,
      fields,
    ]).filter(({ url, uri }) => wordOf(url) ?? wordOf(uri))
    const url = wordOf(place.url) ?? wordOf(place.uri)
    return url === undefined ? [] : [{ url, title: wordOf(place.title) ?? wordOf(fields.title) ?? url }]
  })
}
