/** Responses for people at a terminal. */

export type { KeyInput } from './keys.ts'
export type { PageOptions } from './page.ts'
export { createSanitiser, type SanitiseMode, type Sanitiser, sanitise } from './sanitise.ts'
export { createTerminal, type Terminal, type TerminalOptions, type TerminalOutput } from './screen.ts'
export type { Displays, ToolDisplay } from './tool-display.ts'
export { createToolRenderer } from './tool-renderer.ts'
export { createTerminalView, pageOf, type TerminalView, type TerminalViewOptions } from './view.ts'
