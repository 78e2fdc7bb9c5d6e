import type { ChatRequest } from '@tallyport/wire';

const user = (content: string) => ({ role: 'user' as const, content });

const weather = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    description: 'The weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

const time = { type: 'function' as const, function: { name: 'get_time' } };

const call = (id: string, name: string, input: string) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: input },
});

/** A transparent pixel. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Requests of clients, one for each feature that vendors express differently. */
export const canonicalRequests = {
  plain: { model: 'm', messages: [user('Hi')] },

  system: {
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
      user('Hi'),
    ],
  },

  multiTurn: {
    model: 'm',
    messages: [
      user('One'),
      { role: 'assistant', content: 'Two', reasoning_content: 'Counting.' },
      user('Three'),
      user('Four'),
    ],
    max_tokens: 100,
  },

  image: {
    model: 'm',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'text', text: '' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}`, detail: 'low' } },
        ],
      },
    ],
  },

  tools: {
    model: 'm',
    messages: [user('Weather in Rome?')],
    tools: [weather, time],
    tool_choice: { type: 'function', function: { name: 'get_weather' } },
  },

  toolResults: {
    model: 'm',
    messages: [
      user('Weather in Rome?'),
      { role: 'assistant', content: null, tool_calls: [call('call_1', 'get_weather', '{"city":"Rome"}')] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
    ],
    tools: [weather],
  },

  parallelTools: {
    model: 'm',
    messages: [
      user('Weather and time?'),
      {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [call('call_1', 'get_weather', '{"city":"Rome"}'), call('call_2', 'get_time', '')],
      },
      // Results in another order than their calls.
      { role: 'tool', tool_call_id: 'call_2', content: '12:00' },
      { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'Sunny' }] },
      user('And tomorrow?'),
    ],
    tools: [weather, time],
    tool_choice: 'required',
    parallel_tool_calls: false,
  },

  jsonSchema: {
    model: 'm',
    messages: [user('A city, as JSON.')],
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'city',
        strict: true,
        schema: {
          type: 'object',
          properties: { name: { type: 'string' } },
          required: ['name'],
          additionalProperties: false,
        },
      },
    },
  },

  reasoning: { model: 'm', messages: [user('Think.')], reasoning_effort: 'high', max_completion_tokens: 50_000 },

  sampling: {
    model: 'm',
    messages: [user('Dice.')],
    temperature: 1.5,
    top_p: 0.9,
    seed: 7,
    frequency_penalty: 0.5,
    presence_penalty: -0.5,
    user: 'u-1',
  },

  longStopList: { model: 'm', messages: [user('Count.')], stop: ['1', '2', '3', '4', '5', '6'] },

  unicode: { model: 'm', messages: [user('Grüße 🌍 "quoted"\n語\u2028\u0000')] },
} satisfies Record<string, ChatRequest>;

export type CanonicalName = keyof typeof canonicalRequests;
