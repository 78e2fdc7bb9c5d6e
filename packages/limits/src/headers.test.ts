import { expect, test } from 'vitest';
import { anthropicLimits, joinedLimits, requestHeaders, tokenHeaders } from './headers.ts';

const requests = requestHeaders({ limit: 100, remaining: 50, resetMs: 29_100 });
const tokens = tokenHeaders({ limit: 60_000, remaining: 0, resetMs: 350 });

test('requests per minute have the headers of both forms of the draft, and those of OpenAI', () => {
  expect(requests).toEqual({
    'ratelimit-limit': '100',
    'ratelimit-remaining': '50',
    'ratelimit-reset': '30',
    'ratelimit-policy': '"requests";q=100;w=60',
    ratelimit: '"requests";r=50;t=30',
    'x-ratelimit-limit-requests': '100',
    'x-ratelimit-remaining-requests': '50',
    'x-ratelimit-reset-requests': '29.1s',
  });
});

test('tokens per minute have the headers of the draft and of OpenAI', () => {
  expect(tokens).toEqual({
    'ratelimit-policy': '"tokens";q=60000;qu="tokens";w=60',
    ratelimit: '"tokens";r=0;t=1',
    'x-ratelimit-limit-tokens': '60000',
    'x-ratelimit-remaining-tokens': '0',
    'x-ratelimit-reset-tokens': '350ms',
  });
});

test('limits of both are joined into one list', () => {
  expect(joinedLimits(requests, tokens)).toEqual({
    'ratelimit-policy': '"requests";q=100;w=60, "tokens";q=60000;qu="tokens";w=60',
    ratelimit: '"requests";r=50;t=30, "tokens";r=0;t=1',
  });
  expect([joinedLimits(requests, {}), joinedLimits({}, tokens)]).toEqual([{}, {}]);
});

test('Anthropic’s API has the same limits with the times of their resets', () => {
  const now = Date.parse('2026-11-26T12:00:00.500Z');
  expect(anthropicLimits({ ...requests, ...tokens }, now)).toEqual({
    'anthropic-ratelimit-requests-limit': '100',
    'anthropic-ratelimit-requests-remaining': '50',
    'anthropic-ratelimit-requests-reset': '2026-11-26T12:00:30Z',
    'anthropic-ratelimit-tokens-limit': '60000',
    'anthropic-ratelimit-tokens-remaining': '0',
    'anthropic-ratelimit-tokens-reset': '2026-11-26T12:00:01Z',
  });
  expect(anthropicLimits({}, now)).toEqual({});
});
