import type { ChatRequest } from '@tallyport/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runsOf } from '../../../../../tests/support/scale.ts';
import { fold } from '../../fold/fold.ts';
import { openai } from '../../openai/chat.ts';
import { type Answer, anyAnswer } from '../../testing/answer.ts';
import { placedSignatures } from '../../spec/call-signatures.ts';
import { callOf, contextOf, feed, vendorOffer } from '../../testing/translate.ts';

const tools = [{ type: 'function' as const, function: { name: 'f' } }];
const offer = vendorOffer(openai, { modelName: 'gpt-6-luna', reasoning: true });
const format = 'openai-responses-v1';

function contextWith(request: Partial<ChatRequest> = {}, stream = false) {
  const kept = new Map<string, string>();
  const call = callOf({ tools, ...request }, stream);
  const keepSignature = (name: string, value: string) => void kept.set(name, value);
  return { kept, context: { ...contextOf(openai, call), offer, keepSignature } };
}

const responseOf = (output: readonly object[], more: object = {}) => ({
  id: 'resp_1',
  model: 'gpt-6-luna-2026',
  status: 'completed',
  output,
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
  ...more,
});

const reasoningOf = (id: string, summary = '') => ({
  type: 'reasoning',
  id,
  summary: summary === '' ? [] : [{ type: 'summary_text', text: summary }],
  encrypted_content: `sealed ${id}`,
});
const callItem = (id: string, input = '{}') => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name: 'f',
  arguments: input,
});
const messageItem = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});

/** The events of the whole items, in pieces. */
function eventsOf(response: ReturnType<typeof responseOf>): Buffer[] {
  const events: object[] = [{ type: 'response.created', response: { ...response, output: [], usage: null } }];
  for (const [output_index, item] of response.output.entries()) {
    const { arguments: input = '', content = [], summary = [] } = item as Record<string, never>;
    const at = { output_index };
    events.push({
      type: 'response.output_item.added',
      ...at,
      item: { ...item, arguments: '', content: [], summary: [] },
    });
    for (const piece of (input as string).match(/.{1,3}/gsu) ?? [])
      events.push({ type: 'response.function_call_arguments.delta', ...at, delta: piece });
    for (const { text } of content as { text: string }[])
      events.push({ type: 'response.output_text.delta', ...at, delta: text });
    for (const { text } of summary as { text: string }[])
      events.push({ type: 'response.reasoning_summary_text.delta', ...at, delta: text });
    events.push({ type: 'response.output_item.done', ...at, item });
  }
  events.push({ type: 'response.completed', response });
  return events.map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
}

function streamed(response: ReturnType<typeof responseOf>) {
  const { context, kept } = contextWith({}, true);
  const translator = openai.stream(context);
  const chunks = feed(translator, eventsOf(response), 'sse');
  return { kept, folded: fold([...chunks, ...translator.end()]) };
}

test('a response is a chat with its reasoning, texts, calls, tier and usage', () => {
  const output = [reasoningOf('rs_1', 'Hm.'), messageItem('Well.'), reasoningOf('rs_2'), callItem('call_1', '{"a":1}')];
  const response = responseOf(output, { service_tier: 'priority' });
  const { context, kept } = contextWith();
  const details = [
    {
      type: 'reasoning.encrypted',
      data: 'sealed rs_1',
      id: 'rs_1',
      summary: reasoningOf('rs_1', 'Hm.').summary,
      format,
      index: 0,
    },
    { type: 'reasoning.encrypted', data: 'sealed rs_2', id: 'rs_2', leads_to: 'call_1', format, index: 1 },
  ];
  expect(openai.response(response, context)).toEqual({
    id: 'chatcmpl-ours',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'gpt-6-luna-2026',
    service_tier: 'priority',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Well.',
          refusal: null,
          reasoning_content: 'Hm.',
          reasoning_details: details,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
          content_order: [
            { type: 'reasoning', length: 3, details: 1 },
            { type: 'text', length: 5, annotations: 0 },
            { type: 'reasoning', length: 0, details: 1 },
            { type: 'tool_call', index: 0 },
          ],
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, service_tier: 'priority' },
  });
  expect([...kept.values()].map((value) => JSON.parse(value))).toEqual([details]);
  expect(streamed(response).kept).toEqual(kept);
});

