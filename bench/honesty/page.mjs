/** The counts as a page. */

const table = (head, rows) => [
  `| ${head.join(' | ')} |`,
  `| ${head.map(() => '---').join(' | ')} |`,
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  '',
]

const of = (count, total) => (count === 0 ? '0' : `${count} of ${total}`)

const jsonRows = (rows) =>
  rows.map((row) => [
    row.name,
    row.claims,
    row.surplus,
    row.wrong,
    of(row.contradicted, row.snapshots),
    of(row.passed, row.truncated),
  ])

const textRows = (rows) =>
  rows.map((row) => [
    row.name,
    row.claims,
    row.surplus,
    row.wrong,
    row.leaked,
    of(row.unlike, row.calls),
    of(row.passed, row.truncated),
  ])

const providerRows = (rows) =>
  rows.map((row) => [
    row.name,
    row.claims,
    row.surplus,
    row.wrong,
    of(row.contradicted, row.snapshots),
    of(row.told, row.truncated),
    of(row.untold, row.truncated),
  ])

/** Where a count of ours is not zero, the texts that it comes from. */
const ownFaults = (rows) =>
  rows
    .filter(({ name, notes }) => name.startsWith('Sluice') && notes.length > 0)
    .map(({ name, notes }) => `- ${name}: ${notes.join(', ')}.`)

export function honestyPage({ json, text, providers }, versions) {
  const peers = Object.entries(versions).filter(
    ([name]) => !['@portkey-ai/gateway', 'esbuild', 'stream-json', 'zod'].includes(name),
  )
  const protocols = [...new Set(text.map(({ protocol }) => protocol))]
  const faults = ownFaults(text)
  return [
    '# Correctness, compared',
    '',
    'The same texts through Sluice and the libraries that people use today: in one piece, in two pieces at every place, and',
    'one UTF-16 unit at a time; then cut off at every place. Written by `npm run bench:honesty`, which takes a minute; the',
    'texts are in [`honesty/texts.mjs`](honesty/texts.mjs). Each library is used as its documentation shows it, and a column',
    'says what it claims. A count that is not zero is a defect only if the library claims otherwise.',
    '',
    `Versions: ${peers.map(([name, version]) => `${name} ${version}`).join(', ')}.`,
    '',
    '- **Answers too many**: different results of one text, beyond the first, summed over all texts. Zero means that the',
    '  result does not depend on how the text was cut.',
    '- **Wrong**: texts that at some cut give another result than they should.',
    '- **Contradicted**: snapshots, read one UTF-16 unit at a time, that the final value contradicts: a number, literal, key',
    '  or element that is not there in the end, or a string that the final one does not begin with.',
    '- **Leaked**: characters of markup in the visible text, at the worst cut of each text, summed.',
    '- **Truncated, taken for whole**: texts that were cut off inside the value or call, and that the library does not tell',
    '  from a whole one (JSON), or whose call is executed with arguments that are not the ones of the whole text (calls).',
    '',
    '## JSON that is still arriving',
    '',
    ...table(
      ['library', 'claims', 'answers too many', 'wrong', 'contradicted', 'truncated, taken for whole'],
      jsonRows(json),
    ),
    'partial-json, best-effort-json-parser and jsonrepair are made to answer a truncated text with a value, and leave it to',
    'the caller to know that it is truncated. What is wrong: the key `__proto__` (ai refuses it, partial-json loses it), and',
    'a `{` in a string (jsonrepair throws).',
    '',
    '## Tool calls in text',
    '',
    'Both middlewares run inside `streamText`, with tools that are executed. The response ends with the reason `stop`. A call',
    'whose arguments are all there may run without its closing tag. *Streamed differently*: executed calls whose',
    '`tool-input-delta`s do not add up to their input.',
    '',
    ...protocols.flatMap((protocol) => [
      `### ${protocol}`,
      '',
      ...table(
        [
          'library',
          'claims',
          'answers too many',
          'wrong',
          'leaked',
          'streamed differently',
          'truncated, executed',
        ],
        textRows(text.filter((row) => row.protocol === protocol)),
      ),
    ]),
    ...(faults.length === 0
      ? []
      : [
          'Where Sluice is not at zero:',
          '',
          ...faults,
          '',
          'That argument holds a literal `</function>`, which the format cannot tell from its own closing tag. Sluice does not run',
          'the call, says so with a diagnostic, and shows the rest as text; `render` refuses to write such an argument.',
          '',
        ]),
    "## Providers' own tool calls",
    '',
    'The arguments come in pieces of JSON text. A truncated response ends in two ways: the server says that it ran out of',
    'tokens, or, as some servers do, that the model wants its calls run.',
    '',
    ...table(
      [
        'library',
        'claims',
        'answers too many',
        'wrong',
        'contradicted',
        'truncated, offered, server says `length`',
        'truncated, offered, server says `tool_calls`',
      ],
      providerRows(providers),
    ),
    'The Anthropic client leaves the decision to the stop reason, which its own tool runner goes by. A UI message',
    'stream says by itself when an input is whole, so a truncated one is never offered.',
    '',
  ].join('\n')
}
