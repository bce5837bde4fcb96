import { BMP, type Body, LONG, refuses } from '../refused.ts'

const NAME_RULE =
  'Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.'
const MISSING =
  'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:look` , position 2. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.'

// contents: 0 user (text, image), 1 model (thought, text, two calls), 2 user (two responses)
refuses(
  'Gemini generateContent',
  (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  [
    [
      'a role that there is not',
      (body) => (body.contents[1].role = 'assistant'),
      'Please use a valid role: user, model.',
    ],
    [
      'a field that there is not',
      (body) => (body.seed = 1),
      'Invalid JSON payload received. Unknown name "seed": Cannot find field.',
    ],
    [
      'a field of a part that there is not',
      (body) => (body.contents[0].parts[0].cache = 1),
      `Invalid JSON payload received. Unknown name "cache" at 'contents[0].parts[0]': Cannot find field.`,
    ],
    [
      'no contents',
      (body) => (body.contents = []),
      '* GenerateContentRequest.contents: contents is not specified\n',
    ],
    [
      'a turn without parts',
      (body) => (body.contents[0].parts = []),
      '* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.\n',
    ],
    [
      'an empty part',
      (body) => (body.contents[0].parts[0] = {}),
      "* GenerateContentRequest.contents[0].parts[0].data: required oneof field 'data' must have one initialized field\n",
    ],
    [
      'two turns of one role',
      (body) => body.contents.splice(1, 0, { role: 'user', parts: [{ text: 'Hm' }] }),
      'Please ensure that multiturn requests alternate between user and model.',
    ],
    [
      'calls first',
      (body) => body.contents.shift(),
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
    ],
    [
      'a call without a response',
      (body) => body.contents[2].parts.pop(),
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    ],
    [
      'responses without a call',
      (body) => (body.contents[1].parts = [{ text: 'Hm' }]),
      'Please ensure that function response turn comes immediately after a function call turn.',
    ],
    [
      'an answer last',
      (body) => body.contents.push({ role: 'model', parts: [{ text: 'So' }] }),
      'Please ensure that multiturn requests ends with a user role or a function response.',
    ],
    [
      'a response without a name',
      (body) => (body.contents[2].parts[0].functionResponse.name = ''),
      '* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.\n',
    ],
    [
      'a response to another function',
      (body) => swapNames(body.contents[2].parts),
      'Function response list does not match the function call it answers.',
    ],
    [
      'a response that is text',
      (body) => (body.contents[2].parts[0].functionResponse.response = 'ok'),
      "Invalid value at 'contents[2].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct)",
    ],
    ['no signature', (body) => delete call(body, 0).thoughtSignature, MISSING],
    [
      'a signature on another part',
      (body) => {
        call(body, 1).thoughtSignature = call(body, 0).thoughtSignature
      },
      'Corrupted thought signature.',
    ],
    [
      'a signed call that was changed',
      (body) => (call(body, 0).functionCall.args.path = 'b'),
      'Corrupted thought signature.',
    ],
    [
      'a signature that is no base64',
      (body) => (call(body, 0).thoughtSignature = '<none>'),
      `Invalid value at 'contents[1].parts[2].thought_signature' (TYPE_BYTES), Base64 decoding failed for "<none>"`,
    ],
    [
      'an image of another type',
      (body) => (body.contents[0].parts[1].inlineData.mimeType = 'image/bmp'),
      'Unsupported MIME type: image/bmp',
    ],
    [
      'an image that is none',
      (body) => (body.contents[0].parts[1].inlineData.data = BMP),
      'Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
    ],
    [
      'a name that begins with a digit',
      (body) => (body.tools[0].functionDeclarations[0].name = '2look'),
      `* GenerateContentRequest.tools[0].function_declarations[0].name: [FIELD_INVALID] ${NAME_RULE}\n`,
    ],
    [
      'a long name',
      (body) => (body.tools[0].functionDeclarations[0].name = LONG),
      `* GenerateContentRequest.tools[0].function_declarations[0].name: [FIELD_INVALID] ${NAME_RULE}\n`,
    ],
    [
      'a schema with more than is taken',
      (body) =>
        (body.tools[0].functionDeclarations[0] = {
          name: 'look',
          parameters: { type: 'OBJECT', additionalProperties: false },
        }),
      `Invalid JSON payload received. Unknown name "additionalProperties" at 'tools[0].function_declarations[0].parameters': Cannot find field.`,
    ],
    [
      'a choice without tools',
      (body) => delete body.tools,
      'Function calling config is set without function_declarations.',
    ],
    [
      'names beside AUTO',
      (body) => (body.toolConfig.functionCallingConfig.allowedFunctionNames = ['look']),
      'Allowed function names should only be set when the function calling mode is ANY or VALIDATED.',
    ],
    [
      'a level and a budget',
      (body) => (body.generationConfig.thinkingConfig.thinkingBudget = 9),
      'You can only set only one of thinking budget and thinking level.',
    ],
    [
      'six stop sequences',
      (body) => (body.generationConfig.stopSequences = [...'abcdef']),
      '* GenerateContentRequest.generation_config.stop_sequences: the number of stop sequences must be at most 5\n',
    ],
  ],
)

function call(body: Body, index: number): Body {
  return body.contents[1].parts.filter((part: Body) => part.functionCall !== undefined)[index]
}

function swapNames([first, second]: Body[]): void {
  ;[first.functionResponse.name, second.functionResponse.name] = [
    second.functionResponse.name,
    first.functionResponse.name,
  ]
}
