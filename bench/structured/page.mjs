/** The counts as a page. */

const table = (head, rows) => [
  `| ${head.join(' | ')} |`,
  `| ${head.map(() => '---').join(' | ')} |`,
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  '',
]

const share = (part, whole) => `${part} (${((100 * part) / whole).toFixed(0)} %)`

const time = (seconds) => {
  if (seconds === undefined) return 'not tried'
  return seconds < 1 ? `${Math.max(1, Math.round(seconds * 1000))} ms` : `${seconds.toFixed(1)} s`
}

/** The verdicts on one kind in its layouts: one word if they agree. */
const verdictOf = (verdicts) => [...new Set(verdicts)].join(', ')

export function structuredPage(rows, slips, versions) {
  const named = ['@boundaryml/baml', 'jsonrepair', 'zod', 'ai']
  const groups = [...new Set(slips.map(({ group }) => group))]
  const wanted = new Map(slips.map(({ kind, want }) => [kind, want === null ? ' *(refuse)*' : '']))
  const kindsOf = (group) => new Set(slips.filter((slip) => slip.group === group).map(({ kind }) => kind))
  const timed = rows.filter(({ times }) => times.length > 0)
  return [
    '# Structured output, compared',
    '',
    `${slips.length} answers, each with one slip that models make: ${wanted.size} kinds in up to three layouts. Written by`,
    '`npm run bench:structured`; the answers are in [`structured/slips.mjs`](structured/slips.mjs), and each reader is used as its',
    'documentation shows it. The schema has strings, two enums, an integer that may be missing, a number, a boolean, a list of strings and',
    'an object or null.',
    '',
    `Versions: ${named.map((name) => `${name} ${versions[name]}`).join(', ')}.`,
    '',
    '- **Right**: of the answers that a careful reader understands, those that give the object that is meant.',
    '- **Refused**: those of them that are refused.',
    '- **Wrong**: of all answers, those that give another object, or any object where it cannot be known which is meant (cut off,',
    '  an unknown constant, `3.7` for an integer).',
    '- **Taken back**: snapshots that the next one contradicts, with one character at a time: a value that changes, or a string that does',
    '  not go on. `null` in a snapshot of BAML counts as missing.',
    '',
    ...table(
      ['reader', 'right', 'refused', 'wrong', 'taken back', 'in so many answers'],
      rows.map((row) => [
        row.name,
        share(row.right, row.readable),
        share(row.refused, row.readable),
        share(row.wrong, slips.length),
        row.taken,
        row.retracted,
      ]),
    ),
    '## Time',
    '',
    'A list of tickets without slips: whole, and in chunks of 64 characters with a snapshot for each.',
    '',
    ...table(
      ['reader', '10 kB', '100 kB', '1 MB', '10 kB in chunks', '100 kB in chunks', '1 MB in chunks'],
      timed.map(({ name, times }) => [
        name,
        ...times.map(({ once }) => time(once)),
        ...times.map(({ growing }) => time(growing)),
      ]),
    ),
    '## Every kind',
    '',
    ...groups.flatMap((group) => [
      `### ${group[0].toUpperCase()}${group.slice(1)}`,
      '',
      ...table(
        ['kind', ...rows.map(({ name }) => name)],
        [...kindsOf(group)].map((kind) => [
          kind + wanted.get(kind),
          ...rows.map(({ kinds }) => verdictOf(kinds.get(kind))),
        ]),
      ),
    ]),
  ].join('\n')
}
