/**
 * A model without a server, so that everything can be tried at once: it repeats what it is told, and calls the first tool
 * that it is offered, in the text, as open models do.
 */

import { hermes } from '../dialects/hermes.ts'
import { createToolTable, type ToolDefinitions } from '../engine/calls/tools.ts'
import { render } from '../engine/render.ts'
import { sluice } from '../engine/stream.ts'
import type { ConversationMessage, ModelRequest } from '../requests/conversation/model-request.ts'
import { exampleInput } from '../requests/prompt/example-input.ts'
import type { Model } from '../turn/model.ts'

export const SCRIPTED = 'sluice-scripted'

/** Characters per piece, and milliseconds between pieces. */
const PIECE = 6
const PAUSE = 3

export function scriptedModel(onInput: (text: string) => void): Model {
  return (request, { reading, signal }) => {
    const { onIgnored: _, ...options } = reading
    return sluice(written(scriptOf(request), onInput, signal), { ...options, dialect: hermes })
  }
}

async function* written(
  text: string,
  onInput: (text: string) => void,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  for (let at = 0; at < text.length && !signal.aborted; at += PIECE) {
    if (at > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE))
    const piece = text.slice(at, at + PIECE)
    onInput(piece)
    yield piece
  }
}

function scriptOf(request: ModelRequest): string {
  const last = request.messages.at(-1)
  if (last?.role === 'tool') return `The tool answered: ${toldIn(last)}`
  const [tool] = createToolTable(request.tools as ToolDefinitions | undefined)
  const said = `You said: ${last === undefined ? 'nothing' : toldIn(last)}`
  if (tool === undefined || request.toolChoice === 'none') return said
  const call = { type: 'call', toolName: tool.name, input: exampleInput(tool.schema ?? {}) } as const
  return `${said}\n${render([call], { dialect: hermes })}`
}

function toldIn({ parts }: ConversationMessage): string {
  return (
    parts
      .map((part) => {
        if (part.type === 'text') return part.text
        return part.type === 'result' && typeof part.content === 'string' ? part.content : ''
      })
      .join(' ')
      .trim()
      // What it quotes must not look like a call of its own.
      .replaceAll('<', '‹')
  )
}
