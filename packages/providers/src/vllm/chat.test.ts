import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { vllm } from './chat.ts';

const { sent, folded, answer, failure } = vendorOf(vllm);

test('passes on its own members', () => {
  const extras = { top_k: 5, structured_outputs: { json: {} }, chat_template_kwargs: { enable_thinking: false } };
  expect(sent({ ...extras, min_tokens: 1, ignore_eos: true })).toEqual({ ...extras, min_tokens: 1, ignore_eos: true });
});

test('leaves out nulls', () => {
  const choices = [{ index: 0, message: { content: 'x' }, finish_reason: 'stop', stop_reason: null }];
  const whole = answer({ id: 'a', choices, prompt_logprobs: null, kv_transfer_params: null });
  expect(Object.keys(whole).toSorted()).toEqual(['choices', 'created', 'id', 'model', 'object']);
  expect(whole.choices[0]).not.toHaveProperty('stop_reason');
});

test.each([
  ['reasoning_content', [{ reasoning_content: 'hm' }, { content: 'x' }]],
  ['reasoning', [{ reasoning: 'hm' }, { content: 'x' }]],
  ['tags', [{ content: '<think>hm</think>' }, { content: 'x' }]],
])('thinking by %s', (_name, deltas) => {
  const whole = folded(...deltas.map((said) => delta(said)), delta({}, 'stop'));
  expect(whole.choices[0]?.message).toMatchObject({ content: 'x', reasoning_content: 'hm' });
});

test('returns usage that grows with every chunk once', () => {
  const usage = (completion: number) => ({
    prompt_tokens: 3,
    completion_tokens: completion,
    total_tokens: 3 + completion,
  });
  const whole = folded(delta({ content: 'x' }, null, { usage: usage(1) }), delta({}, 'stop', { usage: usage(2) }));
  expect(whole.usage).toEqual(usage(2));
});

const tooLong = {
  message: 'This model’s maximum context length is 8 tokens.',
  type: 'BadRequestError',
  param: null,
  code: 400,
};

test.each([
  ['under error', { error: tooLong }],
  ['at top level', { object: 'error', ...tooLong }],
])('errors %s', (_name, body) => {
  expect(failure(400, body)).toMatchObject({ code: 'context_length_exceeded', status: 400, domain: 'caller' });
});
