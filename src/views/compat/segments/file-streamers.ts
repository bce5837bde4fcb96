/**
 * Strings inside the arguments of a call, while their JSON still comes in pieces.
 *
 *     const file = new WriteFileContentStreamer()
 *     file.feed('{"path": "a.ts", "content": "let ')    // { contentDelta: 'let ', path: 'a.ts' }
 *     file.feed('a\\n"}')                               // { contentDelta: 'a\n', contentComplete: 'let a\n' }
 */

import { checkOption } from '../../../base/options.ts'
import { createJsonParser } from '../../../values/json/json-parser.ts'
import { setOwn } from '../../../values/schema/json-values.ts'

/** What a piece of JSON added to the fields that are watched. */
export interface ExtractedFields {
  /** By how much each field grew, decoded. */
  readonly deltas: { readonly [field: string]: string }
  /** Fields that are complete now, whole. */
  readonly completed: { readonly [field: string]: string }
}

/** Strings of the outermost object; what lies deeper has its own names. */
export class JsonStringFieldExtractor {
  private readonly streamed: ReadonlySet<string>
  private readonly wanted: ReadonlySet<string>
  private deltas: { [field: string]: string } = {}
  private completed: { [field: string]: string } = {}
  // Of a field that is there twice the first counts: what was emitted of it cannot be taken back.
  private readonly parser = createJsonParser({
    duplicateKeys: 'first',
    onEvent: (event) => {
      if (event.type !== 'delta' && event.type !== 'value') return
      if (event.path.depth !== 1) return
      const field = String(event.path.key)
      if (event.type === 'delta') {
        if (!this.streamed.has(field)) return
        const sofar = Object.hasOwn(this.deltas, field) ? this.deltas[field] : ''
        setOwn(this.deltas, field, sofar + event.text)
      } else if (this.wanted.has(field) && typeof event.value === 'string')
        setOwn(this.completed, field, event.value)
    },
  })

  /** `streamFields` are emitted while they grow and when they are whole, `finalFields` only when they are whole. */
  constructor(streamFields: Iterable<string>, finalFields: Iterable<string> = []) {
    // A string is iterable, too, but its characters are not field names.
    for (const fields of [streamFields, finalFields])
      if (typeof fields === 'string') checkOption('the fields', fields, 'list')
    this.streamed = new Set(streamFields)
    this.wanted = new Set([...this.streamed, ...finalFields])
  }

  feed(chunk: string): ExtractedFields {
    this.deltas = {}
    this.completed = {}
    this.parser.push(chunk)
    return { deltas: this.deltas, completed: this.completed }
  }
}

/** What a piece of JSON added to a file. */
export interface FileContentUpdate {
  /** What was added to the content; empty if nothing was. */
  readonly contentDelta: string
  /** Only when it has just become known. */
  readonly path?: string
  /** The whole content, when it has just become complete. */
  readonly contentComplete?: string
}

class FileContentStreamer {
  private readonly field: string
  private readonly extractor: JsonStringFieldExtractor

  constructor(field: string) {
    this.field = field
    this.extractor = new JsonStringFieldExtractor([field], ['path'])
  }

  feed(chunk: string): FileContentUpdate {
    const { deltas, completed } = this.extractor.feed(chunk)
    const { path, [this.field]: whole } = completed
    return {
      contentDelta: deltas[this.field] ?? '',
      ...(path !== undefined && { path }),
      ...(whole !== undefined && { contentComplete: whole }),
    }
  }
}

/** The arguments of `write_file`: its content is `content`. */
export class WriteFileContentStreamer extends FileContentStreamer {
  constructor() {
    super('content')
  }
}

/** The arguments of `edit_file` and `patch_file`: the content is `patch`. */
export class EditFileContentStreamer extends FileContentStreamer {
  constructor() {
    super('patch')
  }
}
