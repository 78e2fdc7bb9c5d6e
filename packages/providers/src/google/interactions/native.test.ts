import { GatewayError } from '@tallyport/contracts';
import type { NativeRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { contextOf, vendorOffer } from '../../testing/translate.ts';
import { google } from '../chat.ts';

const format = google.native?.['gemini-interactions'];
const requestOf = (json: string, limit?: number): NativeRequest => ({
  dialect: 'gemini-interactions',
  body: Buffer.from(json),
  members: JSON.parse(json),
  headers: {},
  model: 'google/gemini',
  limit,
  isUntranslatable: false,
});
const offer = vendorOffer(google, { modelName: 'gemini-3-pro' });
const sent = (json: string, { limit, ...call }: { limit?: number; standardTier?: true } = {}) =>
  format?.request({ ...requestOf(json, limit), ...call, stream: false, maxOutput: 9 }, offer).body.toString();

test.each([
  [false, 'application/json'],
  [true, 'text/event-stream'],
])('streamed %s: the model changes, and the vendor stores nothing', (stream, accept) => {
  const json = String.raw`{ "future":1.0, "model":"ours", "store" : true, "input":"\u00e9" }`;
  const request = format?.request({ ...requestOf(json), stream, maxOutput: 9 }, offer);
  expect({ ...request, body: request?.body.toString() }).toEqual({
    method: 'POST',
    path: '/interactions',
    headers: { 'content-type': 'application/json', accept },
    body: json.replace('ours', 'gemini-3-pro').replace('true', 'false'),
  });
});

test('the vendor stores nothing also where the request does not say', () => {
  expect(JSON.parse(sent('{"model":"ours","input":"Hi"}') ?? '')).toEqual({
    model: 'gemini-3-pro',
    input: 'Hi',
    store: false,
  });
});

test.each([9, 10])('a limit of %d is at most what the offer writes', (limit) => {
  const json = `{"model":"m","store":false,"generation_config":{"max_output_tokens":${limit}}}`;
  expect(JSON.parse(sent(json, { limit }) ?? '').generation_config).toEqual({ max_output_tokens: 9 });
});

test('the standard tier is named where it is meant', () => {
  expect(JSON.parse(sent('{"model":"m"}', { standardTier: true }) ?? '').service_tier).toBe('standard');
});

const sealed = { type: 'thought', signature: 'dGFsbHlwb3J0LTEuYQ==' };
const signed = { type: 'thought', signature: 's' };
const call = { type: 'function_call', id: 'a', name: 'f', arguments: {} };
const result = { type: 'function_result', call_id: 'a', result: '' };
const asked = { type: 'user_input', content: [] };

const level = (thinking_level: string) => ({ generation_config: { thinking_level } });
const named = (name: string) => ({ tools: [{ type: 'function', name }] });

test.each<[object, string, boolean]>([
  [{ input: 'Hi' }, 'gemini-3-pro', true],
  [level('low'), 'gemini-3-pro', true],
  [level('medium'), 'gemini-3-pro', false],
  [level('medium'), 'gemini-2.5-flash', true],
  [level('low'), 'gemini-2.0-flash', false],
  [{ system_instruction: 'Be brief.' }, 'gemini-3-pro', true],
  [{ system_instruction: 'Be brief.' }, 'gemini-2.5-flash-image', false],
  [named('weather.get'), 'gemini-3-pro', true],
  [named('x'.repeat(130)), 'gemini-3-pro', false],
  [{ input: [asked, signed, call, call, result] }, 'gemini-3-pro', true],
  [{ input: [asked, call, result] }, 'gemini-3-pro', false],
  [{ input: [asked, call, result] }, 'gemini-2.5-flash', true],
  [{ input: [asked, signed, call, result, call, result] }, 'gemini-3-pro', false],
  [{ input: [asked, call, result, asked] }, 'gemini-3-pro', true],
  [{ input: [asked, sealed, asked] }, 'gemini-2.5-flash', false],
])('%j fits %s: %s', (members, modelName, fits) => {
  expect(format?.fits(requestOf(JSON.stringify(members)), vendorOffer(google, { modelName }))).toBe(fits);
});

const context = { ...contextOf(google), offer };
const usage = {
  total_input_tokens: 20,
  total_cached_tokens: 5,
  total_output_tokens: 7,
  total_thought_tokens: 3,
  total_tool_use_tokens: 4,
  total_tokens: 34,
  input_tokens_by_modality: [
    { modality: 'text', tokens: 12 },
    { modality: 'audio', tokens: 8 },
  ],
  output_tokens_by_modality: [{ modality: 'image', tokens: 6 }],
  grounding_tool_count: [
    { type: 'google_search', count: 2 },
    { type: 'google_maps', count: 1 },
  ],
};
const counted = {
  prompt_tokens: 24,
  completion_tokens: 10,
  total_tokens: 34,
  prompt_tokens_details: { cached_tokens: 5, tool_prompt_tokens: 4, audio_tokens: 8 },
  completion_tokens_details: { reasoning_tokens: 3, image_tokens: 6 },
  server_tool_use: { grounding_search_requests: 2, grounding_maps_requests: 1 },
};
const readWhole = (body: object) => format?.reading?.response(body, context);

describe('the usage of an interaction', () => {
  test('has every class', () => {
    expect(readWhole({ steps: [], usage })?.usage).toEqual(counted);
  });

  test('names its tier, and counts that are unknown here', () => {
    const unknown = {
      steps: [],
      service_tier: 'flex',
      usage: { ...usage, total_future_tokens: 1, grounding_tool_count: [{ type: 'future', count: 3 }] },
    };
    expect(readWhole(unknown)?.usage).toMatchObject({
      service_tier: 'flex',
      unknown_classes: ['grounding_tool_count', 'total_future_tokens'],
    });
  });

  test('counts thinking once where the answer includes it', () => {
    const including = { ...usage, total_output_tokens: 10 };
    expect(readWhole({ steps: [], usage: including })?.usage).toMatchObject({
      completion_tokens: 10,
      total_tokens: 34,
    });
  });

  test.each([{}, { total_input_tokens: -1, total_output_tokens: 2 }, { total_input_tokens: 'many' }, 5])(
    'is unknown if it is %j',
    (wrong) => expect(readWhole({ steps: [], usage: wrong })?.usage).toBeUndefined(),
  );
});

const steps = [
  { type: 'thought', summary: [{ type: 'text', text: 'Hm.' }] },
  {
    type: 'model_output',
    content: [
      { type: 'text', text: 'Hello.' },
      { type: 'image', mime_type: 'image/png', data: 'AAAA' },
    ],
  },
  { type: 'function_call', id: 'a', name: 'f', arguments: { q: 1 } },
];

test('a whole interaction is read for what is counted', () => {
  expect(readWhole({ id: 'v1_x', model: 'gemini-3-pro', status: 'requires_action', steps })).toMatchObject({
    model: 'gemini-3-pro',
    choices: [
      {
        finish_reason: 'tool_calls',
        message: {
          content: 'Hello.',
          reasoning_content: 'Hm.',
          images: [{ image_url: { url: 'data:image/png;base64,AAAA' }, index: 0 }],
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"q":1}' } }],
        },
      },
    ],
  });
});

