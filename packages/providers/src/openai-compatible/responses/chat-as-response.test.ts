import { expect, test } from 'vitest';
import { chatAsResponse } from './chat-as-response.ts';

test('the prompt of a chat has the same parts as a response', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
  const custom = { id: 'call_2', type: 'custom', custom: { name: 'patch', input: 'x' } };
  const grammar = { syntax: 'lark', definition: 'start: "x"' };
  expect(
    chatAsResponse({
      model: 'm',
      stream: true,
      max_completion_tokens: 5,
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'image_url', image_url: { url: 'https://x' } },
            { type: 'file', file: { file_data: 'data:application/pdf;base64,AA', filename: 'a.pdf' } },
          ],
        },
        { role: 'assistant', content: 'Well.', refusal: 'No.', tool_calls: [call, custom] },
        { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'Done' }] },
      ],
      tools: [
        { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } },
        { type: 'custom', custom: { name: 'patch', format: { type: 'grammar', grammar } } },
      ],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] },
      },
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {}, strict: true } },
      reasoning_effort: 'low',
      verbosity: 'high',
      parallel_tool_calls: false,
    }),
  ).toEqual({
    model: 'm',
    input: [
      { type: 'message', role: 'developer', content: 'Be brief.' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Hi' },
          { type: 'input_image', image_url: 'https://x', detail: 'auto' },
          { type: 'input_file', file_data: 'data:application/pdf;base64,AA', filename: 'a.pdf' },
        ],
      },
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'Well.' },
          { type: 'refusal', refusal: 'No.' },
        ],
      },
      { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{"a":1}' },
      { type: 'custom_tool_call', call_id: 'call_2', name: 'patch', input: 'x' },
      { type: 'function_call_output', call_id: 'call_1', output: 'Done' },
    ],
    tools: [
      { type: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: false },
      { type: 'custom', name: 'patch', format: { type: 'grammar', ...grammar } },
    ],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
    text: { format: { type: 'json_schema', name: 'x', schema: {}, strict: true }, verbosity: 'high' },
    reasoning: { effort: 'low' },
    parallel_tool_calls: false,
  });
});

test.each([
  [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } }] }],
  [{ role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }],
  [{ role: 'function', name: 'f', content: 'x' }],
])('%j has no counterpart', (message) => {
  expect(chatAsResponse({ model: 'm', messages: [message] })).toBeUndefined();
});
