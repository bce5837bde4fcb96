/** The engine's reader of a call object, with what this view wants to know of the call. */

import type { Call } from '../../../calls/call.ts'
import type { Reader, ReaderType } from '../../../wire/reader.ts'
import { hinted } from '../hints.ts'

/** The tool's name is in the content, which is the JSON itself. */
const METADATA = hinted({ toolName: null })

export function jsonCallType(type: ReaderType): ReaderType {
  return {
    ...type,
    create: (settings) => new JsonCallReader(type.create(settings)),
    restore: (saved, settings) => new JsonCallReader(type.restore(saved, settings)),
  }
}

class JsonCallReader implements Reader {
  private readonly inner: Reader

  constructor(inner: Reader) {
    this.inner = inner
  }

  get status(): Reader['status'] {
    return this.inner.status
  }

  read(text: string, from: number, to: number, call: Call): number {
    call.metadata ??= METADATA
    return this.inner.read(text, from, to, call)
  }

  end(call: Call): void {
    this.inner.end(call)
  }

  completion(): string {
    return this.inner.completion?.() ?? ''
  }

  save(): unknown {
    return this.inner.save()
  }
}
