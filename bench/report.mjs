/** The results as a page. */

import { cpus, totalmem } from 'node:os'

export function report(sections, seconds) {
  const [cpu] = cpus()
  const lines = [
    '# Results',
    '',
    `Measured on ${new Date().toISOString().slice(0, 10)} in ${Math.round(seconds)} seconds: ${cpus().length} cores (${cpu.model.trim()}),`,
    `${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, ${process.platform}. Written by \`npm run bench\`.`,
    '',
    'Figures are ratios of processor time between things that ran in turns in one process, medians of several samples.',
    'The machine is shared: read a ratio as good to about a third. **S** is a loop that looks at every character and makes one',
    'event for each chunk, the least that any parser can do. Models write tokens of 4 to 16 characters. Every sink keeps its',
    'last events, and every process has read other calls before.',
    '',
  ]
  for (const { title, about, rows } of sections) {
    lines.push(`## ${title}`, '')
    if (about) lines.push(about, '')
    lines.push('| work | result | target | met |', '| --- | --- | --- | --- |')
    for (const { work, shown, target, met } of rows)
      lines.push(`| ${work} | ${shown} | ${target ?? ''} | ${met === undefined ? '' : met ? 'yes' : 'no'} |`)
    lines.push('')
  }
  return lines.join('\n')
}

/** A row whose figure is the ratio of one job to another. */
export function ratioRow(work, { of, to, target, jobs, measure, also = [] }) {
  return {
    work,
    target: target === undefined ? undefined : `≤ ${target}× ${to}`,
    async run() {
      const times = await measure(jobs())
      const ratio = times[of] / times[to]
      const others = also.map((name) => `${name} ${(times[name] / times[to]).toFixed(2)}×`)
      return {
        ratio,
        shown: [`${ratio.toFixed(2)}× ${to}`, ...others].join(', '),
        met: target === undefined ? undefined : ratio <= target,
      }
    },
  }
}
