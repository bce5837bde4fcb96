/** Reads and writes a format of one's own: it is written down once, as a template. */

import { parse, render } from 'sluice'
import { args, closer, dialect, name, text, wire } from 'sluice/dialects'

const house = dialect('house', {
  reasoning: wire`(thinking)${text}(/thinking)`,
  // A newline in a template is optional whitespace; everything else is the format, character by character.
  call: wire`@call ${name}
    ${args}
    ${closer`@end`}`,
})

const message = parse('(thinking)Which one?(/thinking)Let me see. @call read {"path": "a.ts"} @end', {
  dialect: house,
})
console.log(
  message.reasoning,
  '|',
  message.text,
  '|',
  message.toolCalls[0]?.toolName,
  message.toolCalls[0]?.input,
)

// The same template writes.
console.log(render([{ type: 'call', toolName: 'read', input: { path: 'b.ts' } }], { dialect: house }))

// And it forgives what it declares: the closer is missing, which is a diagnostic and no failure.
const forgotten = parse('@call read {"path": "c.ts"}', { dialect: house })
console.log(forgotten.toolCalls[0]?.status, forgotten.diagnostics[0]?.code)
