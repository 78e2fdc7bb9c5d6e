import { describe, expect, test } from 'vitest';
import { chatProviders } from '../chat-providers.ts';
import { fold } from '../fold/fold.ts';
import { vendorOffer } from '../testing/translate.ts';

const vendors = chatProviders.filter(({ id }) => ['mistral', 'cerebras'].includes(id));
const user = { role: 'user' as const, content: 'Weather?' };
const request = {
  model: 'm',
  messages: [
    user,
    { role: 'assistant' as const, content: null, function_call: { name: 'weather', arguments: '{"city":"Rome"}' } },
    { role: 'function' as const, name: 'weather', content: 'Sunny' },
  ],
  functions: [{ name: 'weather', parameters: { type: 'object' } }],
  function_call: { name: 'weather' },
};
const call = { id: 'abcdefghi', type: 'function', function: { name: 'weather', arguments: '{}' } };

describe.each(vendors.map((vendor) => [vendor.id, vendor] as const))('%s', (_id, vendor) => {
  const offer = vendorOffer(vendor);
  const context = { call: { request, stream: false }, offer, completionId: 'c', created: 1 };

  test('gets functions as tools, and their calls as calls of tools', () => {
    const { body } = vendor.request({ request, stream: false }, offer);
    const { messages, tools, functions, function_call } = JSON.parse(body);
    const [, { tool_calls: calls, function_call: old }, result] = messages;
    expect({ functions, function_call, old }).toEqual({});
    expect(tools).toMatchObject([{ type: 'function', function: { name: 'weather' } }]);
    expect(calls).toEqual([
      { id: expect.any(String), type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
    ]);
    expect(result).toEqual({ role: 'tool', tool_call_id: calls[0].id, content: 'Sunny' });
  });

  test('its calls come back in the old form, plain and streamed', () => {
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    const answer = { id: 'x', model: 'm', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
    const plain = vendor.response(answer, context);
    expect(plain.choices).toMatchObject([
      { message: { function_call: { name: 'weather', arguments: '{}' } }, finish_reason: 'function_call' },
    ]);
    expect(plain.choices[0]?.message.tool_calls).toBeUndefined();
    const stream = vendor.stream({ ...context, call: { request, stream: true } });
    const delta = { role: 'assistant', tool_calls: [{ index: 0, ...call }] };
    const frames = [
      { id: 'x', model: 'm', choices: [{ index: 0, delta, finish_reason: null }] },
      { id: 'x', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    ].map((value) => ({ id: undefined, event: undefined, data: Buffer.from(JSON.stringify(value)) }));
    const chunks = [...frames.flatMap((frame) => stream.frame(frame)), ...stream.end()];
    expect(fold(chunks).choices).toMatchObject([
      { message: { function_call: { name: 'weather', arguments: '{}' } }, finish_reason: 'function_call' },
    ]);
  });
});
