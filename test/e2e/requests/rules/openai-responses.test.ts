import { BMP, type Body, LONG, refuses, swap } from '../refused.ts'

// input: 0 user, 1 reasoning, 2 message, 3 and 4 calls, 5 and 6 outputs
refuses(
  'Responses',
  (message) => ({ error: { message, type: 'invalid_request_error' } }),
  [
    ['a field that there is not', (body) => (body.stop = ['a']), "Unknown parameter: 'stop'."],
    ['no model', (body) => delete body.model, "Missing required parameter: 'model'."],
    ['a call without an output', (body) => body.input.pop(), 'No tool output found for function call ID2.'],
    [
      'an output without a call',
      (body) => body.input.splice(4, 1),
      'No tool call found for function call output with call_id ID2.',
    ],
    [
      'an output before its call',
      (body) => swap(body.input, 4, 6),
      'No tool call found for function call output with call_id ID2.',
    ],
    [
      'an output of another kind than its call',
      (body) => (body.input[6].type = 'custom_tool_call_output'),
      'No tool call found for custom tool call output with call_id ID2.',
    ],
    [
      'reasoning that nothing follows',
      (body) => swap(body.input, 0, 1),
      "Item 'RS' of type 'reasoning' was provided without its required following item.",
    ],
    [
      'calls without their reasoning',
      (body) => body.input.splice(1, 1),
      "Item 'MSG' of type 'message' was provided without its required 'reasoning' item: 'RS'.",
    ],
    [
      'encrypted reasoning that was changed',
      (body) => (body.input[1].encrypted_content += 'A'),
      'The encrypted content for item RS could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
    ],
    [
      'reasoning that was never kept',
      (body) => delete body.input[1].encrypted_content,
      "Item with id 'RS' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
      404,
    ],
    [
      'reasoning without a summary',
      (body) => delete body.input[1].summary,
      "Missing required parameter: 'input[1].summary'.",
    ],
    [
      'an item twice',
      (body) => body.input.push(body.input[2]),
      'Duplicate item found with id MSG. Remove duplicate items from your input and try again.',
    ],
    [
      'an id of another kind',
      (body) => (body.input[3].id = 'toolu_1'),
      "Invalid 'input[3].id': 'toolu_1'. Expected an ID that begins with 'fc'.",
    ],
    [
      'a long call id',
      (body) => (body.input[3].call_id = LONG),
      "Invalid 'input[3].call_id': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    ],
    [
      'an empty call id',
      (body) => (body.input[3].call_id = ''),
      "Invalid 'input[3].call_id': empty string. Expected a string with minimum length 1, but got an empty string instead.",
    ],
    [
      'text of the model from the user',
      (body) => (body.input[0].content[0].type = 'output_text'),
      "Invalid value: 'output_text'. Supported values are: 'input_text', 'input_image', 'input_file', 'input_audio'.",
    ],
    [
      'a role that there is not',
      (body) => (body.input[0].role = 'tool'),
      "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
    ],
    [
      'a strict tool that takes more',
      (body) => delete body.tools[0].strict,
      "Invalid schema for function 'look': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    ],
    [
      'a tool that is not there',
      (body) => (body.tool_choice = { type: 'function', name: 'fly' }),
      "Tool choice 'fly' not found in 'tools' parameter.",
    ],
    [
      'a name with a dot',
      (body) => (body.tools[0].name = 'fs.look'),
      "Invalid 'tools[0].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    ],
    [
      'an image of another type',
      (body) => (body.input[0].content[1].image_url = `data:image/bmp;base64,${BMP}`),
      "You uploaded an unsupported image. Please make sure your image is valid and has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
    ],
    [
      'a temperature for a model that reasons',
      (body) => (body.temperature = 0),
      "Unsupported parameter: 'temperature' is not supported with this model.",
    ],
  ],
  ({ input }: Body) => ({ RS: input[1].id, MSG: input[2].id, ID2: input[4].call_id }),
)
