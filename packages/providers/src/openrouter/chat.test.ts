import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { openrouter } from './chat.ts';

const { sent, usage, folded, choice, answer, failure } = vendorOf(openrouter);
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' }, index: 0 };
const reasoning_details = [{ type: 'reasoning.text', text: 'hm', signature: 's', format: 'anthropic-claude-v1' }];

test('passes on its own members and ours that it supports', () => {
  const request = {
    models: ['a', 'b'],
    provider: { order: ['x'], allow_fallbacks: false },
    transforms: [],
    reasoning: { effort: 'low' as const, max_tokens: 9, exclude: true },
    plugins: [{ id: 'web' }],
    modalities: ['image', 'text'],
    image_config: { aspect_ratio: '1:1' },
  };
  expect(sent(request)).toEqual(request);
});

test('moves cache_control of a message to its last part', () => {
  const cache_control = { type: 'ephemeral' };
  expect(sent({ messages: [{ role: 'user', content: 'Hi', cache_control }] }).messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control }] },
  ]);
});

test('keeps further members of an answer', () => {
  const message = { content: 'x', reasoning: 'hm', reasoning_details, images: [image] };
  const extras = { provider: 'Acme' };
  expect(answer({ choices: [{ message, native_finish_reason: 'end_turn' }], ...extras })).toMatchObject({
    ...extras,
    choices: [
      {
        native_finish_reason: 'end_turn',
        message: { content: 'x', reasoning_content: 'hm', reasoning_details, images: [image] },
      },
    ],
  });
});

test('keeps them in a stream with images and comments', () => {
  const whole = folded(
    ': OPENROUTER PROCESSING\n\n',
    delta({ role: 'assistant', content: '', reasoning: 'hm', reasoning_details }),
    ': OPENROUTER PROCESSING\n\n',
    delta({ content: 'x', images: [image] }),
    delta({ content: '' }, 'stop', { provider: 'Acme' }),
  );
  expect(whole).toMatchObject({
    provider: 'Acme',
    choices: [{ message: { content: 'x', reasoning_content: 'hm', reasoning_details, images: [image] } }],
  });
});

test('sends reasoning_details back without reasoning_content', () => {
  const messages = [{ role: 'assistant' as const, content: 'x', reasoning_content: 'hm', reasoning_details }];
  expect(sent({ messages }).messages).toEqual([{ role: 'assistant', content: 'x', reasoning_details }]);
});

test('reads the cost', () => {
  const counts = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  expect(usage({ ...counts, cost: 0.00014, cost_details: { upstream_inference_cost: null } })).toEqual({
    ...counts,
    cost: 0.00014,
  });
});

test.each([
  ['the fee and what the vendor bills its own key', { is_byok: true, cost: 0.05, upstream: 1 }, 1.05],
  [
    'what the vendor bills its own key where nothing is charged for that',
    { is_byok: true, cost: 0, upstream: 0.2 },
    0.2,
  ],
  ['the fee, where the vendor bills nothing', { is_byok: true, cost: 0.05, upstream: 0 }, 0.05],
  [
    'its cost alone without such a key, although it names what the vendor takes',
    { is_byok: false, cost: 1, upstream: 1 },
    1,
  ],
  ['both where an answer does not say and the vendor takes more', { cost: 0.95, upstream: 19 }, 19.95],
  ['its cost alone where an answer does not say and the vendor takes as much', { cost: 1, upstream: 1 }, 1],
])('costs %s', (_name, { upstream, ...used }, cost) => {
  const counts = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  expect(usage({ ...counts, ...used, cost_details: { upstream_inference_cost: upstream } })).toEqual({
    ...counts,
    cost,
  });
});

const errorWith = (code: number) => ({
  error: { code, message: 'No.', metadata: { provider_name: 'Acme' } },
  user_id: 'u',
});

test.each([
  [400, 'invalid_parameters', 'caller'],
  [402, 'upstream_auth', 'provider'],
  [408, 'upstream_timeout', 'provider'],
  [429, 'upstream_error', 'provider'],
  [502, 'upstream_error', 'provider'],
  [503, 'upstream_error', 'provider'],
])('maps %i as a status, with status 200, and in a chunk', (status, code, domain) => {
  expect(failure(status, errorWith(status))).toMatchObject({ code, domain });
  const fault = expect.objectContaining({ code, domain });
  expect(() => answer(errorWith(status))).toThrow(fault);
  const last = delta({ content: '' }, 'error', errorWith(status));
  expect(() => folded(delta({ content: 'x' }), last)).toThrow(fault);
});

test('passes on the upstream provider’s error, bounded and without keys', () => {
  const raw = `Bad key sk-live-1234567890 ${'word '.repeat(1_000)}`;
  const error = { code: 429, message: 'No.', metadata: { provider_name: 'Acme', raw } };
  const { provider } = openrouter.error(429, {}, { error });
  expect(provider).toMatchObject({ id: 'openrouter', status: 429, code: '429' });
  expect(provider?.details?.provider_name).toBe('Acme');
  expect(provider?.details?.raw).toMatch(/^Bad key \[key\] word /);
  expect(provider?.details?.raw).toHaveLength(4_000);
});

test('treats finish reason error as a fault', () => {
  expect(() => choice({ content: 'x' }, { finish_reason: 'error' })).toThrow(
    expect.objectContaining({ code: 'upstream_error' }),
  );
});
