/**
 * The commands, in the order in which help lists them. `parse` is loaded at the start,
 * because other programs run it again and again; the others load what they need when they are run.
 */

import type { ListedCommand } from './command.ts'
import { parse } from './parse.ts'

export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'watch',
    summary: 'shows a stream live: text, reasoning, and calls as they grow',
    load: async () => (await import('./watch-command.ts')).watch,
  },
  {
    name: 'play',
    summary: 'plays a recording at its pace, with pause and step',
    load: async () => (await import('./play.ts')).play,
  },
  {
    name: 'record',
    summary: 'saves a stream with its timing, without keys',
    load: async () => (await import('./record-command.ts')).record,
  },
  {
    name: 'inspect',
    summary: 'analyses a recording: what arrived when, and what was held back',
    load: async () => (await import('./inspect.ts')).inspect,
  },
  {
    name: 'parse',
    summary: 'reads a response and shows its text, reasoning and tool calls',
    load: async () => parse,
  },
  {
    name: 'render',
    summary: 'writes a message in a dialect',
    load: async () => (await import('./render-command.ts')).render,
  },
  {
    name: 'convert',
    summary: "reads one provider's stream or request and writes it as another's",
    load: async () => (await import('./convert.ts')).convert,
  },
  {
    name: 'dialects',
    summary: 'lists the dialects, with an example of each',
    load: async () => (await import('./dialects.ts')).dialects,
  },
  {
    name: 'dialect',
    summary: "shows one dialect: by its name, by a model's name, or from a chat template",
    load: async () => (await import('./dialect-command.ts')).dialect,
  },
  {
    name: 'serve',
    summary: 'serves any client with any model',
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'playground',
    summary: 'serves a page that shows how a stream is parsed',
    load: async () => (await import('./playground.ts')).playground,
  },
  {
    name: 'demo',
    summary: 'plays recorded responses and shows how they are parsed',
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'completions',
    summary: 'writes completions for bash, zsh or fish',
    load: async () => (await import('./completions.ts')).completions,
  },
]
