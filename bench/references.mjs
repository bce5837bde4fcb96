/** What the figures are compared with. None of them does the job; each is the least that some part of it costs. */

/** S: looks at every character and makes one event for each chunk. No parser can do less. */
export function scanAndSay(chunks, sink) {
  let openers = 0
  inBatches(chunks, (from, to) => {
    openers += scanSome(chunks, from, to, sink)
  })
  return openers
}

function scanSome(chunks, from, to, sink) {
  let openers = 0
  for (let index = from; index < to; index++) {
    const chunk = chunks[index]
    for (let at = 0; at < chunk.length; at++) if (chunk.charCodeAt(at) === 60) openers++
    sink({ type: 'text-delta', id: 'text-1', delta: chunk })
  }
  return openers
}

/**
 * Chunks come one by one, not in one loop that never ends: such a loop is compiled while it runs, thrown away when
 * it is over and compiled again the next time, and by chance takes half as long or twice.
 */
export function inBatches(chunks, take) {
  for (let from = 0; from < chunks.length; from += BATCH) take(from, Math.min(chunks.length, from + BATCH))
}

const BATCH = 256

/** Joins the chunks, and looks at the result so that it is really made. */
export function concatenate(chunks) {
  let text = ''
  for (const chunk of chunks) text += chunk
  return text.charCodeAt(text.length >> 1)
}

export function indexOfAndConcatenate(chunks) {
  let text = ''
  let found = 0
  for (const chunk of chunks) {
    if (chunk.indexOf('<') !== -1) found++
    text += chunk
  }
  return text.charCodeAt(text.length >> 1) + found
}

/** A hand-written loop for one tag, as someone would write it who needs nothing else: no validation, no recovery. */
export function handWrittenTags(chunks, sink, opener = '<tool_call>', closer = '</tool_call>') {
  let held = ''
  let inside = false
  for (const chunk of chunks) {
    let text = held === '' ? chunk : held + chunk
    held = ''
    while (text !== '') {
      const wanted = inside ? closer : opener
      let at = text.indexOf('<')
      while (at !== -1 && !wanted.startsWith(text.slice(at, at + wanted.length)))
        at = text.indexOf('<', at + 1)
      if (at === -1) {
        sink({ type: inside ? 'tool-input-delta' : 'text-delta', id: '1', delta: text })
        break
      }
      if (at > 0)
        sink({ type: inside ? 'tool-input-delta' : 'text-delta', id: '1', delta: text.slice(0, at) })
      if (text.length - at < wanted.length) {
        held = text.slice(at)
        break
      }
      inside = !inside
      text = text.slice(at + wanted.length)
    }
  }
}
