/**
 * Mistakes that someone could make in what protects a terminal, each as one small change to the source. The check that is
 * named beside each of them must fail because of it.
 */

/** What notices: the checks of `mutants.long.test.ts`. */
export type CheckName =
  | 'stripped'
  | 'shownAsItIs'
  | 'hostile'
  | 'answered'
  | 'denied'
  | 'hiddenTool'
  | 'lowerRegion'
  | 'wholeCharacters'
  | 'onePage'
  | 'halfOfTmux'
  | 'streams'

export interface TerminalMutant {
  /** What goes wrong, in words. */
  readonly mistake: string
  /** The file below `src/apps/terminal`. */
  readonly file: string
  /** Text that stands in it exactly once, and what stands there instead. */
  readonly from: string
  readonly to: string
  readonly check: CheckName
}

/** One of the strings that go on up to their terminator is not known any more. */
const unknown = (name: string, openers: string): TerminalMutant => ({
  mistake: `shows what is in ${name}`,
  file: 'sanitise.ts',
  from: "const STRING_OPENERS = 'PX]^_'",
  to: `const STRING_OPENERS = '${openers}'`,
  check: 'stripped',
})

export const TERMINAL_MUTANTS: readonly TerminalMutant[] = [
  // ── the families of escapes ────────────────────────────────────────────────────────────────────
  unknown('a device control string', 'X]^_'),
  unknown('a start of string', 'P]^_'),
  unknown('an operating system command', 'PX^_'),
  unknown('a privacy message', 'PX]_'),
  unknown('an application command', 'PX]^'),
  {
    mistake: 'takes the parameters of a sequence for text',
    file: 'sanitise.ts',
    from: "if (character === '[') this.state = 'sequence'",
    to: "if (character === '[') this.state = 'text'",
    check: 'stripped',
  },
  {
    mistake: 'does not know the sequences that choose a character set',
    file: 'sanitise.ts',
    from: "if (isIntermediate(code)) this.state = 'escape-intermediate'",
    to: "if (isIntermediate(code)) this.state = 'text'",
    check: 'stripped',
  },
  {
    mistake: 'lets controls of eight bits pass',
    file: 'sanitise.ts',
    from: 'code >= 0x80 && code <= 0x9f',
    to: 'code >= 0x80 && code < 0x9b',
    check: 'stripped',
  },
  {
    mistake: 'lets a line be overwritten',
    file: 'sanitise.ts',
    from: 'code === NEWLINE || code === TAB)',
    to: 'code === NEWLINE || code === TAB || code === 0x0d)',
    check: 'stripped',
  },
  {
    mistake: 'forgets between chunks that it is in a sequence',
    file: 'sanitise.ts',
    from: "let shown = ''",
    to: "let shown = ''\n    this.state = 'text'",
    check: 'stripped',
  },
  {
    mistake: 'forgets the first half of a pair',
    file: 'sanitise.ts',
    from: 'this.heldBack = text[index]!',
    to: "this.heldBack = ''",
    check: 'stripped',
  },
  {
    mistake: 'lets text be turned around',
    file: 'sanitise.ts',
    from: 'code >= 0x2028 && code <= 0x202e',
    to: 'code >= 0x2028 && code <= 0x202d',
    check: 'stripped',
  },
  {
    mistake: 'lets isolates reorder text',
    file: 'sanitise.ts',
    from: 'code >= 0x2060',
    to: 'code === 0x2060',
    check: 'stripped',
  },
  {
    mistake: 'lets tags carry what only a program reads',
    file: 'sanitise.ts',
    from: 'if (code >= 0xe0000 && code <= 0xe0fff) return true',
    to: 'if (code === 0xe0001) return true',
    check: 'stripped',
  },
  {
    mistake: 'lets marks cover the lines around them',
    file: 'sanitise.ts',
    from: 'const MAX_MARKS = 8',
    to: 'const MAX_MARKS = 800',
    check: 'stripped',
  },
  {
    mistake: 'hides in an argument what its call would run with',
    file: 'card-arguments.ts',
    from: "argument.lines = new GrowingLines('visualise', false)\n      delta",
    to: "argument.lines = new GrowingLines('strip', false)\n      delta",
    check: 'shownAsItIs',
  },
  // ── the places where a model's words stand ─────────────────────────────────────────────────────
  {
    mistake: 'shows the name of a tool as it came',
    file: 'card.ts',
    from: "spans: [span(inOneLine(this.toolName), 'bold'), ...inline]",
    to: "spans: [span(this.toolName, 'bold'), ...inline]",
    check: 'hostile',
  },
  {
    mistake: 'shows the key of an argument as it came',
    file: 'card.ts',
    from: 'const label = needsNoKey ? [] : [span(`${inOneLine(key)}: `',
    to: 'const label = needsNoKey ? [] : [span(`${key}: `',
    check: 'hostile',
  },
  {
    mistake: 'shows the value of a short argument as it came',
    file: 'card.ts',
    from: "span(`${inOneLine(text)}${isOpen ? '…' : ''}`)",
    to: "span(`${text}${isOpen ? '…' : ''}`)",
    check: 'hostile',
  },
  {
    mistake: 'shows the error of a call as it came',
    file: 'card.ts',
    from: '.map((detail) => ` · ${inOneLine(detail)}`)',
    to: '.map((detail) => ` · ${detail}`)',
    check: 'hostile',
  },
  {
    mistake: 'shows a diagnostic as it came',
    file: 'page.ts',
    from: "spans: [span(inOneLine(text), 'dim')]",
    to: "spans: [span(text, 'dim')]",
    check: 'hostile',
  },
  {
    mistake: 'shows the failure of a stream as it came',
    file: 'page.ts',
    from: "spans: [span(inOneLine(text), 'red')]",
    to: "spans: [span(text, 'red')]",
    check: 'hostile',
  },
  {
    mistake: 'shows the tool of a result as it came',
    file: 'page-block.ts',
    from: '`result of ${inOneLine(toolName)}`',
    to: '`result of ${toolName}`',
    check: 'hostile',
  },
  {
    mistake: 'lets text pass for a card',
    file: 'markdown.ts',
    from: 'return this.guardsMarks && CARD_MARKS',
    to: 'return !this.guardsMarks && CARD_MARKS',
    check: 'hostile',
  },
  {
    mistake: 'takes a key for an answer that was pressed before the question was seen',
    file: 'approval.ts',
    from: 'const LEAST_LOOK = 300',
    to: 'const LEAST_LOOK = 0',
    check: 'answered',
  },
  {
    mistake: 'approves a call where nobody can be asked',
    file: 'approval.ts',
    from: 'if (!this.canBeAsked) return Promise.resolve({ approved: false,',
    to: 'if (!this.canBeAsked) return Promise.resolve({ approved: true,',
    check: 'denied',
  },
  {
    mistake: 'approves what is still asked about when the screen is closed',
    file: 'approval.ts',
    from: 'for (const question of [...this.questions]) this.settle(question, false)',
    to: 'for (const question of [...this.questions]) this.settle(question, true)',
    check: 'denied',
  },
  {
    mistake: 'shows the name of a hidden tool while its call is written',
    file: 'page-block.ts',
    from: 'return this.card.display.hidden === true',
    to: 'return this.isOver && this.card.display.hidden === true',
    check: 'hiddenTool',
  },
  // ── the one owner of the screen ────────────────────────────────────────────────────────────────
  {
    mistake: 'prints over the cards',
    file: 'screen.ts',
    from: "const erased = isPrinted ? this.region.erase(columns) : ''",
    to: "const erased = ''",
    check: 'onePage',
  },
  {
    mistake: 'does not know how many rows a narrower terminal has made of the cards',
    file: 'region.ts',
    from: 'sum + rowsOf(text, columns)',
    to: 'sum + rowsOf(text, 1000)',
    check: 'onePage',
  },
  {
    mistake: 'draws more than stays on the screen',
    file: 'screen.ts',
    from: 'return Math.max(1, Math.floor(rows / 2))',
    to: 'return rows - 1',
    check: 'onePage',
  },
  {
    mistake: 'forgets that wide rows are broken where both sides shrink',
    file: 'screen.ts',
    from: '> half ? 2 : 1',
    to: '> half ? 1 : 1',
    check: 'onePage',
  },
  {
    mistake: 'draws rows that tmux breaks and scrolls away',
    file: 'screen.ts',
    from: 'this.isTmux && above < broken',
    to: 'this.isTmux && above < 0',
    check: 'halfOfTmux',
  },
  {
    mistake: 'writes visible text to stderr',
    file: 'printer.ts',
    from: 'this.text = text\n    this.rest = rest',
    to: 'this.text = rest\n    this.rest = rest',
    check: 'streams',
  },
  {
    mistake: 'writes control characters to what is no terminal',
    file: 'screen.ts',
    from: 'this.isLive = stderr.isTTY === true && !isPlain',
    to: 'this.isLive = true',
    check: 'streams',
  },
  {
    mistake: 'leaves rows on the screen where fewer are drawn than before',
    file: 'region.ts',
    from: 'columns === this.columns && next.length >= this.drawn.length',
    to: 'columns === this.columns',
    check: 'lowerRegion',
  },
  {
    mistake: 'cuts a character in two where a line is longer than its window',
    file: 'line-rows.ts',
    from: 'isLowSurrogate(line.charCodeAt(from)) ? from + 1 : from',
    to: 'isLowSurrogate(line.charCodeAt(from)) ? from : from',
    check: 'wholeCharacters',
  },
  {
    mistake: 'draws where nobody wants control characters',
    file: 'screen.ts',
    from: "const isPlain = Boolean(env.NO_COLOR) || env.TERM === 'dumb'",
    to: "const isPlain = env.TERM === 'dumb'",
    check: 'streams',
  },
]
