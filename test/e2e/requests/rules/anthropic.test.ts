import { BMP, type Body, refuses, swap } from '../refused.ts'

// messages: 0 user (text, image), 1 assistant (thinking, redacted, text, two calls), 2 user (two results)
refuses(
  'Anthropic Messages',
  (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  [
    ['a field that there is not', (body) => (body.n = 1), 'n: Extra inputs are not permitted'],
    ['no limit', (body) => delete body.max_tokens, 'max_tokens: Field required'],
    ['no messages', (body) => (body.messages = []), 'messages: at least one message is required'],
    [
      'two messages of one role',
      (body) => body.messages.splice(1, 0, { role: 'user', content: 'Hm' }),
      'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
    ],
    ['an answer first', (body) => body.messages.shift(), 'messages: first message must use the "user" role'],
    [
      'a role that there is not',
      (body) => (body.messages[0].role = 'tool'),
      'messages: Unexpected role "tool". Allowed roles are "user" or "assistant"',
    ],
    [
      'a message without content',
      (body) => (body.messages[0].content = []),
      'messages.0: all messages must have non-empty content except for the optional final assistant message',
    ],
    [
      'an empty text',
      (body) => (body.messages[0].content[0].text = ''),
      'messages: text content blocks must be non-empty',
    ],
    [
      'a text of white space',
      (body) => (body.messages[0].content[0].text = ' \n'),
      'messages: text content blocks must contain non-whitespace text',
    ],
    [
      'an answer that begins with white space at its end',
      (body) => body.messages.push({ role: 'assistant', content: 'So ' }),
      'messages: final assistant content cannot end with trailing whitespace',
    ],
    [
      'a call without a result',
      (body) => body.messages[2].content.pop(),
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: ID2. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    ],
    [
      'results behind text',
      (body) => body.messages[2].content.unshift({ type: 'text', text: 'Here:' }),
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: ID1, ID2. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    ],
    [
      'a result without a call',
      (body) => body.messages[1].content.pop(),
      'messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: ID2. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
    ],
    [
      'two results of one call',
      (body) => body.messages[2].content.push(body.messages[2].content[0]),
      'messages.2: each tool_use must have a single result. Found multiple `tool_result` blocks with id: ID1',
    ],
    [
      'two calls of one id',
      (body) => (body.messages[1].content[4].id = body.messages[1].content[3].id),
      'messages.1: `tool_use` ids must be unique',
    ],
    [
      'an id with a dot',
      (body) => (body.messages[1].content[3].id = 'a.b'),
      "messages.1.content.3.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ],
    [
      'arguments as text',
      (body) => (body.messages[1].content[3].input = '{}'),
      'messages.1.content.3.tool_use.input: Input should be a valid dictionary',
    ],
    [
      'thinking that was changed',
      (body) => (body.messages[1].content[0].thinking += ' '),
      'messages.1.content.0: Invalid `signature` in `thinking` block',
    ],
    [
      'a signature that was changed',
      (body) => (body.messages[1].content[0].signature = 'c2ln'),
      'messages.1.content.0: Invalid `signature` in `thinking` block',
    ],
    [
      'redacted thinking that was changed',
      (body) => (body.messages[1].content[1].data = 'eA=='),
      'messages.1.content.1: Invalid `data` in `redacted_thinking` block',
    ],
    [
      'no thinking before the calls',
      (body) => body.messages[1].content.splice(0, 2),
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking',
    ],
    [
      'thinking behind text',
      (body) => swap(body.messages[1].content, 0, 2),
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking',
    ],
    [
      'nothing but thinking',
      (body) =>
        (body.messages = [body.messages[0], { role: 'assistant', content: [body.messages[1].content[0]] }]),
      'messages.1: The final block in an assistant message cannot be `thinking`.',
    ],
    [
      'a forced tool while it thinks',
      (body) => (body.tool_choice = { type: 'any' }),
      'Thinking may not be enabled when tool_choice forces tool use.',
    ],
    [
      'a tool that is not there',
      (body) => {
        delete body.thinking
        body.tool_choice = { type: 'tool', name: 'fly' }
      },
      "Tool 'fly' not found in provided tools",
    ],
    [
      'a choice without tools',
      (body) => delete body.tools,
      'tool_choice may only be specified while providing tools.',
    ],
    [
      'a name with a dot',
      (body) => (body.tools[0].name = 'fs.look'),
      "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    ],
    [
      'two tools of one name',
      (body) => (body.tools[0].name = body.tools[1].name),
      'tools: Tool names must be unique.',
    ],
    [
      'a schema without a type',
      (body) => delete body.tools[0].input_schema.type,
      'tools.0.custom.input_schema.type: Field required',
    ],
    [
      'a budget above the limit',
      (body) => (body.max_tokens = 2000),
      '`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size',
    ],
    [
      'a small budget',
      (body) => (body.thinking.budget_tokens = 1000),
      'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
    ],
    [
      'a temperature while it thinks',
      (body) => (body.temperature = 0.5),
      '`temperature` may only be set to 1 when thinking is enabled. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#important-considerations-when-using-extended-thinking',
    ],
    [
      'temperature and top_p',
      (body) => Object.assign(body, { temperature: 1, top_p: 0.9 }),
      '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
    ],
    [
      'a stop sequence of white space',
      (body) => (body.stop_sequences = ['\n']),
      'stop_sequences: each stop sequence must contain non-whitespace',
    ],
    [
      'an image of another type',
      (body) => (body.messages[0].content[1].source.media_type = 'image/bmp'),
      "messages.0.content.1.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    ],
    [
      'an image that is none',
      (body) => (body.messages[0].content[1].source.data = BMP),
      'Could not process image',
    ],
    [
      'an image that is of another type than it says',
      (body) => (body.messages[0].content[1].source.media_type = 'image/jpeg'),
      'messages.0.content.1.image.source.base64.data: Image does not match the provided media type image/jpeg',
    ],
    [
      'an error with an image',
      (body) => (body.messages[2].content[1].is_error = true),
      'messages.2.content.1.tool_result: all content must be type "text" if "is_error" is true',
    ],
    [
      'five cache markers',
      (body) => {
        for (const tool of [...body.tools, ...body.messages[2].content])
          tool.cache_control = { type: 'ephemeral' }
      },
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    ],
  ],
  ({ messages }: Body) => ({ ID1: messages[1].content[3].id, ID2: messages[1].content[4].id }),
)
