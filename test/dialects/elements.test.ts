/** Calls whose tag is the tool's own name, or carries it. */

import { describe, expect, test } from 'vitest'
import { clineXml } from '../../src/dialects/cline-xml.ts'
import { minimaxM3 } from '../../src/dialects/minimax-m3.ts'
import { morphXml } from '../../src/dialects/morph-xml.ts'
import { shorthand } from '../../src/dialects/shorthand.ts'
import { toolXml } from '../../src/dialects/tool-xml.ts'
import { parse } from '../../src/engine/message.ts'
import { createParser, type ParserOptions } from '../../src/engine/parser.ts'
import { outline } from '../engine/wire/outline.ts'
import { BOTH_CALLS, TOOLS } from './tools.ts'

type Row = [what: string, response: string, expected: string[], options?: ParserOptions]

describe('morph-xml', () => {
  test.each<Row>([
    [
      'a text and two calls',
      'On it.\n<book>\n<hotel>Ritz</hotel>\n<nights>3</nights>\n</book>\n<ring>\n<who>Ann</who>\n</ring>',
      ['text On it.\n', ...BOTH_CALLS],
    ],
    ['a tag that is no tool', '<fly><far>1</far></fly>', ['text <fly><far>1</far></fly>']],
    [
      'a tag that only begins like a tool',
      '<ringer><who>Ann</who></ringer>',
      ['text <ringer><who>Ann</who></ringer>'],
    ],
    ['no tools at all', '<now></now>', ['text <now></now>'], { tools: [] }],
    ['calls without arguments', '<now/><now /><now></now>', ['call now {}', 'call now {}', 'call now {}']],
    [
      'a list as repeated tags',
      '<label><tags>a</tags><tags>b</tags></label>',
      ['call label {"tags":["a","b"]}'],
    ],
    [
      'a list as items',
      '<label><tags><item>a</item><item>b</item></tags></label>',
      ['call label {"tags":["a","b"]}'],
    ],
    [
      'a list in two parts, as a guess',
      '<label><tags><item>a</item></tags><tags>b</tags><tags><item>c</item></tags></label>',
      ['repaired label {"tags":["a","b","c"]}', 'note arguments-repaired'],
    ],
    [
      'an argument called item, of a tool whose schema says nothing',
      '<any><item>1</item></any>',
      ['call any {"item":1}'],
      { tools: [{ name: 'any', inputSchema: {} }] },
    ],
    ['a tag whose name has an ampersand', '<now><&>x</now>', ['invalid now {}', 'note malformed-call']],
    ['a list of one', '<label><tags>a</tags></label>', ['call label {"tags":["a"]}']],
    ['an object', '<label><at><x>1.5</x></at></label>', ['call label {"at":{"x":1.5}}']],
    [
      'numbers that no schema speaks for, where that is safe',
      '<label><zip>00123</zip><n>12</n></label>',
      ['call label {"zip":"00123","n":12}'],
    ],
    ['markup inside a string', '<ring><who><b>x</b></who></ring>', ['call ring {"who":"<b>x</b>"}']],
    [
      'entities inside a string',
      '<ring><who>a &lt; b &amp;amp; c</who></ring>',
      ['call ring {"who":"a < b &amp; c"}'],
    ],
    [
      'a string that is there twice',
      '<ring><who>a</who><who>b</who></ring>.',
      ['invalid ring {"who":"a"}', 'text .', 'note duplicate-key'],
    ],
    [
      'an argument that the end cuts off',
      '<ring><who>An',
      ['truncated ring {"who":"An"}', 'note truncated-call'],
    ],
    [
      'a call that the end cuts off',
      '<ring><who>Ann</who>',
      ['truncated ring {"who":"Ann"}', 'note truncated-call'],
    ],
    ['a tag that the end cuts off', 'a <rin', ['text a <rin']],
    ['a result', '<tool_response>fine</tool_response>', ['result result-1 fine']],
    [
      'a tag with attributes, as text up to its closer',
      '<save file="a"><body><now/></body><save></save></save>.<ring/>',
      ['text <save file="a"><body><now/></body><save></save></save>.', 'repaired ring {}', 'note not-a-call'],
    ],
    [
      'the same where the tag closes itself',
      '<save file="a"/><now/>',
      ['text <save file="a"/>', 'repaired now {}', 'note not-a-call'],
    ],
    [
      'the same where its closer stands in a CDATA section, too',
      '<save a><![CDATA[</save>]]><now/></save>',
      ['text <save a><![CDATA[</save>]]><now/></save>', 'note not-a-call'],
    ],
    ['the same where it is never closed', '<save a><now/>', ['text <save a><now/>', 'note not-a-call']],
    ['a broken tag', '<save ="a"><now/></save>', ['text <save ="a"><now/></save>', 'note not-a-call']],
    [
      'a tag that prose mentions without its end',
      'the <save tool. <now/>',
      ['text the <save tool. ', 'repaired now {}', 'note not-a-call'],
    ],
    ['white space in a tag', '<now\n/><now \t></now>', ['call now {}', 'call now {}']],
    [
      'white space in all tags',
      '<book >\n<hotel\n>Ritz</hotel\n><nights >3</nights ></book\t> <tool_response >ok</tool_response >',
      ['call book {"hotel":"Ritz","nights":3}', 'text  ', 'result result-3 ok'],
    ],
    [
      'white space in the tags of a list',
      '<label><tags ><item >a</item ><item>b</item\n></tags\n></label>',
      ['call label {"tags":["a","b"]}'],
    ],
    [
      'what only begins like a closer',
      '<ring><who>a </who b </who</who ></ring>',
      ['call ring {"who":"a </who b </who"}'],
    ],
    [
      'no more white space than eight characters',
      '<ring><who>a</who         ></who></ring>',
      ['call ring {"who":"a</who         >"}'],
    ],
    [
      'CDATA around a string',
      '<ring><who><![CDATA[<b>&amp;</who></ring>]]></who></ring>',
      ['call ring {"who":"<b>&amp;</who></ring>"}'],
    ],
    [
      'CDATA and white space around it',
      '<ring>\n<who>\n  <![CDATA[ a ]]>\n</who >\n</ring>',
      ['call ring {"who":" a "}'],
    ],
    [
      'CDATA in several sections, which is how its end is written',
      '<ring><who><![CDATA[a]]]]><![CDATA[>b]]></who></ring>',
      ['call ring {"who":"a]]>b"}'],
    ],
    [
      'text between sections and behind them',
      '<ring><who><![CDATA[a]]> &lt; <![CDATA[&lt;]]> </b> </who></ring>',
      ['call ring {"who":"a < &lt; </b> "}'],
    ],
    ['a CDATA section without text', '<ring><who><![CDATA[]]></who></ring>', ['call ring {"who":""}']],
    [
      'CDATA behind text, as text',
      '<ring><who>a <![CDATA[b]]></who></ring>',
      ['call ring {"who":"a <![CDATA[b]]>"}'],
    ],
    [
      'what only begins like CDATA',
      '<ring><who> <![CDATA</who></ring><ring><who>\n<b></who></ring>',
      ['call ring {"who":" <![CDATA"}', 'call ring {"who":"\\n<b>"}'],
    ],
    [
      'CDATA that the end cuts off',
      '<ring><who><![CDATA[a</who></ring>',
      ['truncated ring {"who":"a</who></ring>"}', 'note truncated-call'],
    ],
    [
      'CDATA that is not closed before the next, as a guess',
      '<ring><who><![CDATA[a</who></ring> <ring><who><![CDATA[b]]></who></ring>',
      ['repaired ring {"who":"a</who></ring> <ring><who><![CDATA[b"}'],
    ],
    [
      'the same in a list',
      '<label><tags><![CDATA[a</tags></label> <label><tags><![CDATA[b]]></tags></label>',
      ['repaired label {"tags":["a</tags></label> <label><tags><![CDATA[b"]}'],
    ],
    [
      'CDATA in an argument whose closer is missing',
      '<ring><who><![CDATA[a]]></ring>.',
      ['repaired ring {"who":"a"}', 'text .', 'note missing-closer'],
    ],
    [
      'an argument whose closer is missing, and white space in that of the call',
      '<ring><who>a</ring >.',
      ['repaired ring {"who":"a"}', 'text .', 'note missing-closer'],
    ],
    [
      'keys that objects have of their own',
      '<label><__proto__>1</__proto__><constructor>2</constructor></label>',
      ['call label {"__proto__":1,"constructor":2}'],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: morphXml, tools: TOOLS, ...options })).toEqual(expected)
  })
})

