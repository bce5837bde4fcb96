/** A string that comes in pieces, as the JSON text of an object that has it for its only field. */

export class JsonStringWriter {
  private readonly key: string
  private isOpen = false

  constructor(key: string) {
    this.key = key
  }

  add(piece: string): string {
    const text = JSON.stringify(piece).slice(1, -1)
    if (this.isOpen) return text
    this.isOpen = true
    return `{${JSON.stringify(this.key)}:"${text}`
  }

  end(): string {
    return this.isOpen ? '"}' : ''
  }
}
