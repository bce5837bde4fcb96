/** A chart of a table: how the time of each contestant, relative to the reference, grows with the work. */

const [WIDTH, HEIGHT] = [820, 400]
const PLOT = { left: 76, right: 530, top: 48, bottom: 340 }
const OURS = ['#0b6bcb', '#0b9a8d', '#5b3fd1']
const THEIRS = ['#8a8f98', '#c2410c', '#a16207', '#be185d', '#4d7c0f', '#6b7280', '#9333ea', '#78716c']

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '')

/** The lines of a table: for each contestant its points, as ratios to the reference. */
export function linesOf({ reference, contestants, results }) {
  return contestants.map(({ name, gives }) => ({
    name,
    gives,
    points: results.map(({ label, size, times }) => {
      const base = times.find((one) => one.name === reference.name).time
      const { time, state } = times.find((one) => one.name === name)
      return { label, size, state, time, ratio: time === undefined ? undefined : time / base }
    }),
  }))
}

/** Powers of ten around the values. */
function decades(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)].map(Math.log10)
  const from = Math.floor(low)
  return Array.from({ length: Math.max(2, Math.ceil(high) - from + 1) }, (_, index) => 10 ** (from + index))
}

const shown = (value) => (value >= 1 ? value.toLocaleString('en') : String(value))

export function growthChart(table) {
  const lines = linesOf(table).filter(({ points }) => points.some(({ ratio }) => ratio !== undefined))
  const ticks = decades(lines.flatMap(({ points }) => points.flatMap(({ ratio }) => ratio ?? [])))
  const sizes = table.results.map(({ size }) => size)
  const scale = (value, [from, to], [start, end]) =>
    start + ((Math.log(value) - Math.log(from)) / (Math.log(to) - Math.log(from))) * (end - start)
  const x = (size) => scale(size, [sizes[0], sizes.at(-1)], [PLOT.left + 8, PLOT.right - 8])
  const y = (ratio) => scale(ratio, [ticks[0], ticks.at(-1)], [PLOT.bottom, PLOT.top])
  const text = (at, height, content, rest = '') =>
    `<text x="${at.toFixed(1)}" y="${height.toFixed(1)}" ${rest}>${escaped(content)}</text>`

  const grid = ticks.map(
    (tick) =>
      `<line x1="${PLOT.left}" x2="${PLOT.right}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}" stroke="#e5e7eb"/>` +
      text(PLOT.left - 8, y(tick) + 4, `${shown(tick)}×`, 'text-anchor="end"'),
  )
  const places = table.results.map(({ label, size }) =>
    text(x(size), PLOT.bottom + 20, label, 'text-anchor="middle"'),
  )
  const counts = { ours: 0, theirs: 0 }
  const drawn = lines.map(({ name, points }) => {
    const isOurs = name.startsWith('Sluice')
    const colour = isOurs ? OURS[counts.ours++ % OURS.length] : THEIRS[counts.theirs++ % THEIRS.length]
    const measured = points.filter(({ ratio, state }) => ratio !== undefined && state === 'done')
    const capped = points.filter(({ state }) => state === 'capped').slice(0, 1)
    const path = [...measured, ...capped].map(
      ({ size, ratio }) => `${x(size).toFixed(1)},${y(ratio).toFixed(1)}`,
    )
    return { name, colour, isOurs, measured, capped, path, end: [...measured, ...capped].at(-1) }
  })
  const visible = drawn.filter(({ end }) => end !== undefined)
  const labels = spread(visible.map((line) => ({ ...line, at: y(line.end.ratio) })))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#374151">`,
    `<title>${escaped(table.title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(16, 26, table.title, 'font-size="15" font-weight="600" fill="#111827"'),
    ...grid,
    ...places,
    text(
      PLOT.left,
      HEIGHT - 14,
      `Processor time, relative to ${table.reference.name}; both axes logarithmic. ▲: stopped at the cap.`,
    ),
    ...visible.map(
      ({ colour, isOurs, path, measured, capped }) =>
        `<polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="${isOurs ? 3 : 1.5}"/>` +
        measured
          .map(
            ({ size, ratio }) =>
              `<circle cx="${x(size).toFixed(1)}" cy="${y(ratio).toFixed(1)}" r="3" fill="${colour}"/>`,
          )
          .join('') +
        capped
          .map(({ size, ratio }) => text(x(size), y(ratio) + 4, '▲', `text-anchor="middle" fill="${colour}"`))
          .join(''),
    ),
    ...labels.map(
      ({ name, colour, isOurs, end, at, label }) =>
        `<line x1="${(x(end.size) + 6).toFixed(1)}" y1="${at.toFixed(1)}" x2="${PLOT.right + 10}" y2="${label.toFixed(1)}" stroke="${colour}" stroke-opacity="0.35"/>` +
        text(PLOT.right + 14, label + 4, name, `fill="${colour}"${isOurs ? ' font-weight="600"' : ''}`),
    ),
    '</svg>',
    '',
  ].join('\n')
}

/** Labels beside their lines, with room between them. */
function spread(lines) {
  const sorted = [...lines].sort((one, other) => one.at - other.at)
  let above = Number.NEGATIVE_INFINITY
  for (const line of sorted) {
    line.label = Math.max(line.at, above + 17)
    above = line.label
  }
  const excess = above - (PLOT.bottom + 14)
  if (excess > 0) {
    let below = Number.POSITIVE_INFINITY
    for (const line of sorted.reverse()) {
      line.label = Math.min(line.label, below - 17, PLOT.bottom + 14)
      below = line.label
    }
  }
  return sorted
}