test('an entity that comes in pieces is decoded in its argument, too', () => {
  const parser = createParser({
    dialect: morphXml,
    tools: [{ name: 'find', inputSchema: { type: 'object', properties: { what: { type: 'string' } } } }],
    emit: { json: false, arguments: true },
  })
  const events = [...'<find><what>a &lt;b</what></find>'].flatMap((character) => parser.push(character))
  const said = events.flatMap((event) => (event.type === 'argument-delta' ? [event.delta] : []))
  expect(said.join('')).toBe('a <b')
  expect(events.at(-1)).toMatchObject({ type: 'tool-call', input: { what: 'a <b' }, status: 'complete' })
})

test('text in a CDATA section grows as it comes', () => {
  const parser = createParser({ dialect: morphXml, tools: TOOLS })
  const grows = (text: string) =>
    parser.push(text).flatMap((event) => (event.type === 'tool-input-delta' ? [event.delta] : []))
  expect(grows('<ring><who> <![CDA')).toEqual(['{"who":"'])
  expect(grows('TA[a')).toEqual(['a'])
  expect(grows('b</who>&amp;]')).toEqual(['b</who>&amp;'])
  expect(grows(']x]]>')).toEqual([']]x'])
  expect(grows('\n</wh')).toEqual([])
  expect(grows('o></ring>')).toEqual(['"', '}'])
})

