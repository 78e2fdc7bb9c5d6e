import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { openrouter } from './chat.ts';

const { sent, usage, folded, choice, answer, failure } = vendorOf(openrouter);
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' }, index: 0 };
const reasoning_details = [{ type: 'reasoning.text', text: 'hm', signature: 's', format: 'anthropic-claude-v1' }];

test('members of its own pass, ours that it knows too', () => {
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

test('members of its answer survive', () => {
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

test('the same in a stream, with images, between comments', () => {
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

test('details of thinking go back, our text of them does not', () => {
  const messages = [{ role: 'assistant' as const, content: 'x', reasoning_content: 'hm', reasoning_details }];
  expect(sent({ messages }).messages).toEqual([{ role: 'assistant', content: 'x', reasoning_details }]);
});

test('what it cost', () => {
  const told = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  expect(usage({ ...told, cost: 0.00014, cost_details: { upstream_inference_cost: null } })).toEqual({
    ...told,
    cost: 0.00014,
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
])('%i as a status, in a good answer, and in a chunk', (status, code, domain) => {
  expect(failure(status, errorWith(status))).toMatchObject({ code, domain });
  const fault = expect.objectContaining({ code, domain });
  expect(() => answer(errorWith(status))).toThrow(fault);
  const last = delta({ content: '' }, 'error', errorWith(status));
  expect(() => folded(delta({ content: 'x' }), last)).toThrow(fault);
});

test('a finish reason of error alone is a fault too', () => {
  expect(() => choice({ content: 'x' }, { finish_reason: 'error' })).toThrow(
    expect.objectContaining({ code: 'upstream_error' }),
  );
});
