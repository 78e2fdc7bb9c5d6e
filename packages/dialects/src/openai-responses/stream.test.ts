import { GatewayError } from '@tallyport/contracts';
import type { ChatChunk } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import type { DialectEvent } from '../dialect.ts';
import { chunkOf, eventsOf, readBody, usage } from './testing/calls.ts';
import { declaredTools } from './testing/completions.ts';
import { foldEvents, sdkEvent } from './testing/fold-events.ts';

const request = { model: 'm', input: 'Hi', tools: declaredTools, stream: true };
const typesOf = (events: readonly DialectEvent[]) => events.map(({ event }) => event?.replace('response.', ''));
const streamed = (...chunks: ChatChunk[]) => eventsOf(readBody(request), chunks);
const kindsOf = (events: readonly DialectEvent[]) => foldEvents(events).map(({ type }) => type);

const call = (index: number, name: string, input = '') => ({
  tool_calls: [{ index, id: `call_${index}`, type: 'function' as const, function: { name, arguments: input } }],
});

describe('the order of events', () => {
  test('a text', () => {
    expect(typesOf(streamed(chunkOf({ role: 'assistant' }), chunkOf({ content: 'Hi' }), chunkOf({}, 'stop')))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
  });

  test('thinking ends where a call begins, and parallel calls are open together', () => {
    const more = { tool_calls: [{ index: 0, function: { arguments: '{}' } }] };
    const chunks = [chunkOf({ reasoning_content: 'Hm' }), chunkOf(call(0, 'weather')), chunkOf(call(1, 'patch', '{"'))];
    expect(typesOf(streamed(...chunks, chunkOf(more), chunkOf({}, 'tool_calls'))).slice(2)).toEqual([
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'custom_tool_call_input.delta',
      'custom_tool_call_input.done',
      'output_item.done',
      'completed',
    ]);
  });

  test('an image has its phases', () => {
    const images = [{ type: 'image_url' as const, image_url: { url: 'data:image/webp;base64,AA' } }];
    const events = streamed(chunkOf({ images }), chunkOf({}, 'stop'));
    expect(typesOf(events).slice(3, 6)).toEqual([
      'image_generation_call.in_progress',
      'image_generation_call.generating',
      'image_generation_call.completed',
    ]);
    expect(foldEvents(events)).toMatchObject([{ result: 'AA', output_format: 'webp', status: 'completed' }]);
  });

  test('nothing at all is still a whole response', () => {
    expect(typesOf(streamed())).toEqual(['created', 'in_progress', 'completed']);
  });

  test('a call waits for its name', () => {
    const events = streamed(
      chunkOf(call(0, '', '{')),
      chunkOf({ tool_calls: [{ index: 0, function: { name: 'weather', arguments: '}' } }] }),
    );
    expect(foldEvents(events)).toMatchObject([{ type: 'function_call', name: 'weather', arguments: '{}' }]);
  });

  test('thinking between texts parts them', () => {
    const deltas = [{ reasoning_content: 'a' }, { content: 'b' }, { reasoning_content: 'c' }, { content: 'd' }];
    expect(kindsOf(streamed(...deltas.map((delta) => chunkOf(delta))))).toEqual([
      'reasoning',
      'message',
      'reasoning',
      'message',
    ]);
  });
});

describe('the response in the first and the last event', () => {
  const responseIn = (event: DialectEvent | undefined) => {
    const read = sdkEvent(event ?? { data: null });
    return 'response' in read ? read.response : undefined;
  };

  test('begins empty', () => {
    const [created, inProgress] = streamed(chunkOf({ content: 'Hi' }));
    expect(responseIn(created)).toMatchObject({ status: 'in_progress', output: [], usage: null });
    expect(responseIn(inProgress)).toEqual(responseIn(created));
  });

  test('ends with the usage and the service tier', () => {
    const last: ChatChunk = { ...chunkOf({}), choices: [], usage, service_tier: 'flex' };
    expect(responseIn(streamed(chunkOf({ content: 'Hi' }, 'stop'), last).at(-1))).toMatchObject({
      status: 'completed',
      service_tier: 'flex',
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 3 },
        total_tokens: 15,
      },
    });
  });

  test('of parallel calls only the last one is incomplete where the length ended them', () => {
    const events = streamed(
      chunkOf(call(0, 'weather', '{}')),
      chunkOf(call(1, 'weather', '{"a')),
      chunkOf({}, 'length'),
    );
    expect(foldEvents(events)).toMatchObject([{ status: 'completed' }, { status: 'incomplete' }]);
    expect(responseIn(events.at(-1))).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
  });
});

