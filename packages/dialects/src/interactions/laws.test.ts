import { GatewayError } from '@tallyport/contracts';
import { type ChatCompletion, parseChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import type { DialectEvent } from '../dialect.ts';
import { completions } from '../gemini/testing/completions.ts';
import { chunksOf as streamedChunks, mixedChunksOf as mixedStreamedChunks, saidInOrder } from '../testing/chunks.ts';
import type { Interaction } from './writer.ts';
import { bodyOf, foldedSteps, readBody, translatedOf } from './testing/request.ts';

const chunksOf = (completion: ChatCompletion) => streamedChunks(completion, saidInOrder);
const mixedChunksOf = (completion: ChatCompletion) => mixedStreamedChunks(completion, saidInOrder);

const shown = { generation_config: { thinking_summaries: 'auto' } };
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
const answerTo = (completion: ChatCompletion, members: object = shown): Interaction =>
  plain(readBody(bodyOf(members)).answer(completion));

function eventsOf(completion: ChatCompletion, inChunks = chunksOf): DialectEvent[] {
  const stream = readBody(bodyOf({ ...shown, stream: true })).stream();
  return plain([...inChunks(completion).flatMap((chunk) => stream.chunk(chunk)), ...stream.end()]);
}

describe.each(Object.entries(completions))('%s', (_name, completion) => {
  test.each([
    ['in order', chunksOf],
    ['mixed', mixedChunksOf],
  ])('the events of its pieces %s amount to the plain interaction', (_order, inChunks) => {
    const events = eventsOf(completion, inChunks);
    const { steps, ...head } = answerTo(completion);
    expect(foldedSteps(events)).toEqual(steps);
    const ids = events.map((_event, at) => String(at + 1));
    expect(events.map(({ data }) => (data as { event_id: string }).event_id)).toEqual(ids);
    expect(events.at(-1)).toEqual({
      event: 'interaction.completed',
      data: { event_type: 'interaction.completed', event_id: ids.at(-1), interaction: head },
    });
  });

  test('every step begins once, and ends before the interaction does', () => {
    const types = eventsOf(completion).map(({ event, data }) => [event, (data as { index?: number }).index]);
    const of = (type: string) => types.flatMap(([event, index]) => (event === type ? [index] : []));
    const indexes = of('step.start').map((_index, at) => at);
    expect([of('step.start'), of('step.stop').toSorted()]).toEqual([indexes, indexes]);
    expect([types[0]?.[0], types.at(-1)?.[0]]).toEqual(['interaction.created', 'interaction.completed']);
  });

  test('sent back as history, the steps are the message that they were made from', () => {
    const { steps } = answerTo(completion);
    const input = [{ type: 'user_input', content: [{ type: 'text', text: 'Hi' }] }, ...steps];
    const chat = translatedOf(bodyOf({ ...shown, input }));
    expect(chat.messages.slice(1)).toEqual(historyOf(completion));
    expect(parseChatRequest(chat)).toMatchObject({ ok: true });
  });
});

/** As a client of the chat sends it back. A refusal is a text. */
function historyOf({ choices: [choice] }: ChatCompletion): unknown[] {
  const { role, content, refusal, annotations: _annotations, ...rest } = choice!.message;
  if (!content && !refusal && Object.keys(rest).length === 0) return [];
  const images = rest.images?.map(({ index: _index, ...image }) => image);
  const said = content ?? refusal ?? ('tool_calls' in rest ? null : '');
  return [{ role, content: said, ...rest, ...(images && { images }) }];
}

const calling = (input: string, finish_reason: 'tool_calls' | 'length'): ChatCompletion => {
  const completion = completions['a signed call']!;
  const call = { id: 'a', type: 'function' as const, function: { name: 'tool_a', arguments: input } };
  const message = { role: 'assistant' as const, content: null, refusal: null, tool_calls: [call] };
  return { ...completion, choices: [{ index: 0, logprobs: null, finish_reason, message }] };
};

test.each([
  [
    '{"city":"Par',
    'tool_calls',
    [{ code: 'malformed_function_call', message: 'Malformed function call: tool_a({"city":"Par)' }],
  ],
  ['[1]', 'tool_calls', [{ code: 'malformed_function_call', message: 'Malformed function call: tool_a([1])' }]],
  ['{"city":"Par', 'length', undefined],
] as const)('arguments that are no JSON object never become a call: %s, %s', (input, reason, errors) => {
  expect(answerTo(calling(input, reason))).toMatchObject({
    status: 'incomplete',
    steps: [],
    ...(errors && { errors }),
  });
});

test('of arguments without an end, an error shows the beginning, and a call of another kind has no step', () => {
  const { errors } = answerTo(calling('x'.repeat(100_000), 'tool_calls')) as { errors: { message: string }[] };
  expect(errors[0]?.message).toBe(`Malformed function call: tool_a(${'x'.repeat(993)}`);
  const stream = readBody(bodyOf({ stream: true })).stream();
  const [first] = chunksOf(calling('{}', 'tool_calls'));
  const delta = { tool_calls: [{ index: 0, id: 'a', type: 'custom' as const, custom: { name: 'c', input: 'x' } }] };
  stream.chunk({ ...first!, choices: [{ index: 0, logprobs: null, finish_reason: 'stop', delta }] });
  stream.end();
  expect(stream.whole()).toMatchObject({ status: 'completed', steps: [] });
});

test('what a vendor wants back with a call is kept, also where it follows the arguments', () => {
  const stream = readBody(bodyOf({ stream: true })).stream();
  const chunks = chunksOf(calling('{}', 'tool_calls'));
  const extra_content = { google: { thought_signature: 'c2ln' } };
  const delta = { tool_calls: [{ index: 0, extra_content }] };
  for (const chunk of chunks) stream.chunk(chunk);
  stream.chunk({ ...chunks[0]!, choices: [{ index: 0, logprobs: null, finish_reason: null, delta }] });
  stream.end();
  const call = { id: 'a', type: 'function', function: { name: 'tool_a', arguments: '{}' }, extra_content };
  expect(translatedOf(bodyOf({ input: plain(stream.whole()?.steps) })).messages).toEqual([
    { role: 'assistant', content: null, tool_calls: [call] },
  ]);
});

test('a call without arguments has an empty object, also in its events', () => {
  const completion = calling('', 'tool_calls');
  const call = { type: 'function_call', id: 'a', name: 'tool_a', arguments: {} };
  expect(answerTo(completion)).toMatchObject({ status: 'requires_action', steps: [call] });
  expect(eventsOf(completion).map(({ event }) => event)).toEqual([
    'interaction.created',
    'step.start',
    'step.delta',
    'step.stop',
    'interaction.completed',
  ]);
});

test('the digits of a large number stay, in each direction', () => {
  const digits = '1234567890123456789';
  const { steps } = readBody(bodyOf()).answer(calling(`{"id":${digits}}`, 'tool_calls')) as Interaction;
  expect(JSON.stringify(steps)).toContain(`{"id":${digits}}`);
  const call = `{"type":"function_call","id":"a","name":"f","arguments":{"id":${digits}}}`;
  const result = `{"type":"function_result","call_id":"a","result":{"id":${digits}}}`;
  const chat = translatedOf(`{"model":"m","input":[${call},${result}]}`);
  expect(chat.messages).toEqual([
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: `{"id":${digits}}` } }],
    },
    { role: 'tool', tool_call_id: 'a', content: `{"id":${digits}}` },
  ]);
});

