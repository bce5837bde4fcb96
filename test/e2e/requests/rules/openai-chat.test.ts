import { BMP, type Body, LONG, refuses, swap } from '../refused.ts'

const strictTool = (tool: Body): void => {
  tool.strict = true
}

// messages: 0 system, 1 user (text, image), 2 assistant, 3 and 4 results, 5 user (the image of a result)
refuses(
  'Chat Completions',
  (message) => ({ error: { message, type: 'invalid_request_error' } }),
  [
    ['a field that there is not', (body) => (body.top_k = 1), "Unknown parameter: 'top_k'."],
    [
      'a field of a message that there is not',
      (body) => (body.messages[2].reasoning_content = 'Hm'),
      "Unknown parameter: 'messages[2].reasoning_content'.",
    ],
    ['no model', (body) => delete body.model, 'you must provide a model parameter'],
    [
      'no messages',
      (body) => (body.messages = []),
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    ],
    [
      'a role that there is not',
      (body) => (body.messages[0].role = 'model'),
      "Invalid value: 'model'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
    ],
    [
      'no content',
      (body) => (body.messages[0].content = null),
      "Invalid value for 'content': expected a string, got null.",
    ],
    [
      'a call without a result',
      (body) => body.messages.splice(4, 1),
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ID2",
    ],
    [
      'a result without a call',
      (body) => body.messages.splice(2, 1),
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    ],
    [
      'a message between a call and its result',
      (body) => swap(body.messages, 4, 5),
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ID2",
    ],
    [
      'two results of one call',
      (body) => (body.messages[4].tool_call_id = body.messages[3].tool_call_id),
      "Invalid parameter: Duplicate value for 'tool_call_id' of 'ID1' in message[2].",
    ],
    [
      'two calls of one id',
      (body) => (body.messages[2].tool_calls[1].id = body.messages[2].tool_calls[0].id),
      "Invalid parameter: Duplicate value for 'tool_call_id' of 'ID1' in message[2].",
    ],
    [
      'a long id',
      (body) => (body.messages[2].tool_calls[0].id = LONG),
      "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 65 instead.",
    ],
    [
      'a long name',
      (body) => (body.tools[0].function.name = LONG),
      "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    ],
    [
      'a name with a dot',
      (body) => (body.tools[0].function.name = 'fs.look'),
      "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    ],
    [
      'arguments that are no text',
      (body) => (body.messages[2].tool_calls[0].function.arguments = {}),
      "Invalid type for 'messages[2].tool_calls[0].function.arguments': expected a string, but got an object instead.",
    ],
    [
      'a choice without tools',
      (body) => delete body.tools,
      "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
    ],
    [
      'a choice that there is not',
      (body) => (body.tool_choice = 'any'),
      "Invalid value: 'any'. Supported values are: 'none', 'auto', and 'required'.",
    ],
    [
      'a tool that is not there',
      (body) => (body.tool_choice = { type: 'function', function: { name: 'fly' } }),
      "Invalid value for 'tool_choice': tool 'fly' not found in 'tools' parameter.",
    ],
    [
      'no tools at all',
      (body) => (body.tools = []),
      "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    ],
    [
      'a strict tool that takes more',
      (body) => strictTool(body.tools[0].function),
      "Invalid schema for function 'look': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    ],
    [
      'a schema that is no object',
      (body) => (body.tools[0].function.parameters = { type: 'string' }),
      `Invalid schema for function 'look': schema must be a JSON Schema of 'type: "object"', got 'type: "string"'.`,
    ],
    [
      'a limit of the old kind',
      (body) => (body.max_tokens = 9),
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ],
    [
      'a temperature for a model that reasons',
      (body) => (body.temperature = 0),
      "Unsupported parameter: 'temperature' is not supported with this model.",
    ],
    [
      'five stop sequences',
      (body) => Object.assign(body, { model: 'gpt-4.1', stop: ['a', 'b', 'c', 'd', 'e'] }),
      "Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length 5 instead.",
    ],
    [
      'options of a stream that is none',
      (body) => Object.assign(body, { stream: false, stream_options: { include_usage: true } }),
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    ],
    [
      'an image of a tool',
      (body) => (body.messages[3].content = [body.messages[1].content[1]]),
      "Invalid 'messages[3]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
    ],
    [
      'an image of another type',
      (body) => (body.messages[1].content[1].image_url.url = `data:image/bmp;base64,${BMP}`),
      "You uploaded an unsupported image. Please make sure your image is valid and has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
    ],
    [
      'an image that is none',
      (body) => (body.messages[1].content[1].image_url.url = 'data:text/plain;base64,eA=='),
      'Invalid MIME type. Only image types are supported.',
    ],
    [
      'an image nowhere',
      (body) => (body.messages[1].content[1].image_url.url = 'a.png'),
      "Invalid 'messages[1].content[1].image_url.url'. Expected a valid URL, but got a value with an invalid format.",
    ],
  ],
  ({ messages }: Body) => ({ ID1: messages[2].tool_calls[0].id, ID2: messages[2].tool_calls[1].id }),
)

refuses('Chat Completions of OpenRouter', (message) => ({ error: { message } }), [
  [
    'reasoning that was changed',
    (body) => (body.messages[2].reasoning_details[0].text += '.'),
    'messages[2].reasoning_details[0]: Invalid `signature` in `thinking` block',
  ],
  [
    'a signature that is gone',
    (body) => delete body.messages[2].reasoning_details[0].signature,
    'messages[2].reasoning_details[0]: Invalid `signature` in `thinking` block',
  ],
  [
    'encrypted reasoning that was changed',
    (body) => (body.messages[2].reasoning_details[1].data = 'eA=='),
    'messages[2].reasoning_details[1]: Invalid `signature` in `thinking` block',
  ],
])

// The image of a result is a message of the user, behind which DeepSeek wants nothing back.
refuses('Chat Completions of DeepSeek', (message) => ({ error: { message } }), [
  [
    'reasoning that is gone',
    (body) => {
      body.messages.pop()
      delete body.messages[2].reasoning_content
    },
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
  ],
  [
    'reasoning that was changed',
    (body) => {
      body.messages.pop()
      body.messages[2].reasoning_content += '.'
    },
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
  ],
])