describe('an attribute that the format does not read', () => {
  const path = { type: 'object', properties: { path: { type: 'string' }, mode: { type: 'string' } } }
  type Attributes = [what: string, inside: string, expected: string[], inputSchema?: object]

  const tools = (inputSchema: object | undefined) => [{ name: 'write', ...(inputSchema && { inputSchema }) }]

  test.each<Attributes>([
    [
      'fails the call where any attribute could be an argument',
      '<arg name="path" value="y"/>',
      ['invalid write {"path":""}', 'note malformed-call'],
    ],
    [
      'fails it where the element has nothing but the attribute',
      '<arg name="path" value="y"/>',
      ['invalid write {"path":""}', 'note malformed-call'],
      path,
    ],
    [
      'fails it on the element around the arguments',
      '<arguments path="y"></arguments>',
      ['invalid write {}', 'note malformed-call'],
      path,
    ],
    [
      'fails it where it is named like an argument',
      '<arg name="path" mode="append">a</arg>',
      ['invalid write {"path":"a"}', 'note malformed-call'],
      path,
    ],
    [
      'is lost where the schema has no such argument',
      '<arg name="path" required="true">a</arg>',
      ['repaired write {"path":"a"}', 'note arguments-repaired'],
      path,
    ],
    [
      'changes nothing where it repeats what the schema says',
      '<arguments type="object"><arg name="path" type="string" xml:space="preserve">a</arg></arguments>',
      ['repaired write {"path":"a"}'],
      path,
    ],
    [
      'is lost inside a value',
      '<arg name="tags"><item id="3">a</item></arg>',
      ['repaired write {"tags":["a"]}', 'note arguments-repaired'],
    ],
    [
      'is lost where only some elements have a name',
      '<arg name="edit"><line name="a">b</line></arg>',
      ['repaired write {"edit":{"line":"b"}}', 'note arguments-repaired'],
    ],
    [
      'fails the call where it is there twice',
      '<arg name="path" name="mode">a</arg>',
      ['invalid write {"path":"a"}', 'note duplicate-key'],
    ],
  ])('%s', (_, inside, expected, inputSchema) => {
    const text = `<tool name="write">${inside}</tool>`
    expect(outline(text, { dialect: toolXml, tools: tools(inputSchema) })).toEqual(expected)
  })

  test.each([
    ['lossless where the schema has the argument', 'type="string"', path, 'lossless'],
    ['a guess where no schema says the type', 'type="string"', undefined, 'guess'],
    ['lossless where it is about white space', 'xml:space="preserve"', undefined, 'lossless'],
    ['lossy where it is left out', 'required="true"', path, 'lossy'],
  ])('is %s', (_, attribute, inputSchema, repairClass) => {
    const text = `<tool name="write"><arg name="path" ${attribute}>a</arg></tool>`
    const [call] = parse(text, { dialect: toolXml, tools: tools(inputSchema) }).toolCalls
    expect(call!.repairs).toEqual([{ code: 'ignored-attribute', class: repairClass, offset: 0 }])
  })

  test.each<Attributes>([
    [
      'fails the call on the element of an argument',
      '<path mode="append">a</path>',
      ['invalid write {"path":"a"}', 'note malformed-call'],
    ],
    [
      'is lost inside a value',
      '<content><a href="http://x">hi</a></content>',
      ['repaired write {"content":{"a":"hi"}}', 'note arguments-repaired'],
    ],
  ])('in morph-xml %s', (_, inside, expected, inputSchema) => {
    const text = `<write>${inside}</write>`
    expect(outline(text, { dialect: morphXml, tools: tools(inputSchema) })).toEqual(expected)
  })
})

