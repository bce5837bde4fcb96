/** The tools that the responses in these tests call. */

export const TOOLS = [
  {
    name: 'book',
    inputSchema: { type: 'object', properties: { hotel: { type: 'string' }, nights: { type: 'integer' } } },
  },
  { name: 'ring', inputSchema: { type: 'object', properties: { who: { type: 'string' } } } },
  { name: 'now', inputSchema: { type: 'object', properties: {} } },
  {
    name: 'save',
    streams: 'body',
    inputSchema: {
      type: 'object',
      properties: { file: { type: 'string' }, body: { type: 'string' }, mode: { type: 'integer' } },
    },
  },
  {
    name: 'label',
    inputSchema: {
      type: 'object',
      properties: {
        tags: { type: 'array', items: { type: 'string' } },
        at: { type: 'object', properties: { x: { type: 'number' } } },
      },
    },
  },
] as const

/** What every example says: a thought, a text and two calls. */
export const BOTH_CALLS = ['call book {"hotel":"Ritz","nights":3}', 'call ring {"who":"Ann"}']