test.each([
  ['completed', 'stop'],
  ['requires_action', 'tool_calls'],
  ['incomplete', 'length'],
  ['budget_exceeded', 'length'],
  ['requires_continuation', 'length'],
])('the status %s ends a chat with %s', (status, reason) => {
  expect(readWhole({ status, steps: [] })?.choices[0]?.finish_reason).toBe(reason);
});

const thrownBy = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (thrown) {
    return thrown;
  }
};

test.each([
  [{ status: 'failed', errors: [{ code: 'RESOURCE_EXHAUSTED', message: 'No.' }] }, 'upstream_error'],
  [{ status: 'failed' }, 'upstream_error'],
  [{ error: { code: 503, status: 'UNAVAILABLE', message: 'Busy.' } }, 'upstream_error'],
  [{ status: 'completed' }, 'upstream_error'],
  ['no object', 'upstream_error'],
])('%j is an error', (body, code) => {
  const thrown = thrownBy(() => format?.reading?.response(body, context));
  expect(thrown).toBeInstanceOf(GatewayError);
  expect(thrown).toMatchObject({ code });
});

const reader = () => {
  const stream = format!.reading!.stream(context);
  const event = (data: object, name?: string) =>
    stream.frame({ event: name, id: undefined, data: Buffer.from(JSON.stringify(data)) });
  return { ...stream, event };
};
const delta = (added: object) => ({ event_type: 'step.delta', index: 0, delta: added });
const completed = { event_type: 'interaction.completed', interaction: { status: 'completed', usage } };

test('a stream is read for what is counted, with or without names of events', () => {
  const stream = reader();
  const read = [
    stream.event({ interaction: {} }, 'interaction.created'),
    stream.event({
      event_type: 'step.start',
      index: 0,
      step: { type: 'function_call', id: 'a', name: 'f', arguments: {} },
    }),
    stream.event(delta({ type: 'arguments_delta', arguments: '{}' })),
    stream.event(delta({ type: 'thought_summary', content: { type: 'text', text: 'Hm.' } })),
    stream.event(delta({ type: 'thought_signature', signature: 's' })),
    stream.event(delta({ type: 'text', text: 'Hi' })),
    stream.event(delta({ type: 'image', mime_type: 'image/png', data: 'AAAA' })),
    stream.event(delta({ type: 'google_search_call', arguments: {} })),
    stream.event({ index: 0 }, 'step.stop'),
  ];
  const deltas = read.flat().map(({ choices }) => choices[0]?.delta);
  expect(deltas).toEqual([
    { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{}' } }] },
    { reasoning_content: 'Hm.' },
    { content: 'Hi' },
    { images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
  ]);
  expect([stream.finished(), stream.usage()]).toEqual([false, undefined]);
  const last = stream.event(completed);
  expect(last.map(({ choices, usage: reported }) => [choices[0]?.finish_reason, reported])).toEqual([
    ['stop', undefined],
    [undefined, counted],
  ]);
  expect([stream.finished(), stream.done(), stream.end()]).toEqual([true, true, []]);
});

test.each([
  [{ event_type: 'error', error: { code: 'UNAVAILABLE', message: 'Busy.' } }],
  [{ ...completed, interaction: { status: 'failed', errors: [{ code: 'INTERNAL', message: 'No.' }], usage } }],
])('a stream that reports an error throws it: %j', (event) => {
  const stream = reader();
  expect(thrownBy(() => stream.event(event))).toMatchObject({ code: 'upstream_error' });
});

test('the usage of a stream that failed is still known', () => {
  const stream = reader();
  thrownBy(() => stream.event({ ...completed, interaction: { status: 'failed', usage } }));
  expect(stream.usage()).toEqual(counted);
});

test('a stream without its last event is cut off, also where it says that it is done', () => {
  const stream = reader();
  stream.event(delta({ type: 'text', text: 'Hi' }));
  stream.frame({ event: 'done', id: undefined, data: Buffer.from('[DONE]') });
  expect(thrownBy(() => stream.end())).toMatchObject({ code: 'stream_truncated' });
  expect(stream.skipped()).toBe(1);
});
