// A tool that is data: its argument `text` is shown while it grows, in every way in which a model may call it.
import { ParserConfig, type SegmentTools, StreamingResponseHandler } from 'sluice/segments'

const tools: SegmentTools = [
  {
    name: 'append_note',
    segmentType: 'note',
    streams: 'text',
    headlines: ['book'],
    requires: ['book'],
    shorthand: true,
  },
]

const config = new ParserConfig({ tools, strategyOrder: ['xml_tag', 'json_tool', 'sentinel'] })
const handler = new StreamingResponseHandler({
  config,
  onSegmentEvent: ({ type, segment_type, payload }) => {
    if (segment_type === 'note') console.log('note in', payload.metadata?.book ?? 'some book')
    if (type === 'SEGMENT_CONTENT' && payload.delta?.trim()) console.log('  grows by', payload.delta)
  },
  onToolInvocation: ({ name, arguments: input }) => console.log(`  ${name}`, JSON.stringify(input)),
})

const response = [
  '<append_note book="log">as a ',
  'tag</append_note>\n<tool name="append_note"><arg name="book">log</arg>',
  '<arg name="text">in XML</arg></tool>\n{"name": "append_note", "arguments": {"book": "log", "te',
  'xt": "in JSON"}}\n[[SEG_START {"type": "append_note", "book": "log"}]]as a sentinel[[SEG_END]]',
]
for (const chunk of response) handler.feed(chunk)
handler.feed({
  tool_calls: [{ index: 0, name: 'append_note', arguments_delta: '{"text": "as a native call"' }],
})
handler.feed({ tool_calls: [{ index: 0, arguments_delta: ', "book": "log"}' }] })
handler.finalize()
