/**
 * Finds the code blocks in text that arrives in pieces. It holds back only the beginning of a line that could
 * still be a fence.
 *
 *     Like this:⏎ ```ts⏎ let a = 1⏎ ```⏎ Done.
 */

export interface CodeListener {
  prose(text: string): void
  /** A code block begins; `language` is the first word behind its fence. */
  codeStart(language: string): void
  /** Lines of it, the fences included. */
  code(text: string, isFence: boolean): void
  codeEnd(): void
}

/** A fence may be indented, as deep as lists go. */
const MOST_INDENT = 16
/** A line behind a fence that is longer than this is not the name of a language. */
const MOST_INFO = 200

type State =
  /** At the start of a line, which may become a fence. */
  | 'line'
  | 'rest-of-line'
  /** Behind an opening fence. */
  | 'info'

export class CodeFences {
  private readonly listener: CodeListener
  private state: State = 'line'
  private held = ''
  /** The fence that is open, such as ``` or ~~~~. */
  private open = ''

  constructor(listener: CodeListener) {
    this.listener = listener
  }

  push(text: string): void {
    let at = 0
    while (at < text.length) {
      if (this.state === 'rest-of-line') {
        const newline = text.indexOf('\n', at)
        const end = newline === -1 ? text.length : newline + 1
        this.emit(text.slice(at, end))
        if (newline !== -1) this.state = 'line'
        at = end
      } else {
        const character = text[at++]!
        this.held += character
        if (this.state === 'info') this.readInfo(character)
        else this.readLineStart(character)
      }
    }
  }

  end(): void {
    if (this.state === 'info') this.openCode()
    else if (this.open !== '' && isClosing(this.held, this.open)) this.closeCode()
    else this.release()
    if (this.open !== '') this.listener.codeEnd()
    this.open = ''
    this.state = 'line'
  }

  private emit(text: string): void {
    if (text === '') return
    if (this.open === '') this.listener.prose(text)
    else this.listener.code(text, false)
  }

  private release(): void {
    const { held } = this
    this.held = ''
    this.emit(held)
  }

  private readLineStart(character: string): void {
    if (character === '\n') {
      if (this.open !== '' && isClosing(this.held, this.open)) this.closeCode()
      else this.release()
    } else if (this.open === '' && fenceOf(this.held).length >= 3) this.state = 'info'
    else if (!this.couldBeFence(character)) {
      this.state = 'rest-of-line'
      this.release()
    }
  }

  private couldBeFence(character: string): boolean {
    if (this.held.length > MOST_INDENT + this.open.length) return false
    if (character === ' ' || character === '\t' || character === '\r') return true
    if (character !== '`' && character !== '~') return false
    const fence = fenceOf(this.held)
    return fence !== '' && (this.open === '' || fence[0] === this.open[0])
  }

  private readInfo(character: string): void {
    const isOver = character === '\n'
    // ```code``` in one line is no block, and neither is a whole paragraph.
    const isInline =
      character === '`' && fenceOf(this.held).startsWith('`') && !this.held.endsWith(fenceOf(this.held))
    if (isInline || (!isOver && this.held.length > MOST_INFO)) {
      this.state = 'rest-of-line'
      this.release()
    } else if (isOver) this.openCode()
  }

  private openCode(): void {
    const { held } = this
    const fence = fenceOf(held)
    const [language = ''] = held
      .trim()
      .slice(fence.length)
      .trim()
      .split(/[\s{,]/)
    this.held = ''
    this.open = fence
    this.state = 'line'
    this.listener.codeStart(language)
    this.listener.code(held, true)
  }

  private closeCode(): void {
    const { held } = this
    this.held = ''
    this.listener.code(held, true)
    this.open = ''
    this.listener.codeEnd()
  }
}

/** The run of backticks or tildes that a line begins with. */
function fenceOf(line: string): string {
  const text = line.trimStart()
  let length = 0
  while (length < text.length && text[length] === text[0]) length++
  return text[0] === '`' || text[0] === '~' ? text.slice(0, length) : ''
}

function isClosing(line: string, open: string): boolean {
  const text = line.trim()
  return text.length >= open.length && fenceOf(text) === text && text[0] === open[0]
}
