import { expect, test } from 'vitest';
import { openAiUsage } from './usage.ts';

test.each<[string, unknown, unknown]>([
  [
    'plain',
    { usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } },
    { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  ],
  [
    'computes a missing total',
    { usage: { prompt_tokens: 3, completion_tokens: 4 } },
    { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  ],
  ['only the prompt', { usage: { prompt_tokens: 3 } }, { prompt_tokens: 3, completion_tokens: 0, total_tokens: 3 }],
  [
    'details, without null ones',
    {
      usage: {
        prompt_tokens: 9,
        completion_tokens: 4,
        prompt_tokens_details: { cached_tokens: 5, audio_tokens: null },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    },
    {
      prompt_tokens: 9,
      completion_tokens: 4,
      total_tokens: 13,
      prompt_tokens_details: { cached_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
  ],
  [
    'caps cached tokens at the prompt’s',
    { usage: { prompt_tokens: 3, completion_tokens: 0, cached_tokens: 5 } },
    { prompt_tokens: 3, completion_tokens: 0, total_tokens: 3, prompt_tokens_details: { cached_tokens: 3 } },
  ],
  [
    'usage inside the choice',
    { choices: [{ usage: { prompt_tokens: 1, completion_tokens: 1 } }] },
    { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  ],
  ['null', { usage: null }, undefined],
  ['no numbers', { usage: { prompt_tokens: 'many', completion_tokens: -1 } }, undefined],
  ['none', {}, undefined],
])('%s', (_name, body, expected) => {
  expect(openAiUsage({ ...Object(body) }, {})).toEqual(expected);
});

test('applies the quirks for place and counts', () => {
  const body = { extra: { usage: { prompt_tokens: 1, completion_tokens: 2, thought: 3 } } };
  const usage = openAiUsage(body, {
    usageOf: ({ extra }) => Object(extra).usage,
    usage: (usageSoFar, raw) => ({
      ...usageSoFar,
      completion_tokens: usageSoFar.completion_tokens + Number(raw.thought),
    }),
  });
  const unknown_classes = ['thought'];
  expect(usage).toEqual({ prompt_tokens: 1, completion_tokens: 5, total_tokens: 3, unknown_classes });
});