describe('comments and processing instructions', () => {
  const tags = { type: 'array', items: { type: 'string' } }
  const tools = [{ name: 'write' }, { name: 'label', inputSchema: { type: 'object', properties: { tags } } }]

  test.each<Row>([
    [
      'are part of a text',
      '<write><a><?php echo 1; ?></a><b>x<!-- license --></b></write>',
      ['call write {"a":"<?php echo 1; ?>","b":"x<!-- license -->"}'],
    ],
    [
      'are a guess among elements',
      '<write><a><!-- first --><b>x</b></a></write>',
      ['repaired write {"a":{"$text":"<!-- first -->","b":"x"}}', 'note arguments-repaired'],
    ],
    [
      'are a guess in a list of one',
      '<label><tags><!-- none --></tags></label>',
      ['repaired label {"tags":["<!-- none -->"]}', 'note arguments-repaired'],
    ],
  ])('%s', (_, response, expected) => {
    expect(outline(response, { dialect: morphXml, tools })).toEqual(expected)
  })
})

describe('cline-xml', () => {
  const untyped = [{ name: 'book' }, { name: 'ring' }]

  test.each<Row>([
    [
      'a text and two calls in which everything is a string',
      'On it.\n<book>\n<hotel>Ritz</hotel>\n<nights>3</nights>\n</book>\n<ring>\n<who>Ann</who>\n</ring>',
      ['text On it.\n', 'call book {"hotel":"Ritz","nights":"3"}', 'call ring {"who":"Ann"}'],
      { tools: untyped },
    ],
    [
      'a file without the line break at either end',
      '<save>\n<file>a.txt</file>\n<body>\n  <b>1</b>\n\n</body>\n</save>',
      ['call save {"file":"a.txt","body":"  <b>1</b>\\n"}'],
    ],
    [
      'a text that may be null without the line break at either end',
      '<ring>\n<who>\n Ann\n\n</who>\n<from>\nnull\n</from>\n</ring>',
      ['call ring {"who":" Ann\\n","from":null}'],
      {
        tools: [
          {
            name: 'ring',
            inputSchema: {
              type: 'object',
              properties: { who: { type: ['string', 'null'] }, from: { type: ['string', 'null'] } },
            },
          },
        ],
      },
    ],
    ['entities as they are written', '<ring><who>a &amp; b</who></ring>', ['call ring {"who":"a &amp; b"}']],
    ['a tag that is no tool', '<fly>x</fly>', ['text <fly>x</fly>']],
    ['a call without arguments', '<now/>', ['call now {}']],
    [
      'white space in all tags',
      '<save >\n<file >a.txt</file >\n<body\n>\n1\n</body\n>\n</save >',
      ['call save {"file":"a.txt","body":"1"}'],
    ],
    [
      'a tag with attributes, as text up to its closer',
      '<save file="a">\n<now></now>\n</save>',
      ['text <save file="a">\n<now></now>\n</save>', 'note not-a-call'],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: clineXml, tools: TOOLS, ...options })).toEqual(expected)
  })

  test('lets a file that holds its own closer not pass for whole', () => {
    const response = '<save><file>a</file><body>\nuse </body> well\n</body></save>'
    expect(outline(response, { dialect: clineXml, tools: TOOLS })[0]).toMatch(/^invalid save /)
  })
})

