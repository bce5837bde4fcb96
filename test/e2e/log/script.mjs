// What the producer of a trial says, by its seed: text and calls in the Hermes format, cut at random.

/** Numbers between 0 and 1 that follow from a seed. @param {number} seed */
export function randomOf(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The pieces of a response. @param {number} seed @returns {string[]} */
export function piecesOf(seed) {
  const random = randomOf(seed)
  const call = (/** @type {number} */ at) =>
    `<tool_call>{"name": "write_file", "arguments": {"path": "f${at}.ts", "content": "${'let a = 1; '.repeat(3 + random() * 6)}"}}</tool_call>`
  let text = 'I write the files. '
  for (let at = 0; at < 4; at++) text += call(at) + (random() < 0.5 ? ' Then the next <b>one</b>. ' : '\n')
  const pieces = []
  for (let at = 0; at < text.length; ) {
    const length = 1 + Math.floor(random() * 24)
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}
