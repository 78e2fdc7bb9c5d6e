import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { xai } from './chat.ts';

const { sent, unsupported, usage, folded, answer, failure } = vendorOf(xai);

test('thinking is reasoning_content', () => {
  expect(folded(delta({ reasoning_content: 'hm' }), delta({ content: 'x' }, 'stop')).choices[0]?.message).toMatchObject(
    {
      content: 'x',
      reasoning_content: 'hm',
    },
  );
});

test('reasoning is counted beside the completion, and becomes part of it', () => {
  const told = { prompt_tokens: 32, completion_tokens: 9, total_tokens: 135 };
  expect(usage({ ...told, completion_tokens_details: { reasoning_tokens: 94 } })).toEqual({
    ...told,
    completion_tokens: 103,
    completion_tokens_details: { reasoning_tokens: 94 },
  });
});

test('a completion that already holds the reasoning stays as it is', () => {
  const told = { prompt_tokens: 32, completion_tokens: 103, total_tokens: 135 };
  expect(usage({ ...told, completion_tokens_details: { reasoning_tokens: 94 } })?.completion_tokens).toBe(103);
});

test('more cached than prompted is all of the prompt', () => {
  const told = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };
  expect(usage({ ...told, prompt_tokens_details: { cached_tokens: 8 } })?.prompt_tokens_details).toEqual({
    cached_tokens: 5,
  });
});

test('ten thousand million ticks are a dollar', () => {
  const told = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  expect(usage({ ...told, num_sources_used: 0, cost_in_usd_ticks: 15_000_000 })).toEqual({ ...told, cost: 0.0015 });
});

test('reasoning models get no penalties, and are not asked to stop where they cannot', () => {
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
])('errors as a text or an object', (body, message) => {
  expect(failure(400, body)).toEqual({ code: 'invalid_parameters', status: 400, domain: 'caller', message });
});

test('a wrong key told with 400 is our fault, not the client’s', () => {
  const body = { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***23.' };
  expect(failure(400, body)).toMatchObject({ code: 'upstream_auth', status: 502, domain: 'provider' });
});

test('citations of a search are annotations, and stay where they were', () => {
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
