/** The page: what it gets are events, and each one changes the element that it is about. */

import type { SluiceEvent } from 'sluice'
import { readEvents } from 'sluice/providers'

const answer = document.querySelector('#answer')!

/** The elements that grow, by the id of what they show. */
const open = new Map<string, HTMLElement>()

function add(id: string, tag: string, className: string): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  answer.append(element)
  open.set(id, element)
  return element
}

function show(event: SluiceEvent): void {
  switch (event.type) {
    case 'text-start':
      add(event.id, 'p', 'text')
      break
    case 'reasoning-start':
      add(event.id, 'p', 'reasoning')
      break
    case 'text-delta':
    case 'reasoning-delta':
      open.get(event.id)!.append(event.delta)
      break
    case 'tool-input-start':
      add(event.id, 'pre', 'content').dataset.status = 'writing'
      break
    case 'argument-delta':
      if (event.path[0] === 'content') open.get(event.id)!.append(event.delta)
      break
    case 'tool-call':
      open.get(event.id)!.dataset.status = event.status
      break
    case 'error':
      add('error', 'p', 'error').append(event.error.message)
      break
    case 'finish':
      answer.setAttribute('data-reason', event.reason)
      break
  }
}

document.querySelector('#ask')!.addEventListener('click', async () => {
  for await (const event of readEvents(fetch('/chat'))) show(event)
})
