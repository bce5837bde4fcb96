import { createTerminalView } from '../../../src/apps/terminal/index.ts'
import { TOOLS } from '../entries.ts'
import type { ViewUnderLaw } from '../view.ts'

/** What is on the page, without its frame, is for people: only that the cuts leave no trace can be told by a program. */
export const terminal: ViewUnderLaw = {
  name: 'terminal',
  options: { emit: { json: false, arguments: true } },
  takesJson: true,
  open() {
    let page = ''
    const view = createTerminalView({
      colour: false,
      tools: TOOLS,
      write: (text) => {
        page += text
      },
    })
    return {
      add: (event) => {
        view.add(event)
        if (event.type === 'finish') view.end()
      },
      said: () => [page],
      told: () => ({}),
      check: () => (page === '' || page.endsWith('\n') ? undefined : 'the page ends in the middle of a line'),
    }
  },
}
