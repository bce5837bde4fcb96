import { BMP, refuses } from '../refused.ts'

// messages: 0 system, 1 user, 2 assistant, 3 and 4 results, 5 user
refuses('Ollama chat', (error) => ({ error }), [
  ['no model', (body) => delete body.model, 'model is required'],
  [
    'content in parts',
    (body) => (body.messages[1].content = []),
    'json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string',
  ],
  [
    'arguments as text',
    (body) => (body.messages[2].tool_calls[0].function.arguments = '{}'),
    'json: cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments of type api.ToolCallFunctionArguments',
  ],
  [
    'an image as a URL',
    (body) => (body.messages[1].images[0] = `data:image/png;base64,${body.messages[1].images[0]}`),
    'illegal base64 data at input byte 4',
  ],
  ['an image of another type', (body) => (body.messages[1].images[0] = BMP), 'image: unknown format', 500],
  [
    'an effort that there is not',
    (body) => (body.think = 'minimal'),
    'invalid think value: "minimal" (must be "high", "medium", "low", true, or false)',
  ],
  [
    'a format that there is not',
    (body) => (body.format = 'xml'),
    'invalid format: "xml"; expected "json" or a valid JSON Schema object',
  ],
  [
    'an option of another type',
    (body) => (body.options.num_predict = '9'),
    'option "num_predict" must be of type float32',
  ],
  [
    'tools that are no list',
    (body) => (body.tools = {}),
    'json: cannot unmarshal object into Go struct field ChatRequest.tools of type api.Tools',
  ],
])