describe('tool-xml', () => {
  test.each<Row>([
    [
      'a text and two calls',
      'On it.\n<tool name="book">\n<arguments>\n<arg name="hotel">Ritz</arg>\n<arg name="nights">3</arg>\n</arguments>\n</tool>\n<tool name="ring"><arguments><arg name="who">Ann</arg></arguments></tool>.',
      ['text On it.\n', ...BOTH_CALLS, 'text .'],
    ],
    [
      'arguments by their tag',
      '<tool name="ring"><arguments><who>Ann</who></arguments></tool>',
      ['call ring {"who":"Ann"}'],
    ],
    [
      'arguments without the element around them',
      '<tool name="ring"><arg name="who">Ann</arg></tool>',
      ['call ring {"who":"Ann"}'],
    ],
    [
      'an argument that is there twice',
      '<tool name="ring"><arg name="who">a</arg><arg name="who">b</arg></tool>.',
      ['invalid ring {"who":"a"}', 'text .', 'note duplicate-key'],
    ],
    [
      'an unknown tool',
      '<tool name="fly"><arg name="far">5</arg></tool>',
      ['invalid fly {"far":"5"}', 'note unknown-tool'],
    ],
    [
      'a tool without a name',
      '<tool><arg name="a">5</arg></tool>',
      ['text <tool><arg name="a">5</arg></tool>', 'note not-a-call'],
    ],
    ['a tag that only begins alike', '<toolbox name="ring">', ['text <toolbox name="ring">']],
    [
      'white space in all tags',
      '<tool\n name = "ring" >\n<arguments >\n<arg\tname = "who" >Ann</arg\n>\n</arguments >\n</tool >.',
      ['call ring {"who":"Ann"}', 'text .'],
    ],
    [
      'CDATA around a string',
      '<tool name="ring"><arg name="who"><![CDATA[<b>&amp;</arg></tool>]]></arg></tool>',
      ['call ring {"who":"<b>&amp;</arg></tool>"}'],
    ],
    [
      'a tag without a name, as text up to its closer',
      '<tool nme="ring"><tool name="now"></tool></tool >.',
      ['text <tool nme="ring"><tool name="now"></tool></tool >.', 'note not-a-call'],
    ],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: toolXml, tools: TOOLS })).toEqual(expected)
  })
})

