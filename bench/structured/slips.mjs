/**
 * Answers as models write them, each with one slip, in three layouts, and what a careful reader makes of them.
 *
 * `want` is the object that is meant; `null` where no reader can know it, so that the answer has to be refused.
 */

const ANSWER = {
  title: 'Broken lamp',
  severity: 'high',
  status: 'in_progress',
  due_days: 3,
  price: 1200.5,
  isUrgent: true,
  tags: ['desk', 'light'],
  owner: { name: 'Ann', age: 41 },
}

/** The members as they are written without a slip. */
const MEMBERS = {
  title: '"Broken lamp"',
  severity: '"high"',
  status: '"in_progress"',
  due_days: '3',
  price: '1200.5',
  isUrgent: 'true',
  tags: '["desk", "light"]',
  owner: '{"name": "Ann", "age": 41}',
}

/** An object as each layout writes it. `members`: pairs of a key, in quotes or not, and a value, both as written. */
const LAYOUTS = {
  'one line': (members) => `{${members.map(([key, value]) => `${key}: ${value}`).join(', ')}}`,
  compact: (members) => `{${members.map(([key, value]) => `${key}:${value}`).join(',')}}`,
  indented: (members) => `{\n${members.map(([key, value]) => `  ${key}: ${value}`).join(',\n')}\n}`,
}

const quoted = (members) => Object.entries(members).map(([key, value]) => [`"${key}"`, value])
const without = (...keys) => Object.fromEntries(Object.entries(ANSWER).filter(([key]) => !keys.includes(key)))

/** Another value, and what it means: the answer with these members, or `null`. */
const value = (kind, written, means) => ({
  kind,
  write: (layout) => layout(quoted({ ...MEMBERS, ...written })),
  want: means === null ? null : { ...ANSWER, ...means },
})

/** A change of the text as it is written without a slip. */
const text = (kind, change, want = ANSWER) => ({
  kind,
  write: (layout) => change(layout(quoted(MEMBERS))),
  want,
})

/** A change of the members. */
const members = (kind, change, want = ANSWER) => ({
  kind,
  write: (layout) => layout(change(quoted(MEMBERS))),
  want,
})

const renamed = (from, to) => (list) =>
  list.map(([key, written]) => [key === `"${from}"` ? to : key, written])
const dropped = (name) => (list) => list.filter(([key]) => key !== `"${name}"`)

