// What the terminal is given to draw when its costs are measured.

export const DELTAS_A_SECOND = 1000

/** Seconds of real time: those in which Node compiles most of what runs, and all of them. */
export const START_SECONDS = 5
export const LIVE_SECONDS = 10

export const TOOLS = [{ name: 'write_file', streams: 'content', headlines: ['path'] }]

/** A terminal that nobody looks at. */
export const nowhere = () => ({
  isTTY: true,
  columns: 120,
  rows: 40,
  writes: 0,
  write() {
    this.writes++
    return true
  },
})

const TOKENS = [
  'const ',
  'total',
  ' = ',
  'items',
  '.reduce',
  '((sum, ',
  'one) ',
  '=> sum',
  ' + one',
  ', 0)\n',
]

/** No line is like another: a row that stays the same is not drawn again. */
const token = (index) => {
  const place = index % TOKENS.length
  return place === 1 ? `${TOKENS[place]}${Math.floor(index / TOKENS.length)}` : TOKENS[place]
}

export const TERMINAL_WORK = [
  {
    work: 'a file that grows',
    start: [
      { type: 'tool-input-start', id: '1', toolName: 'write_file' },
      { type: 'argument-start', id: '1', path: ['path'], kind: 'string' },
      { type: 'argument-end', id: '1', path: ['path'], value: 'src/total.ts' },
      { type: 'argument-start', id: '1', path: ['content'], kind: 'string' },
    ],
    delta: (index) => ({ type: 'argument-delta', id: '1', path: ['content'], delta: token(index) }),
  },
  {
    work: 'text',
    start: [{ type: 'text-start', id: 't' }],
    delta: (index) => ({ type: 'text-delta', id: 't', delta: token(index) }),
  },
  {
    work: 'four calls at once',
    start: [1, 2, 3, 4].flatMap((id) => [
      { type: 'tool-input-start', id: `${id}`, toolName: 'write_file' },
      { type: 'argument-start', id: `${id}`, path: ['content'], kind: 'string' },
    ]),
    delta: (index) => ({
      type: 'argument-delta',
      id: `${1 + (index % 4)}`,
      path: ['content'],
      delta: token(index >> 2),
    }),
  },
]
