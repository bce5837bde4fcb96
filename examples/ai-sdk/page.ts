/** The page: each event touches the element it is about, so that the work for a delta does not grow with the file. */

import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { SluiceEvent } from 'sluice'
import { readUiEvents, type UiChunkLike } from 'sluice/ai-sdk'

const chat = document.querySelector('#chat')!

/** What the AI SDK sends: one JSON object for each server-sent event. */
async function ask(): Promise<ReadableStream<UiChunkLike>> {
  const { body } = await fetch('/chat')
  return body!
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
    .pipeThrough(new EventSourceParserStream())
    .pipeThrough(
      new TransformStream({
        transform({ data }, controller) {
          if (data !== '[DONE]') controller.enqueue(JSON.parse(data))
        },
      }),
    )
}

/** The elements that still grow, by the id of what they show. */
const open = new Map<string, HTMLElement>()

function add(parent: Element, tag: string, className: string): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  parent.append(element)
  return element
}

function show(event: SluiceEvent): void {
  switch (event.type) {
    case 'text-start':
    case 'reasoning-start':
      open.set(event.id, add(chat, 'p', event.type === 'text-start' ? 'text' : 'reasoning'))
      break
    case 'text-delta':
    case 'reasoning-delta':
      open.get(event.id)!.append(event.delta)
      break
    case 'tool-input-start': {
      const call = add(chat, 'section', 'call')
      add(call, 'h2', 'title').append(event.toolName, ' ')
      add(call, 'pre', 'content')
      add(call, 'p', 'status').append('writing…')
      open.set(event.id, call)
      break
    }
    case 'argument-delta': {
      const place = event.path[0] === 'content' ? '.content' : '.title'
      open.get(event.id)!.querySelector(place)!.append(event.delta)
      break
    }
    case 'tool-call':
      status(event.id, event.status)
      break
    case 'tool-result-delta':
      status(event.id, event.delta)
      break
  }
}

function status(id: string, text: string): void {
  open.get(id)!.querySelector('.status')!.textContent = text
}

document.querySelector('#ask')!.addEventListener('click', async () => {
  for await (const event of readUiEvents(await ask())) show(event)
  chat.setAttribute('data-done', 'true')
})
