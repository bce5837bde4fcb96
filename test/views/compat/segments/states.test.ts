import {
  BaseState,
  getXmlToolParsingState,
  ParserConfig,
  type ParserContext,
  registerXmlToolParsingState,
  StreamingParser,
  TextState,
  unregisterXmlToolParsingState,
  XmlEditFileToolParsingState,
  XmlRunBashToolParsingState,
  XmlToolParsingState,
  type XmlToolParsingStateClass,
  XmlWriteFileToolParsingState,
} from 'sluice/segments'
import { afterEach, describe, expect, it, test } from 'vitest'
import { everyCut, outline } from './outline.ts'

const names = new Set<string>()

function register(name: string, state: XmlToolParsingStateClass): void {
  names.add(name)
  registerXmlToolParsingState(name, state)
}

afterEach(() => {
  for (const name of names) unregisterXmlToolParsingState(name)
  names.clear()
})

/** What comes of a text, which must be the same however it is cut. */
function read(text: string, end: 'finalize' | 'finalizeInterrupted' = 'finalize'): string[] {
  const all = everyCut(text).map((pieces) => {
    const parser = new StreamingParser(new ParserConfig())
    return outline([...pieces.flatMap((piece) => parser.feed(piece)), ...parser[end]()])
  })
  for (const one of all) expect(one).toEqual(all[0])
  return all[0]!
}

describe('a state that only extends another', () => {
  test.each<[XmlToolParsingStateClass, string, string[]]>([
    [
      class extends XmlToolParsingState {},
      'a<tool name="MY_tool"><x>1</x></tool>b',
      [
        "seg_1 text 'a'",
        'seg_2 tool_call {"tool_name":"MY_tool"} \'<x>1</x>\'',
        "seg_3 text 'b'",
        'run seg_2 MY_tool {"x":"1"}',
      ],
    ],
    [
      class extends XmlToolParsingState {},
      '<TOOL name="my_tool"><x>1</x></Tool>',
      ['seg_1 tool_call {"tool_name":"my_tool"} \'<x>1</x>\'', 'run seg_1 my_tool {"x":"1"}'],
    ],
    [
      class extends XmlWriteFileToolParsingState {},
      '<tool name="my_tool"><arg name="path">/p</arg><arg name="content">c</arg></tool>b',
      [
        'seg_1 write_file {"tool_name":"my_tool","path":"/p"} \'c\'',
        "seg_2 text 'b'",
        'run seg_1 my_tool {"path":"/p","content":"c"}',
      ],
    ],
    [
      class extends XmlEditFileToolParsingState {},
      '<tool name="my_tool"><arg name="path">/p</arg><arg name="patch">c</arg></tool>b',
      [
        'seg_1 edit_file {"tool_name":"my_tool","path":"/p"} \'c\'',
        "seg_2 text 'b'",
        'run seg_1 my_tool {"path":"/p","patch":"c"}',
      ],
    ],
    [
      class extends XmlRunBashToolParsingState {},
      '<tool name="my_tool" timeout_seconds="3"><arg name="command">c</arg></tool>b',
      [
        'seg_1 run_bash {"tool_name":"my_tool","timeout_seconds":3} \'c\'',
        "seg_2 text 'b'",
        'run seg_1 my_tool {"timeout_seconds":3,"command":"c"}',
      ],
    ],
  ])('does the same', (state, text, expected) => {
    register('My_Tool', state)
    expect(read(text)).toEqual(expected)
  })

  it('ends with the response', () => {
    register('my_tool', class extends XmlToolParsingState {})
    expect(read('<tool name="my_tool"><x>1</x></to')).toEqual([
      'seg_1 tool_call {"tool_name":"my_tool"} \'<x>1</x></to\' end {"tool_name":"my_tool","status":"incomplete"}',
    ])
    expect(read('<tool name="my_tool"><x>1', 'finalizeInterrupted')).toEqual([
      'seg_1 tool_call {"tool_name":"my_tool"} \'<x>1\' end {"tool_name":"my_tool","status":"interrupted"}',
    ])
  })

  it('can have markers of its own', () => {
    class Report extends XmlWriteFileToolParsingState {
      protected override syntax(name: string) {
        return { ...super.syntax(name), markers: { start: '<<<', end: '>>>' } }
      }
    }
    register('report', Report)
    expect(
      read('<tool name="report"><arg name="path">/p</arg><arg name="content"><<<\na</arg>\n>>></arg></tool>'),
    ).toEqual([
      'seg_1 write_file {"tool_name":"report","path":"/p"} \'a</arg>\\n\'',
      'run seg_1 report {"path":"/p","content":"a</arg>\\n"}',
    ])
  })
})

