import type { Column, FurtherBodies } from './column.ts';

// From platform.openai.com/docs/api-reference/responses/create: functions are tools without an object around them and are
// strict unless they say otherwise, calls and their results are items of `input`, and reasoning is returned sealed.

/** Chats with tools of models that reason, as `/v1/responses` gets them. */
export const responsesBodies = {
  tools: {
    model: 'gpt-5',
    tools: [
      {
        type: 'function',
        name: 'get_weather',
        description: 'The weather of a city.',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        strict: false,
      },
      { type: 'function', name: 'get_time', parameters: null, strict: false },
    ],
    tool_choice: { type: 'function', name: 'get_weather' },
    input: [{ type: 'message', role: 'user', content: 'Weather in Rome?' }],
    store: false,
    include: ['reasoning.encrypted_content'],
  },
  toolResults: {
    model: 'gpt-5',
    tools: [
      {
        type: 'function',
        name: 'get_weather',
        description: 'The weather of a city.',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        strict: false,
      },
    ],
    input: [
      { type: 'message', role: 'user', content: 'Weather in Rome?' },
      { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Rome"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'Sunny' },
    ],
    store: false,
    include: ['reasoning.encrypted_content'],
  },
  parallelTools: {
    model: 'gpt-5',
    tools: [
      {
        type: 'function',
        name: 'get_weather',
        description: 'The weather of a city.',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        strict: false,
      },
      { type: 'function', name: 'get_time', parameters: null, strict: false },
    ],
    tool_choice: 'required',
    parallel_tool_calls: false,
    input: [
      { type: 'message', role: 'user', content: 'Weather and time?' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me see.' }] },
      { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Rome"}' },
      { type: 'function_call', call_id: 'call_2', name: 'get_time', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_2', output: '12:00' },
      { type: 'function_call_output', call_id: 'call_1', output: 'Sunny' },
      { type: 'message', role: 'user', content: 'And tomorrow?' },
    ],
    store: false,
    include: ['reasoning.encrypted_content'],
  },
} as const satisfies Partial<Column['bodies']>;

/** The same for the further requests. */
export const furtherResponsesBodies = {
  strictTool: {
    model: 'gpt-5',
    tools: [
      {
        type: 'function',
        name: 'build',
        parameters: {
          type: 'object',
          properties: { size: { type: 'integer', description: 'In metres.', minimum: 1 }, name: { type: 'string' } },
          required: ['size'],
        },
        strict: true,
      },
    ],
    input: [{ type: 'message', role: 'user', content: 'A tower.' }],
    store: false,
    include: ['reasoning.encrypted_content'],
  },
  toolChoiceAuto: {
    model: 'gpt-5',
    tools: [
      { type: 'function', name: 'one', parameters: null, strict: false },
      { type: 'function', name: 'two', parameters: null, strict: false },
    ],
    tool_choice: 'auto',
    input: [{ type: 'message', role: 'user', content: 'Go.' }],
    store: false,
    include: ['reasoning.encrypted_content'],
  },
  toolChoiceNone: {
    model: 'gpt-5',
    tools: [
      { type: 'function', name: 'one', parameters: null, strict: false },
      { type: 'function', name: 'two', parameters: null, strict: false },
    ],
    tool_choice: 'none',
    input: [{ type: 'message', role: 'user', content: 'Go.' }],
    store: false,
    include: ['reasoning.encrypted_content'],
  },
  toolChoiceRequired: {
    model: 'gpt-5',
    tools: [
      { type: 'function', name: 'one', parameters: null, strict: false },
      { type: 'function', name: 'two', parameters: null, strict: false },
    ],
    tool_choice: 'required',
    input: [{ type: 'message', role: 'user', content: 'Go.' }],
    store: false,
    include: ['reasoning.encrypted_content'],
  },
  toolChoiceAllowed: {
    model: 'gpt-5',
    tools: [
      { type: 'function', name: 'one', parameters: null, strict: false },
      { type: 'function', name: 'two', parameters: null, strict: false },
    ],
    tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'two' }] },
    input: [{ type: 'message', role: 'user', content: 'Go.' }],
    store: false,
    include: ['reasoning.encrypted_content'],
  },
  oneNamedTool: {
    model: 'gpt-5',
    tools: [
      { type: 'function', name: 'one', parameters: null, strict: false },
      { type: 'function', name: 'two', parameters: null, strict: false },
    ],
    tool_choice: { type: 'function', name: 'two' },
    parallel_tool_calls: false,
    input: [{ type: 'message', role: 'user', content: 'Go.' }],
    store: false,
    include: ['reasoning.encrypted_content'],
  },
  functions: {
    model: 'gpt-5',
    tools: [{ type: 'function', name: 'one', parameters: null, strict: false }],
    tool_choice: 'auto',
    parallel_tool_calls: false,
    input: [{ type: 'message', role: 'user', content: 'Go.' }],
    store: false,
    include: ['reasoning.encrypted_content'],
  },
} as const satisfies Partial<FurtherBodies>;
