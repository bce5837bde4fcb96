/** Responses for people at a terminal. */

export { createTerminalView, type TerminalView, type TerminalViewOptions } from './live.ts'
export { createSanitiser, type SanitiseMode, type Sanitiser, sanitise } from './sanitise.ts'
