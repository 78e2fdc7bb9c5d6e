import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { xai } from './chat.ts';

const { sent, unsupported, usage, folded, answer, failure } = vendorOf(xai);

test('returns thinking as reasoning_content', () => {
  expect(folded(delta({ reasoning_content: 'hm' }), delta({ content: 'x' }, 'stop')).choices[0]?.message).toMatchObject(
    {
      content: 'x',
      reasoning_content: 'hm',
    },
  );
});

test('adds reasoning tokens, counted separately, to the completion', () => {
  const counts = { prompt_tokens: 32, completion_tokens: 9, total_tokens: 135 };
  expect(usage({ ...counts, completion_tokens_details: { reasoning_tokens: 94 } })).toEqual({
    ...counts,
    completion_tokens: 103,
    completion_tokens_details: { reasoning_tokens: 94 },
  });
});

test('keeps a completion that already includes the reasoning', () => {
  const counts = { prompt_tokens: 32, completion_tokens: 103, total_tokens: 135 };
  expect(usage({ ...counts, completion_tokens_details: { reasoning_tokens: 94 } })?.completion_tokens).toBe(103);
});

test('caps cached tokens at the prompt’s', () => {
  const counts = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };
  expect(usage({ ...counts, prompt_tokens_details: { cached_tokens: 8 } })?.prompt_tokens_details).toEqual({
    cached_tokens: 5,
  });
});

test('converts ten thousand million ticks to a dollar', () => {
  const counts = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  expect(usage({ ...counts, num_sources_used: 0, cost_in_usd_ticks: 15_000_000 })).toEqual({ ...counts, cost: 0.0015 });
});

test('sends reasoning models no penalties and refuses unsupported stop texts', () => {
  const request = { presence_penalty: 1, frequency_penalty: 1, temperature: 1 };
  expect(sent(request, { reasoning: true })).toEqual({ temperature: 1 });
  expect(sent(request)).toEqual(request);
  expect([unsupported({ stop: 'x' }, { reasoning: true }), unsupported({ stop: 'x' })]).toEqual(['stop', undefined]);
});

test.each([
  ['grok-4.3', 'max' as const, { reasoning_effort: 'high' }],
  ['grok-4.3', 'none' as const, { reasoning_effort: 'none' }],
  ['grok-4.20-0309-reasoning', 'high' as const, {}],
])('effort of %s, asked for %s', (modelName, reasoning_effort, expected) => {
  expect(sent({ reasoning_effort }, { modelName })).toEqual(expected);
});

test.each([
  [{ code: 'Client specified an invalid argument', error: 'stop is not supported.' }, 'stop is not supported.'],
  [
    { error: { message: 'stop is not supported.', type: 'invalid_request_error', code: null } },
    'stop is not supported.',
  ],
])('reads errors that are a text or an object', (body, message) => {
  expect(failure(400, body)).toEqual({ code: 'invalid_parameters', status: 400, domain: 'caller', message });
});

test('treats a wrong key with status 400 as a provider fault', () => {
  const body = { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***23.' };
  expect(failure(400, body)).toMatchObject({ code: 'upstream_auth', status: 502, domain: 'provider' });
});

test('returns citations as annotations and keeps the original member', () => {
  const citations = ['https://a.example', 'https://b.example'];
  const annotations = citations.map((url) => ({
    type: 'url_citation',
    url_citation: { start_index: 0, end_index: 0, title: url, url },
  }));
  const whole = folded(delta({ content: 'x' }), delta({}, 'stop', { citations }));
  expect(whole).toMatchObject({ citations, choices: [{ message: { annotations } }] });
  expect(answer({ choices: [{ message: { content: 'x' } }], citations })).toMatchObject({
    citations,
    choices: [{ message: { annotations } }],
  });
});
