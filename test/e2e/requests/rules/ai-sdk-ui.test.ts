import { type Body, refuses } from '../refused.ts'

// messages: 0 system, 1 user, 2 assistant: step-start, reasoning (two), text, two tools
refuses('AI SDK UI messages', (message) => message, [
  ['no messages', (body) => (body.messages = []), 'Messages array must not be empty'],
  ['a message without parts', (body) => delete body.messages[1].parts, 'Type validation failed'],
  ['a role that there is not', (body) => (body.messages[1].role = 'tool'), 'Type validation failed'],
  ['a state that there is not', (body) => (toolPart(body).state = 'done'), 'Type validation failed'],
  [
    'an output without a value',
    (body) => {
      toolPart(body).state = 'output-error'
    },
    'Type validation failed',
  ],
  [
    'a call without a result',
    (body) => {
      toolPart(body).state = 'input-available'
      delete toolPart(body).output
    },
    'AI_MissingToolResultsError',
  ],
  [
    'reasoning that was changed',
    (body) => (body.messages[2].parts[1].text += '.'),
    'Invalid `signature` in `thinking` block',
  ],
])

function toolPart(body: Body): Body {
  return body.messages[2].parts.find(({ toolCallId }: Body) => toolCallId !== undefined)
}
