/** A terminal that tests can read: what a person would see, and what is in the scrollback. */

import xterm from '@xterm/headless'

export class Emulator {
  readonly terminal: InstanceType<typeof xterm.Terminal>
  /** Everything that was written to it. */
  written = ''
  /** How often something was written. */
  writes = 0

  constructor(columns = 80, rows = 24) {
    this.terminal = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: 100_000,
      allowProposedApi: true,
      // The kernel does so between a program and its terminal.
      convertEol: true,
    })
  }

  /** An output that writes to it, as `process.stderr` does. */
  output() {
    const { terminal } = this
    return {
      isTTY: true,
      get columns() {
        return terminal.cols
      },
      get rows() {
        return terminal.rows
      },
      write: (text: string): boolean => {
        this.written += text
        this.writes++
        terminal.write(text)
        return true
      },
    }
  }

  /** Until it has taken all that was written: it takes texts in their order, and calls back for the last one. */
  private settled(): Promise<void> {
    return new Promise((resolve) => this.terminal.write('', resolve))
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.settled()
    this.terminal.resize(columns, rows)
  }

  /** All lines, also those that have scrolled away; rows that the terminal broke are joined. No empty lines at the end. */
  async lines(): Promise<string[]> {
    await this.settled()
    const { active } = this.terminal.buffer
    const lines: string[] = []
    for (let index = 0; index < active.length; index++) {
      const line = active.getLine(index)!
      if (line.isWrapped) lines.push(lines.pop() + line.translateToString(true))
      else lines.push(line.translateToString(true))
    }
    while (lines.at(-1) === '') lines.pop()
    return lines
  }

  /** What is on the screen, without the scrollback. */
  async screen(): Promise<string> {
    await this.settled()
    const { active } = this.terminal.buffer
    const rows = Array.from({ length: this.terminal.rows }, (_, row) =>
      active.getLine(active.baseY + row)!.translateToString(true),
    )
    return rows.join('\n').trimEnd()
  }
}