describe('an argument that is named like the element around the arguments', () => {
  const tools = [
    {
      name: 'run',
      inputSchema: {
        type: 'object',
        properties: { file: { type: 'string' }, arguments: { type: 'object' } },
      },
    },
  ]

  test.each<[what: string, inside: string, expected: string[]]>([
    [
      'is read by its name',
      '<arguments><arg name="arguments"><a>1</a></arg></arguments>',
      ['call run {"arguments":{"a":"1"}}'],
    ],
    [
      'is read behind another argument',
      '<file>a</file><arguments><a>1</a></arguments>',
      ['call run {"file":"a","arguments":{"a":"1"}}'],
    ],
    [
      'is read inside that element',
      '<arguments><file>a</file><arguments><a>1</a></arguments></arguments>',
      ['call run {"file":"a","arguments":{"a":"1"}}'],
    ],
    [
      'makes arguments that the schema does not have a guess',
      '<arguments><a>1</a></arguments>',
      ['repaired run {"a":"1"}', 'note arguments-repaired'],
    ],
    [
      'leaves other arguments as they are',
      '<arguments><file>a</file></arguments>',
      ['call run {"file":"a"}'],
    ],
  ])('%s', (_, inside, expected) => {
    expect(outline(`<tool name="run">${inside}</tool>`, { dialect: toolXml, tools })).toEqual(expected)
  })
})

test.each([
  ['morph-xml', morphXml, '<ring><who>a<😀</', '{"who":"a<😀'],
  ['cline-xml', clineXml, '<ring><who>a\n😀</who😀<', '{"who":"a\\n😀</who😀'],
  [
    'minimax-m3',
    minimaxM3,
    ']<]minimax[>[<invoke name="ring">]<]minimax[>[<who>a]<😀]<]😀]',
    '{"who":"a]<😀]<]😀',
  ],
] as const)('a string of %s grows by whole characters', (_, dialect, response, expected) => {
  const deltas = createParser({ dialect, tools: TOOLS })
    .push(response)
    .flatMap((event) => (event.type === 'tool-input-delta' ? [event.delta] : []))
  expect(deltas.join('')).toBe(expected)
  expect(deltas.filter((delta) => /\p{Cs}/u.test(delta))).toEqual([])
})

describe('minimax-m3', () => {
  /** With the token that stands before every tag written as a hash. */
  const short = (text: string): string => text.replaceAll(']<]minimax[>[', '#')
  const long = (text: string): string => text.replaceAll('#', ']<]minimax[>[')
  const section = (calls: string): string => `#<tool_call>\n${calls}\n#</tool_call>`
  const ring = '#<invoke name="ring">#<who>Ann#</who>#</invoke>'

  test.each<Row>([
    [
      'a thought from the prompt, a text and two calls',
      `Two jobs.</mm:think>On it.${section(`#<invoke name="book">#<hotel>Ritz#</hotel>#<nights>3#</nights>#</invoke>\n${ring}`)}`,
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS],
      { start: 'reasoning' },
    ],
    [
      'a list and an object',
      section(
        '#<invoke name="label">#<tags>#<item>a#</item>#<item>b#</item>#</tags>#<at>#<x>1.5#</x>#</at>#</invoke>',
      ),
      ['call label {"tags":["a","b"],"at":{"x":1.5}}'],
    ],
    [
      'a list and an object as JSON',
      section('#<invoke name="label">#<tags>["a", "b"]#</tags>#<at>{"x": 1.5}#</at>#</invoke>'),
      ['call label {"tags":["a","b"],"at":{"x":1.5}}'],
    ],
    [
      'arguments that no schema speaks for',
      section('#<invoke name="fly">#<far>#<km>5#</km>#<by>a & b#</by>#</far>#<to>x#</to>#</invoke>'),
      ['invalid fly {"far":{"km":5,"by":"a & b"},"to":"x"}', 'note unknown-tool'],
    ],
    [
      'tags without the token, as text',
      section('#<invoke name="ring">#<who></who> </invoke> <b> &lt; ]<] ##</who>#</invoke>'),
      ['call ring {"who":"</who> </invoke> <b> &lt; ]<] #"}'],
    ],
    [
      'the same inside a list',
      section('#<invoke name="label">#<tags>#<item></item> <b> &lt; ]<] #</item>#</tags>#</invoke>'),
      ['call label {"tags":["</item> <b> &lt; ]<] "]}'],
    ],
    [
      'calls without arguments',
      section('#<invoke name="now"/>\n#<invoke name="now">#</invoke>'),
      ['call now {}', 'call now {}'],
    ],
    [
      'calls without the section around them',
      `${ring}\n#</tool_call>.`,
      ['call ring {"who":"Ann"}', 'text .', 'note call-without-wrapper'],
    ],
    ['a section without calls', `${section('')}Hi.`, ['text Hi.', 'note empty-call']],
    [
      'a list of one',
      section('#<invoke name="label">#<tags>#<item>a#</item>#</tags>#</invoke>'),
      ['call label {"tags":["a"]}'],
    ],
    [
      'an argument that is there twice',
      section('#<invoke name="label">#<tags>["a"]#</tags>#<tags>["b"]#</tags>#</invoke>'),
      ['invalid label {"tags":["a"]}', 'note duplicate-key'],
    ],
    [
      'a call that the end cuts off',
      '#<tool_call>#<invoke name="ring">#<who>An',
      ['truncated ring {"who":"An"}', 'note truncated-call'],
    ],
    [
      'a call inside a thought as part of it',
      `<mm:think>Hm.${section(ring)}</mm:think>Hi.`,
      [`thought Hm.${section(ring)}`, 'text Hi.'],
    ],
    [
      'calls of another model, as text',
      '<invoke name="now"></invoke>',
      ['text <invoke name="now"></invoke>', 'note looks-like-a-call'],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(long(response), { dialect: minimaxM3, tools: TOOLS, ...options }).map(short)).toEqual(
      expected,
    )
  })

  test('streams a string, but for what may be the token', () => {
    const parser = createParser({ dialect: minimaxM3, tools: TOOLS })
    const grown = (chunk: string): string =>
      parser
        .push(chunk)
        .map((event) => (event.type === 'tool-input-delta' ? event.delta : ''))
        .join('')
    expect(grown(long('#<tool_call>#<invoke name="ring">#<who>An'))).toBe('{"who":"An')
    expect(grown('n ]<')).toBe('n ')
    expect(grown('3 ]<]mini')).toBe(']<3 ')
    expect(grown(long('max[>[</who>#</invoke>'))).toBe('"}')
  })
})

