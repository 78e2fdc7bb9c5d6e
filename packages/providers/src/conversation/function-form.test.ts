import type { ChatRequest } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { anthropic } from '../anthropic/chat.ts';
import { awsBedrock } from '../aws-bedrock/chat.ts';
import { fold } from '../fold/fold.ts';
import { google } from '../google/chat.ts';
import { type Answer, plainAnswer } from '../testing/answer.ts';
import { callOf, contextOf, translate } from '../testing/translate.ts';
import { vendorFormats } from '../testing/vendor-formats.ts';

const answer: Answer = {
  ...plainAnswer,
  text: ['Let me see.'],
  calls: [{ id: 'call_1', name: 'f', input: ['{"a":', '1}'] }],
  finish: 'tool_calls',
};
const f = { name: 'f', parameters: { type: 'object', properties: {} } };
const old: Partial<ChatRequest> = { functions: [f] };

const expected = {
  message: {
    role: 'assistant',
    content: 'Let me see.',
    refusal: null,
    function_call: { name: 'f', arguments: '{"a":1}' },
  },
  finish_reason: 'function_call',
};

test.each([anthropic, awsBedrock, google])(
  '$id returns function_call for functions, with and without streaming',
  (provider) => {
    const format = vendorFormats[provider.dialect];
    const whole = provider.response(format.json(answer), contextOf(provider, callOf(old, false)));
    const streamed = fold(translate(provider, format.stream(answer), callOf(old)));
    expect([whole.choices[0], streamed.choices[0]]).toMatchObject([expected, expected]);
    expect([whole, streamed].map(({ choices }) => choices[0]?.message.tool_calls)).toEqual([undefined, undefined]);
  },
);

test('uses tool_calls if the request has both tools and functions', () => {
  const call = callOf({ ...old, tools: [{ type: 'function', function: { name: 'g' } }] }, false);
  const { choices } = anthropic.response(vendorFormats.anthropic.json(answer), contextOf(anthropic, call));
  expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { tool_calls: [{ id: 'call_1' }] } });
});
