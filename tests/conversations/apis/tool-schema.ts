/** The schema of every tool of these conversations. */
export const toolSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, id: { type: 'integer' } },
  required: ['city'],
} as const;