describe('shorthand', () => {
  test.each<Row>([
    [
      'a text and a call with attributes and a body',
      'On it.\n<save file="a.txt" mode="3">one\ntwo</save>.',
      ['text On it.\n', 'call save {"file":"a.txt","mode":3,"body":"one\\ntwo"}', 'text .'],
    ],
    ['a tool without a body', '<ring who="Ann"></ring>.', ['call ring {"who":"Ann"}', 'text .']],
    ['a tool without a body that closes itself', '<ring who="Ann"/>.', ['call ring {"who":"Ann"}', 'text .']],
    ['capitals', '<SAVE file="a">x</Save>', ['call save {"file":"a","body":"x"}']],
    ['`>` in quotes', '<save file="a>b">x</save>', ['call save {"file":"a>b","body":"x"}']],
    [
      'entities in attributes, and none in the body',
      '<save file="a&amp;b">a&amp;b</save>',
      ['call save {"file":"a&b","body":"a&amp;b"}'],
    ],
    [
      'an opener inside a body',
      '<save file="a"><save>x</save>',
      ['repaired save {"file":"a","body":"<save>x"}'],
    ],
    [
      'a body that an attribute has, too',
      '<save body="a">b</save>',
      ['invalid save {"body":"a"}', 'note duplicate-key'],
    ],
    ['a tag that is no tool', '<fly far="1">x</fly>', ['text <fly far="1">x</fly>']],
    ['a tag that another interrupts', '<save file="a" <b>x', ['text <save file="a" <b>x', 'note not-a-call']],
    ['a tag that only begins like a tool', '<saved file="a">', ['text <saved file="a">']],
    [
      'keys that objects have of their own',
      '<ring constructor="x" __proto__="y"></ring>',
      ['call ring {"constructor":"x","__proto__":"y"}'],
    ],
  ])('reads %s', (_, response, expected) => {
    expect(outline(response, { dialect: shorthand, tools: TOOLS })).toEqual(expected)
  })
})