export const GROUPS = {
  'around the answer': [
    text('nothing wrong', (json) => json),
    text('words before', (json) => `Here is the ticket you asked for:\n\n${json}`),
    text('words behind', (json) => `${json}\n\nLet me know if you need more.`),
    text('words on both sides', (json) => `Sure! ${json} Anything else?`),
    text('braces in the words', (json) => `I replaced {name} and {title} in it:\n${json}`),
    text('a fence', (json) => `\`\`\`json\n${json}\n\`\`\``),
    text('a fence without a language', (json) => `\`\`\`\n${json}\n\`\`\``),
    text('a fence and words', (json) => `Here it is:\n\n\`\`\`json\n${json}\n\`\`\`\n\nIt is urgent.`),
    text(
      'a draft in <think>',
      (json) => `<think>{"title": "Lamp", "severity": "low"} is too short.</think>\n${json}`,
    ),
    text('a heading', (json) => `## Ticket\n\n**Answer:**\n${json}`),
    text('the whole answer as a string', (json) => JSON.stringify(json)),
    text('two objects, the first of which counts', (json) => `${json}\n${json.replace('high', 'low')}`),
    text('only words', () => 'I cannot help with that.', null),
  ],
  syntax: [
    members('keys without quotes', (list) => list.map(([key, written]) => [key.slice(1, -1), written])),
    text('single quotes', (json) => json.replaceAll('"', "'")),
    text('curly quotes', (json) => json.replace(/"([^"]*)"/g, '“$1”')),
    text('a comma behind the last member', (json) => json.replace(/(\n?)\}$/, ',$1}')),
    value('a comma behind the last item', { tags: '["desk", "light",]' }, {}),
    value('a comment to the end of the line', { due_days: '3 // days\n' }, {}),
    value('a comment in the middle', { due_days: '3 /* days */' }, {}),
    value('a comment with a hash', { due_days: '3 # days\n' }, {}),
    value('a raw line break in a string', { title: '"Broken\nlamp"' }, { title: 'Broken\nlamp' }),
    value('a raw tab in a string', { title: '"Broken\tlamp"' }, { title: 'Broken\tlamp' }),
    value('a string without quotes', { title: 'Broken lamp' }, {}),
    value('a constant without quotes', { severity: 'high' }, {}),
    value('a missing comma in a list', { tags: '["desk" "light"]' }, {}),
    text('a missing comma between members', (json) => json.replace('"high",', '"high" ')),
    text('a missing colon', (json) => json.replace('"title":', '"title" ')),
    text('an equals sign for a colon', (json) => json.replaceAll(/":\s?/g, '" = ')),
    text('a comma too many', (json) => json.replace('"high",', '"high",,')),
    text('a brace too many', (json) => `${json}}`),
    members('a list that is not closed', (list) => [
      ...dropped('tags')(list),
      ['"tags"', '["desk", "light"'],
    ]),
    text('the last brace is missing', (json) => json.replace(/\s*\}$/, ''), null),
    text('cut off in a string', (json) => json.slice(0, json.indexOf('Ann') + 2), null),
    text('cut off in a number', (json) => json.slice(0, json.indexOf('1200') + 2), null),
    text('cut off behind a comma', (json) => json.slice(0, json.indexOf('"tags"')), null),
    text('a closing quote is missing', (json) => json.replace('Broken lamp"', 'Broken lamp')),
    text('an opening quote is missing', (json) => json.replace('"Broken lamp', 'Broken lamp')),
    value(
      'quotes that are not escaped',
      { title: '"Broken "Tiffany" lamp"' },
      { title: 'Broken "Tiffany" lamp' },
    ),
    value(
      'quotes that are not escaped, and a comma',
      { title: '"A "Tiffany", broken"' },
      { title: 'A "Tiffany", broken' },
    ),
    value(
      'quotes that are not escaped, at the end',
      { title: '"Broken "lamp""' },
      { title: 'Broken "lamp"' },
    ),
    value(
      'quotes that are not escaped, at the start',
      { title: '""Broken" lamp"' },
      { title: '"Broken" lamp' },
    ),
    value('a quote for inches', { title: '"A 5" lamp"' }, { title: 'A 5" lamp' }),
    value(
      'quotes that are not escaped, in a list',
      { tags: '["desk", "a "new" light"]' },
      { tags: ['desk', 'a "new" light'] },
    ),
    value('True', { isUrgent: 'True' }, {}),
    value('None for what may be null', { owner: 'None' }, { owner: null }),
    value('undefined for what may be null', { owner: 'undefined' }, { owner: null }),
    value('NaN', { price: 'NaN' }, null),
    value('dots for the other items', { tags: '["desk", ...]' }, null),
    text('a text of JSON without its quotes', (json) => json.replaceAll('"', '\\"')),
    value('a backslash before a letter', { title: '"Broken \\d lamp"' }, { title: 'Broken \\d lamp' }),
    value('a quote that need not be escaped', { title: '"Ann\\\'s lamp"' }, { title: "Ann's lamp" }),
    text('spaces that are not JSON', (json) => json.replace(':', ':\u00a0')),
    value('a point before the digits', { price: '.5' }, { price: 0.5 }),
    value('a plus', { price: '+1200.5' }, {}),
  ],
  values: [
    value('a constant in another case', { severity: '"High"' }, {}),
    value('a constant with spaces', { status: '"in progress"' }, {}),
    value('a constant with hyphens, in another case', { status: '"In-Progress"' }, {}),
    value('a constant with white space around it', { severity: '" high "' }, {}),
    value('a constant with a word more', { severity: '"high priority"' }, {}),
    value('a constant in a sentence', { severity: '"The severity is high."' }, {}),
    value('an unknown constant', { severity: '"urgent"' }, null),
    value('two constants', { severity: '"low or high"' }, null),
    value('an integer in quotes', { due_days: '"3"' }, {}),
    value('a number in quotes', { price: '"1200.5"' }, {}),
    value('a boolean in quotes', { isUrgent: '"true"' }, {}),
    value('yes for a boolean', { isUrgent: '"yes"' }, {}),
    value('1 for a boolean', { isUrgent: '1' }, {}),
    value('a fraction for an integer', { due_days: '3.7' }, null),
    value('3.0 for an integer', { due_days: '3.0' }, {}),
    value('a word for an integer', { due_days: '"soon"' }, null),
    value('one value for a list', { tags: '"desk"' }, { tags: ['desk'] }),
    value('two values for a list, in one text', { tags: '"desk, light"' }, {}),
    value('a list as a text', { tags: '"[\\"desk\\", \\"light\\"]"' }, {}),
    value('an object as a text', { owner: '"{\\"name\\": \\"Ann\\", \\"age\\": 41}"' }, {}),
    value('an object in a list', { owner: '[{"name": "Ann", "age": 41}]' }, {}),
    value('an object for a text in a list', { tags: '["desk", {"name": "light"}]' }, null),
    value('null for a text in a list', { tags: '["desk", null]' }, null),
    value('null where it may be', { owner: 'null' }, { owner: null }),
    value('"null" where null may be', { owner: '"null"' }, { owner: null }),
    { ...value('null for what may be left out', { due_days: 'null' }, {}), want: without('due_days') },
    value('null for what must be there', { price: 'null' }, null),
    value('a number for a text', { title: '42' }, { title: '42' }),
    value('a version for a text', { title: '3.10' }, { title: '3.10' }),
    value('a long number for a text', { title: '12345678901234567890' }, { title: '12345678901234567890' }),
    value('a text in a list', { title: '["Broken lamp"]' }, {}),
    value('two texts for one', { title: '["Broken", "lamp"]' }, null),
    value('an empty text for an integer', { due_days: '""' }, null),
    value('an integer with more digits than a number keeps', { due_days: '9007199254740993' }, null),
  ],
  keys: [
    members('a key that is too much', (list) => [...list, ['"colour"', '"red"']]),
    members('a key in another case', renamed('title', '"Title"')),
    members('a key in capitals', renamed('severity', '"SEVERITY"')),
    members('a key in camel case', renamed('due_days', '"dueDays"')),
    members('a key with underscores', renamed('isUrgent', '"is_urgent"')),
    members('a key with spaces', renamed('due_days', '"Due days"')),
    members('a key with hyphens', renamed('due_days', '"due-days"')),
    value('a key in another case, inside', { owner: '{"Name": "Ann", "Age": 41}' }, {}),
    members('another word for a key', renamed('title', '"name"'), null),
    members('a missing list', dropped('tags'), null),
    members('a missing text', dropped('title'), null),
    members('what may be missing is', dropped('due_days'), without('due_days')),
    members('a key twice, with other values', (list) => [...list, ['"price"', '7']], null),
    members('two keys of one meaning', (list) => [...list, ['"Price"', '7']], null),
    members('all keys in another case', (list) => list.map(([key, written]) => [key.toUpperCase(), written])),
  ],
  'numbers and wrappers': [
    value('groups of digits, in quotes', { price: '"1,200.5"' }, {}),
    value('groups of digits', { price: '1,200.5' }, {}),
    value('a currency, in quotes', { price: '"$1,200.50"' }, {}),
    value('a currency', { price: '$1200.50' }, {}),
    value('a unit, in quotes', { price: '"1200.5 EUR"' }, {}),
    value('a unit', { price: '1200.5 EUR' }, {}),
    value('a unit of an integer', { due_days: '"3 days"' }, {}),
    value('a comma for the point', { price: '"1.200,50"' }, {}),
    value('a number in thousands', { price: '"1.2k"' }, null),
    value('a percentage', { price: '"45%"' }, null),
    value('a range', { price: '"10-20"' }, null),
    value('a fraction of two numbers, in quotes', { price: '"1/2"' }, null),
    value('a fraction of two numbers', { price: '1/2' }, null),
    text('a list around the answer', (json) => `[${json}]`),
    text('a key around the answer', (json) => `{"ticket": ${json}}`),
    text('two answers in a list', (json) => `[${json}, ${json.replace('high', 'low')}]`, null),
  ],
}

/** Every slip in every layout. Those that are the same in two layouts are there once. */
export const SLIPS = Object.entries(GROUPS).flatMap(([group, slips]) =>
  slips.flatMap(({ kind, write, want }) => {
    const texts = new Map(Object.entries(LAYOUTS).map(([layout, how]) => [write(how), layout]))
    return [...texts].map(([written, layout]) => ({ group, kind, layout, text: written, want }))
  }),
)

/** A list of so many characters, or a little more. */
export function listOf(length) {
  const one = JSON.stringify(ANSWER)
  return `{"tickets": [${Array.from({ length: Math.ceil(length / one.length) }, () => one).join(', ')}]}`
}