/** Reads up to an exclamation mark, shouting; stops before `@back`, and gives that back. */
class Shout extends BaseState {
  private isOpen = false

  constructor(context: ParserContext, _openingTag: string, name: string) {
    super(context)
    this.isOpen = true
    context.emitter.emitSegmentStart('shout', { tool_name: name })
  }

  run(): void {
    const { scanner, emitter } = this.context
    while (scanner.hasMoreChars()) {
      const rest = scanner.rest()
      if ('@back'.startsWith(rest)) return
      if (rest.startsWith('@back')) {
        this.finalize()
        this.context.transitionTo(new TextState(this.context))
        return
      }
      const character = scanner.consume()
      if (character === '!') {
        emitter.updateCurrentSegmentMetadata({ loud: true })
        this.finalize()
        this.context.transitionTo(new TextState(this.context))
        return
      }
      emitter.emitSegmentContent(character.toUpperCase())
    }
  }

  finalize(): void {
    if (this.isOpen) this.context.emitter.emitSegmentEnd()
    this.isOpen = false
  }
}

describe('a state of one’s own', () => {
  it('reads what it wants, and the parser goes on behind it', () => {
    register('shout', Shout)
    expect(read('x<tool name="Shout">hey 😀!<run_bash>ls</run_bash><tool name="shout">ho!')).toEqual([
      "seg_1 text 'x'",
      'seg_2 shout {"tool_name":"Shout"} \'HEY 😀\' end {"tool_name":"Shout","loud":true}',
      "seg_3 run_bash 'ls'",
      'seg_4 shout {"tool_name":"shout"} \'HO\' end {"tool_name":"shout","loud":true}',
      'run seg_3 run_bash {"command":"ls"}',
    ])
  })

  it('may give back what it did not take, however long ago it came', () => {
    register('shout', Shout)
    expect(read('<tool name="shout">a@back b@ba')).toEqual([
      'seg_1 shout {"tool_name":"shout"} \'A\'',
      "seg_2 text '@back b@ba'",
    ])
  })

  it('loses nothing that it waits with when the response ends', () => {
    register('shout', Shout)
    expect(read('<tool name="shout">a@ba')).toEqual([
      'seg_1 shout {"tool_name":"shout"} \'A\'',
      "seg_2 text '@ba'",
    ])
  })

  it('hears of half a character at the end', () => {
    register('shout', Shout)
    expect(read('<tool name="shout">a\ud83d')).toEqual(['seg_1 shout {"tool_name":"shout"} \'A\ud83d\''])
  })

  it('may hand over to another', () => {
    class First extends BaseState {
      run(): void {
        this.context.emitter.appendTextSegment('[')
        this.context.transitionTo(new Shout(this.context, '', 'second'))
      }
      finalize(): void {}
    }
    register('first', First)
    expect(read('<tool name="first">hi!.')).toEqual([
      "seg_2 text '['",
      'seg_1 shout {"tool_name":"second"} \'HI\' end {"tool_name":"second","loud":true}',
      "seg_3 text '.'",
    ])
  })

  it('need not end what it has begun', () => {
    class Line extends BaseState {
      run(): void {
        const { scanner, emitter } = this.context
        if (emitter.getCurrentSegmentId() === null) emitter.emitSegmentStart('line')
        while (scanner.hasMoreChars()) {
          const character = scanner.consume()
          if (character !== '\n') emitter.emitSegmentContent(character)
          else {
            this.context.transitionTo(new TextState(this.context))
            return
          }
        }
      }
      finalize(): void {}
    }
    register('line', Line)
    expect(read('<tool name="line">a\nb<tool name="line">c', 'finalizeInterrupted')).toEqual([
      "seg_1 line 'a'",
      "seg_2 text 'b'",
      'seg_3 line \'c\' end {"status":"interrupted"}',
    ])
  })
})

describe('the registry of states', () => {
  it('knows a state in any case, until it is taken back', () => {
    register('Shout', Shout)
    expect(getXmlToolParsingState('SHOUT')).toBe(Shout)
    unregisterXmlToolParsingState('sHout')
    expect(getXmlToolParsingState('shout')).toBeUndefined()
    expect(read('<tool name="shout"></tool>')).toEqual([
      'seg_1 tool_call {"tool_name":"shout"} \'\'',
      'run seg_1 shout {}',
    ])
  })

  it('refuses what is no state', () => {
    expect(() => registerXmlToolParsingState('x', class {} as never)).toThrow(
      /must be a class that extends BaseState/,
    )
    expect(() => registerXmlToolParsingState(' ', Shout)).toThrow(/needs the name of the tool/)
  })
})