test('thoughts are shown only to clients that ask for them, and what a vendor wants back is always there', () => {
  const completion = completions['calls after thinking that another vendor signed']!;
  const [thought] = answerTo(completion, {}).steps;
  expect(thought).toEqual({ type: 'thought', signature: expect.stringMatching(/^dGFsbHlwb3J0LTEu[\w+/]+=*$/) });
  expect(answerTo(completion).steps[0]).toMatchObject({ summary: [{ type: 'text', text: 'Hmm.' }] });
});

test('a signature that was changed is refused by its path', () => {
  const [thought, call] = answerTo(completions['calls after thinking that another vendor signed']!).steps;
  const { signature = '' } = thought as { signature?: string };
  const changed = { ...thought, signature: `${signature.slice(0, -8)}AAAA` };
  expect(() => translatedOf(bodyOf({ input: [changed, call] }))).toThrow('input[0].signature');
});

test('the interaction has what its request said, its times, its tier and its usage', () => {
  const completion = { ...completions.text!, service_tier: 'default' as const };
  const members = { labels: { team: 'a' }, previous_interaction_id: 'int_before' };
  expect(answerTo(completion, members)).toEqual({
    id: 'int_0123456789abcdef0123456789abcdef',
    object: 'interaction',
    status: 'completed',
    created: '1970-01-01T00:00:01Z',
    updated: '1970-01-01T00:00:01Z',
    model: 'gemini-3-pro',
    previous_interaction_id: 'int_before',
    labels: { team: 'a' },
    service_tier: 'standard',
    usage: {
      total_input_tokens: 100,
      total_cached_tokens: 60,
      total_output_tokens: 15,
      total_thought_tokens: 5,
      total_tool_use_tokens: 0,
      total_tokens: 120,
    },
    steps: [{ type: 'model_output', content: [{ type: 'text', text: 'Hello, "wörld".' }] }],
  });
});

test('a stream that fails ends with an error in the form of the API', () => {
  const stream = readBody(bodyOf({ stream: true })).stream();
  const [first] = chunksOf(completions.text!);
  const events = [...stream.chunk(first!), ...stream.fail(new GatewayError('unavailable', 'Gone.'))];
  expect(events.at(-1)).toEqual({
    event: 'error',
    data: { event_type: 'error', event_id: '2', error: { code: 'UNAVAILABLE', message: 'Gone.' } },
  });
});
