/**
 * The page. Each event makes a new message, in which every part that the event is not about is the same object as
 * before; so `memo` renders one part per event, however long the chat is.
 */

import { memo, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { type CallPart, type Message, MessageFold, type Part } from 'sluice'
import { readEvents } from 'sluice/providers'

/** A call, whole or not: `input` has what is certain of it. */
function Card({ call }: { readonly call: CallPart }) {
  const { path = '…', content = '' } = (call.input ?? {}) as { path?: string; content?: string }
  return (
    <>
      <h2>
        {call.toolName} {path}
      </h2>
      <pre>{content}</pre>
      <p className="status">{call.status ?? 'writing…'}</p>
    </>
  )
}

const PartView = memo(({ part }: { readonly part: Part }) => {
  const renders = useRef(0)
  renders.current++
  return (
    <section className={part.type} data-renders={renders.current}>
      {part.type === 'call' ? <Card call={part} /> : null}
      {part.type === 'text' || part.type === 'reasoning' ? part.text : null}
    </section>
  )
})

function Chat() {
  const [message, setMessage] = useState<Message>()
  const ask = async (): Promise<void> => {
    const fold = new MessageFold()
    for await (const event of readEvents(fetch('/chat'))) {
      fold.add(event)
      setMessage(fold.message())
    }
  }
  return (
    <>
      <button type="button" onClick={ask}>
        What do I need?
      </button>
      <main data-state={message?.state ?? 'idle'} data-finish={message?.finish.reason}>
        {message?.parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: A part never moves: others only come behind it.
          <PartView key={index} part={part} />
        ))}
        {message?.error ? <p className="error">{message.error.message}</p> : null}
      </main>
    </>
  )
}

createRoot(document.querySelector('#chat')!).render(<Chat />)
