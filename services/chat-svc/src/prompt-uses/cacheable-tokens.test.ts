import { offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import { cacheableTokens } from './cacheable-tokens.ts';

const pricing = { prompt: '0.000005', input_cache_read: '0.0000005' };
const claude = offerOf('anthropic', { modelName: 'claude-opus-4-8', pricing });
const text = 'x'.repeat(96);
/** Half of the text was sent by the turn before. */
const request = {
  model: 'm',
  messages: [
    { role: 'user' as const, content: 'x'.repeat(196) },
    { role: 'assistant' as const, content: 'x'.repeat(91) },
    { role: 'user' as const, content: text },
  ],
};
const usageOf = (prompt: number, prompt_tokens_details = {}) => ({
  prompt_tokens: prompt,
  completion_tokens: 1,
  total_tokens: prompt + 1,
  prompt_tokens_details,
});

test('counts what the turn before had sent, from the length that is cached', () => {
  const of = (prompt: number) => cacheableTokens(request, { served: claude, usage: usageOf(prompt) });
  expect([of(2_048), of(2_047)]).toEqual([1_024, 0]);
});

test('counts nothing where the cache was used, needs no marks, or nothing was repeated', () => {
  const usage = usageOf(9_000);
  expect([
    cacheableTokens(request, { served: claude, usage: usageOf(9_000, { cached_tokens: 1 }) }),
    cacheableTokens(request, { served: claude, usage: usageOf(9_000, { cache_write_tokens: 1 }) }),
    cacheableTokens(request, { served: offerOf('openai', { pricing }), usage }),
    cacheableTokens({ ...request, messages: request.messages.slice(0, 1) }, { served: claude, usage }),
    cacheableTokens(request, { served: undefined, usage }),
    cacheableTokens(request, { served: claude, usage: undefined }),
  ]).toEqual([0, 0, 0, 0, 0, 0]);
});
