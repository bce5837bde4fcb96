// A state that reads a tool's inside by itself: a checklist, one segment per line.
import {
  BaseState,
  extractSegments,
  registerXmlToolParsingState,
  StreamingParser,
  TextState,
  unregisterXmlToolParsingState,
  XmlToolParsingState,
} from 'sluice/segments'

const CLOSE = '</tool>'

class Checklist extends BaseState {
  run(): void {
    const { scanner, emitter } = this.context
    for (;;) {
      const rest = scanner.rest()
      const end = rest.indexOf('\n')
      if (rest.startsWith(CLOSE)) {
        scanner.advance(CLOSE.length)
        this.context.transitionTo(new TextState(this.context))
        return
      }
      // A line is shown when it is whole; what may become the closing tag waits, too.
      if (end === -1) return
      const line = scanner.consume(end + 1).trim()
      if (line === '') continue
      emitter.emitSegmentStart('task', { done: line.startsWith('[x]') })
      emitter.emitSegmentContent(line.slice(3).trim())
      emitter.emitSegmentEnd()
    }
  }

  finalize(): void {
    // What was not taken comes out as text.
  }
}

// This one changes nothing, and so does what the parser does.
class MyCustomToolState extends XmlToolParsingState {}

registerXmlToolParsingState('checklist', Checklist)
registerXmlToolParsingState('my_tool_name', MyCustomToolState)

const parser = new StreamingParser()
const response =
  'Plan:<tool name="Checklist">\n[x] read\n[ ] write\n</tool><tool name="MY_TOOL_NAME"><a>1</a></tool>'
const events = [...response].flatMap((character) => parser.feed(character))
for (const { type, content, metadata } of extractSegments([...events, ...parser.finalize()]))
  console.log(type, JSON.stringify(content), JSON.stringify(metadata))

unregisterXmlToolParsingState('checklist')
unregisterXmlToolParsingState('my_tool_name')
