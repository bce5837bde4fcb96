/**
 * Bytes to text, in chunks that may end inside a character. Written here because `TextDecoder` belongs to the
 * platform and not to the language. What is not UTF-8 becomes U+FFFD, as the encoding standard says.
 */
export class Utf8Decoder {
  private point = 0
  /** Continuation bytes that are still to come, and the range of the next one. */
  private missing = 0
  private lowest = 0x80
  private highest = 0xbf
  private atStart = true

  decode(bytes: Uint8Array): string {
    let text = ''
    const units: number[] = []
    for (let i = 0; i < bytes.length; i++) {
      if (!this.take(bytes[i]!, units)) i--
      if (units.length >= 4096) {
        text += String.fromCharCode(...units)
        units.length = 0
      }
    }
    return this.withoutMark(text + String.fromCharCode(...units))
  }

  /** Text that comes between the bytes. */
  text(text: string): string {
    return this.withoutMark(this.end() + text)
  }

  /** The bytes are over: what is left of an unfinished character. */
  end(): string {
    const unfinished = this.missing > 0
    this.missing = 0
    return unfinished ? '\ufffd' : ''
  }

  /** Takes one byte; false when it does not belong to the unfinished character and must be taken again. */
  private take(byte: number, units: number[]): boolean {
    if (this.missing === 0) {
      this.begin(byte, units)
      return true
    }
    if (byte < this.lowest || byte > this.highest) {
      this.missing = 0
      units.push(0xfffd)
      return false
    }
    this.lowest = 0x80
    this.highest = 0xbf
    this.point = (this.point << 6) | (byte & 0x3f)
    if (--this.missing > 0) return true
    if (this.point < 0x10000) units.push(this.point)
    else units.push(0xd7c0 + (this.point >> 10), 0xdc00 | (this.point & 0x3ff))
    return true
  }

  private begin(byte: number, units: number[]): void {
    if (byte < 0x80) {
      units.push(byte)
      return
    }
    this.lowest = 0x80
    this.highest = 0xbf
    if (byte >= 0xc2 && byte <= 0xdf) {
      this.missing = 1
      this.point = byte & 0x1f
    } else if (byte >= 0xe0 && byte <= 0xef) {
      this.missing = 2
      this.point = byte & 0x0f
      if (byte === 0xe0) this.lowest = 0xa0 // no overlong forms
      if (byte === 0xed) this.highest = 0x9f // no surrogates
    } else if (byte >= 0xf0 && byte <= 0xf4) {
      this.missing = 3
      this.point = byte & 0x07
      if (byte === 0xf0) this.lowest = 0x90
      if (byte === 0xf4) this.highest = 0x8f // nothing beyond U+10FFFF
    } else {
      units.push(0xfffd)
    }
  }

  /** A byte order mark at the very beginning says how the text is encoded and is not part of it. */
  private withoutMark(text: string): string {
    if (!this.atStart || text === '') return text
    this.atStart = false
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  }
}
