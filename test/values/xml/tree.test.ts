import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ReadElementsOptions,
  readElements,
  type XmlNode,
  type XmlProblem,
} from '../../../src/values/xml/index.ts'

/** Text as itself, an element as its name, its attributes where there are any, and what it holds. */
type Brief = string | Record<string, string> | Brief[]

function brief(node: XmlNode): Brief {
  if (node.type === 'text') return node.text
  const attributes = node.attributes.length > 0 ? [Object.fromEntries(node.attributes)] : []
  return [node.name, ...attributes, ...node.children.map(brief)]
}

function read(xml: string, options: ReadElementsOptions = {}) {
  const problems: string[] = []
  const onProblem = ({ code, name, offset }: XmlProblem) => problems.push(`${code} ${name} ${offset}`)
  return { nodes: readElements(xml, { ...options, onProblem }).map(brief), problems }
}

describe('elements', () => {
  const cases: [sentence: string, xml: string, nodes: Brief[], problems?: string[]][] = [
    ['hold text', '<a>b</a>', [['a', 'b']]],
    ['stand between texts', 'x<a>b</a>y', ['x', ['a', 'b'], 'y']],
    ['hold elements', '<a><b>1</b><b>2</b></a>', [['a', ['b', '1'], ['b', '2']]]],
    ['hold elements of their own name', '<a><a>1</a></a>', [['a', ['a', '1']]]],
    ['have attributes', '<a k="v" l=\'w\'>b</a>', [['a', { k: 'v', l: 'w' }, 'b']]],
    ['close themselves', '<a/><b k="v" />', [['a'], ['b', { k: 'v' }]]],
    ['have space in their closers', '<a>b</ a\n>', [['a', 'b']]],
    ['have numbers for names', '<0>a</0>', [['0', 'a']]],
    ['have names with dots, dashes and colons', '<a.b-c:d>x</a.b-c:d>', [['a.b-c:d', 'x']]],
    ['have names in any script', '<città>x</città>', [['città', 'x']]],
    ['keep space', '<a> b\n</a>\n', [['a', ' b\n'], '\n']],
    ['decode references once', '<a>&lt;b&gt; &amp;amp;</a>', [['a', '<b> &amp;']]],
    ['hold CDATA as it is', '<a>x<![CDATA[<b> &lt;]]>y</a>', [['a', 'x', '<b> &lt;', 'y']]],
    ['hold empty CDATA', '<a><![CDATA[]]></a>', [['a']]],
    ['lose comments and declarations', '<?xml version="1.0"?><a>x<!-- <b> -->y</a>', [['a', 'x', 'y']]],
    ['are not made of comparisons', 'if a < b && c > d', ['if a < b && c > d']],
    ['are not made of what never closes', '<a>x <b> y</a>', [['a', 'x <b> y']], ['unclosed-element b 5']],
    [
      'end where their parent ends',
      '<a><b>x</a></b>',
      [['a', ['b', 'x']], '</b>'],
      ['unclosed-element b 3', 'stray-closer b 11'],
    ],
    ['end where the text ends', '<p>one<p>two</p>', [['p', 'one', ['p', 'two']]], ['unclosed-element p 0']],
    ['are not closed by what never opened', '<a>x</b></a>', [['a', 'x</b>']], ['stray-closer b 4']],
    ['are not made of broken tags', '<a <b>x</b>', ['<a ', ['b', 'x']]],
    ['are not made of unfinished tags', 'x <a href="', ['x <a href="']],
    ['are not made of unfinished comments', 'x <!-- y', ['x <!-- y']],
    ['are not made of unfinished CDATA', 'x <![CDATA[ y', ['x <![CDATA[ y']],
    ['are not made of empty names', '<>x</>', ['<>x</>']],
    ['may be missing altogether', '', []],
  ]
  it.each(cases)('%s', (_, xml, nodes, problems = []) => {
    expect(read(xml)).toEqual({ nodes, problems })
  })

  it('know their inside as it is written, and where they open', () => {
    const [, element] = readElements('xx<a>b &lt; <c>d</c></a>')
    expect(element).toMatchObject({ inner: 'b &lt; <c>d</c>', offset: 2 })
  })

  it('leave references alone when asked to', () => {
    expect(read('<a k="&lt;">&lt;</a>', { entities: false }).nodes).toEqual([['a', { k: '&lt;' }, '&lt;']])
  })

  describe('that hold only text', () => {
    const isText: ReadElementsOptions = { isText: ({ name }) => name === 'content' }
    const cases: [sentence: string, xml: string, nodes: Brief[], problems?: string[]][] = [
      ['hold markup as text', '<content><b>x</b> </y></content>', [['content', '<b>x</b> </y>']]],
      [
        'hold the closers of their parents',
        '<w><content>a </w> b</content></w>',
        [['w', ['content', 'a </w> b']]],
      ],
      [
        'balance their own name',
        '<content>a <content>b</content> c</content>',
        [['content', 'a <content>b</content> c']],
      ],
      [
        'do not count their own name when it closes itself',
        '<content>a <content/> b</content>',
        [['content', 'a <content/> b']],
      ],
      [
        'hold longer names that start like theirs',
        '<content>a <contents> b</content>',
        [['content', 'a <contents> b']],
      ],
      [
        'hold their closer in CDATA',
        '<content><![CDATA[</content>]]></content>',
        [['content', '<![CDATA[</content>]]>']],
      ],
      [
        'reach to the last closer when their name is out of balance',
        '<content>a <content> b</content> <x>c</x>',
        [['content', 'a <content> b'], ' ', ['x', 'c']],
        ['unclosed-element content 0'],
      ],
    ]
    it.each(cases)('%s', (_, xml, nodes, problems = []) => {
      expect(read(xml, isText)).toEqual({ nodes, problems })
    })
  })
})

describe('reading elements', () => {
  it('goes to any depth', () => {
    const depth = 10_000
    expect(readElements(`${'<a>'.repeat(depth)}x${'</a>'.repeat(depth)}`)).toHaveLength(1)
  })

  const pieces = fc.constantFrom(
    '<a>',
    '</a>',
    '<b k="v">',
    '</b>',
    '<c/>',
    'x',
    ' ',
    '<',
    '>',
    '&lt;',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '"',
    '/',
    '</',
  )
  it('never throws, and loses nothing but markup', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), fc.boolean(), (parts, isText) => {
        const letters = JSON.stringify(readElements(parts.join(''), { isText: () => isText }))
        const isInMarkup =
          parts.includes('<!--') || parts.includes('<') || parts.includes('</') || parts.includes('<![CDATA[')
        if (parts.includes('x') && !isInMarkup) expect(letters).toContain('x')
      }),
      { seed: 7, numRuns: 2000 },
    )
  })
})