test('a streamed response folds to the whole one', () => {
  const outputOf = ({ thinking, text, calls }: Answer): object[] => [
    ...(thinking.length > 0 ? [reasoningOf('rs_1', thinking.join(''))] : []),
    ...(text.length > 0 ? [messageItem(text.join(''))] : []),
    ...calls.flatMap(({ id, input }) => [reasoningOf(`rs_${id}`), callItem(id, input.join(''))]),
  ];
  fc.assert(
    fc.property(anyAnswer, (answer) => {
      const response = responseOf(outputOf(answer));
      expect(streamed(response).folded).toEqual(openai.response(response, contextWith().context));
    }),
    { numRuns: runsOf(200) },
  );
});

test('reasoning goes back in front of what it led to', () => {
  const output = [reasoningOf('rs_1'), callItem('call_1'), reasoningOf('rs_2', 'Hm.'), callItem('call_2')];
  const { context } = contextWith();
  // As a client sends it back.
  const { message } = JSON.parse(JSON.stringify(openai.response(responseOf(output), context).choices[0]));
  const results = ['call_1', 'call_2'].map((id) => ({ role: 'tool' as const, tool_call_id: id, content: 'Rain.' }));
  const messages: ChatRequest['messages'] = [{ role: 'user', content: 'Hi' }, message, ...results];
  const { input } = JSON.parse(openai.request(callOf({ tools, messages }), offer).body);
  const sent = ({ id: _id, ...call }: ReturnType<typeof callItem>) => call;
  expect(input).toEqual([
    { type: 'message', role: 'user', content: 'Hi' },
    output[0],
    sent(callItem('call_1')),
    output[2],
    sent(callItem('call_2')),
    ...results.map(({ tool_call_id: id, content }) => ({ type: 'function_call_output', call_id: id, output: content })),
  ]);
});

describe('thinking', () => {
  test('of another vendor is not sent', () => {
    const details = [{ type: 'reasoning.encrypted', data: 'theirs', format: 'azure-responses-v1', index: 0 }];
    const messages = [{ role: 'assistant' as const, content: 'Hm', reasoning_details: details }];
    const { input } = JSON.parse(openai.request(callOf({ tools, messages }), offer).body);
    expect(input).toEqual([{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hm' }] }]);
  });

  test('that the client lost is remembered', () => {
    const call = { id: 'call_a1b2c3d4e5f6', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
    const messages: ChatRequest['messages'] = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content: 'Rain.' },
    ];
    const { context, kept } = contextWith();
    openai.response(responseOf([reasoningOf('rs_1'), callItem(call.id)]), context);
    const missing = openai.callSignatures?.missingIn(callOf({ tools, messages }).request, offer) ?? [];
    expect(missing.map(({ name }) => name)).toEqual([...kept.keys()]);
    const found = missing.map((each) => ({ ...each, signature: kept.get(each.name) ?? '' }));
    const asked = { ...callOf({ tools, messages }), signatures: placedSignatures(found) };
    expect(JSON.parse(openai.request(asked, offer).body).input[1]).toEqual(reasoningOf('rs_1'));
  });
});

test.each([
  ['a failed response', responseOf([], { status: 'failed', error: { code: 'server_error', message: 'Gone.' } })],
  ['an error', { error: { message: 'Gone.' } }],
  ['a body without output', { id: 'resp_1' }],
])('%s is a failure of the vendor', (_name, body) => {
  expect(() => openai.response(body, contextWith().context)).toThrow(expect.objectContaining({ domain: 'provider' }));
});

test('a stream that breaks off is truncated', () => {
  const translator = openai.stream(contextWith({}, true).context);
  feed(translator, eventsOf(responseOf([messageItem('Well.')])).slice(0, 3), 'sse');
  expect(translator.finished()).toBe(false);
  expect(() => translator.end()).toThrow(expect.objectContaining({ code: 'stream_truncated' }));
});