describe('a failure', () => {
  const failed = (error: GatewayError, ...chunks: ChatChunk[]) => {
    const stream = readBody(request).stream();
    return [...chunks.flatMap((chunk) => stream.chunk(chunk)), ...stream.fail(error)];
  };
  const errorIn = (error: GatewayError) => {
    const last = sdkEvent(failed(error).at(-1) ?? { data: null });
    return last.type === 'response.failed' ? last.response.error : undefined;
  };

  test('before the first chunk has a response as well', () => {
    expect(typesOf(failed(new GatewayError('upstream_error', 'Gone.')))).toEqual(['created', 'in_progress', 'failed']);
  });

  test('goes on with the numbers', () => {
    const events = failed(new GatewayError('upstream_error', 'Gone.'), chunkOf({ content: 'Hi' }));
    expect(events.map(({ data }) => data)).toMatchObject(events.map((_event, at) => ({ sequence_number: at })));
  });

  test.each([
    ['context_length_exceeded', 'context_length_exceeded'],
    ['budget_exceeded', 'insufficient_quota'],
    ['invalid_parameters', 'invalid_prompt'],
    ['stream_truncated', 'server_error'],
  ] as const)('%s is %s', (code, expected) => {
    expect(errorIn(new GatewayError(code, 'Why.'))).toEqual({ code: expected, message: 'Why.' });
  });

  test('a limit says when to try again', () => {
    expect(errorIn(new GatewayError('rate_limit_exceeded', 'Too many.', { retryAfterMs: 1300 }))).toEqual({
      code: 'rate_limit_exceeded',
      message: 'Too many. Please try again in 1.3s.',
    });
  });
});

describe('state that vendors want back', () => {
  const roundTrip = (events: readonly DialectEvent[]) =>
    readBody({ ...request, input: [{ role: 'user', content: 'Hi' }, ...foldEvents(events)] }).chat.messages.slice(1);

  const detail = { type: 'reasoning.encrypted', data: 'c2ln', format: 'google-gemini-v1', index: 0 };

  test('comes back where it arrives after the text', () => {
    const events = streamed(chunkOf({ content: 'Hi' }), chunkOf({ reasoning_details: [detail] }), chunkOf({}, 'stop'));
    expect(kindsOf(events)).toEqual(['message', 'reasoning']);
    expect(roundTrip(events)).toEqual([{ role: 'assistant', content: 'Hi', reasoning_details: [detail] }]);
  });

  test('is complete beside a text that was cut off', () => {
    const chunks = [chunkOf({ content: 'Hi' }), chunkOf({ reasoning_details: [detail] }), chunkOf({}, 'length')];
    expect(foldEvents(streamed(...chunks))).toMatchObject([{ status: 'incomplete' }, { status: 'completed' }]);
  });

  test('comes back where it arrives after the call it belongs to', () => {
    const extra = { google: { thought_signature: 'c2ln' } };
    const events = streamed(
      chunkOf(call(0, 'weather', '{}')),
      chunkOf({ tool_calls: [{ index: 0, extra_content: extra }] }),
    );
    expect(kindsOf(events)).toEqual(['function_call', 'reasoning']);
    expect(roundTrip(events)).toMatchObject([{ tool_calls: [{ id: 'call_0', extra_content: extra }] }]);
  });

  test('is whole where it was streamed in pieces', () => {
    const piece = (members: object) => ({ type: 'reasoning.text', index: 0, format: 'f', ...members });
    const events = streamed(
      chunkOf({ reasoning_content: 'a', reasoning_details: [piece({ text: 'a' })] }),
      chunkOf({ reasoning_content: 'b', reasoning_details: [piece({ text: 'b' })] }),
      chunkOf({ reasoning_details: [piece({ signature: 's' })] }),
      chunkOf({ content: 'Hi' }, 'stop'),
    );
    expect(roundTrip(events)).toEqual([
      {
        role: 'assistant',
        content: 'Hi',
        reasoning_content: 'ab',
        reasoning_details: [piece({ text: 'ab', signature: 's' })],
      },
    ]);
  });
});

test('probabilities are sent with their text', () => {
  const token = { token: 'Hi', logprob: -1, bytes: null, top_logprobs: [{ token: 'Yo', logprob: -2, bytes: [89] }] };
  const chunk = chunkOf({ content: 'Hi' });
  const withLogprobs = {
    ...chunk,
    choices: chunk.choices.map((choice) => ({ ...choice, logprobs: { content: [token], refusal: null } })),
  };
  expect(foldEvents(streamed(withLogprobs))).toMatchObject([
    { content: [{ logprobs: [{ token: 'Hi', bytes: [], top_logprobs: [{ token: 'Yo', bytes: [89] }] }] }] },
  ]);
});
