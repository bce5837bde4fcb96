/** The published reader of opening tags. */

import { SluiceError } from '../../base/errors.ts'
import type { JsonValue } from '../../base/event.ts'
import { shown } from '../../base/options.ts'
import { checkedState, copyState } from '../../base/plain-state.ts'
import {
  hasAttributes,
  isTooLong,
  openTag,
  readTag,
  TAG,
  type TagReaderOptions,
  type TagState,
  type TagStatus,
} from './opening-tag.ts'

/** A reader as plain data, for `TagReader.restore`. */
export type TagReaderState = JsonValue

/**
 * Reads attributes until the tag is `done` or cannot be a tag (`failed`).
 *
 *     const tag = new TagReader({ limit: 1000 })
 *     tag.read(' name="get_weather">Paris', 0, 25)  // 20
 *     tag.status                                    // 'done'
 *     tag.get('name')                               // 'get_weather'
 */
export class TagReader {
  private state: TagState

  constructor(options: TagReaderOptions) {
    if (!(options?.limit >= 0))
      throw new SluiceError(
        'invalid-option',
        `'limit' is the number of characters a tag may have, not ${options?.limit}.`,
      )
    this.state = openTag(options)
    const { close } = this.state
    if (typeof close !== 'string' || close === '')
      throw new SluiceError('invalid-option', `'close' is the text that ends a tag, not ${shown(close)}.`)
  }

  get status(): TagStatus {
    return this.state.status
  }

  get selfClosing(): boolean {
    return this.state.selfClosing
  }

  /** An attribute that is there twice, if any is. */
  get repeated(): string | undefined {
    return this.state.repeated ?? undefined
  }

  /** In the order they were written. Of two attributes with one name the first counts. */
  get attributes(): [name: string, value: string][] {
    return [...this.state.attributes]
  }

  /** It failed because it is longer than the limit. */
  get isTooLong(): boolean {
    return isTooLong(this.state)
  }

  /** More than its name was read of it. */
  get hasAttributes(): boolean {
    return hasAttributes(this.state)
  }

  get(name: string): string | undefined {
    return this.state.attributes.get(name)
  }

  /**
   * Reads `text[from, to)` and returns the index after the last character taken, or of the one that made the tag fail.
   */
  read(text: string, from: number, to: number): number {
    return readTag(this.state, text, from, to)
  }

  save(): TagReaderState {
    return copyState(this.state)
  }

  /** A reader that goes on where another was saved. Throws if the state is damaged. */
  static restore(state: TagReaderState): TagReader {
    const checked = checkedState(TAG, state)
    const reader = new TagReader(checked)
    reader.state = checked
    return reader
  }
}
