import { offerOf } from '@tallyport/contracts/testing';
import { describe, expect, test } from 'vitest';
import { largerUsage } from './larger-usage.ts';
import { soundUsage, usageBounds } from './sound-usage.ts';

const usageOf = (prompt: number, completion: number, more: object = {}) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  ...more,
});
const bounds = { prompt: 1_000, completion: 100 };

describe('a vendor’s figures', () => {
  test.each([
    ['at the limits', usageOf(1_000, 100), 1],
    ['at the limits of two choices', usageOf(1_000, 200), 2],
  ])('%s are not changed', (_name, usage, choices) => {
    expect(soundUsage(usage, bounds, choices)).toEqual({ usage, adjusted: false });
  });

  test.each([
    ['one token of prompt beyond', usageOf(1_001, 100), 1, usageOf(1_000, 100)],
    ['one token of answer beyond', usageOf(1_000, 101), 1, usageOf(1_000, 100)],
    ['one token beyond two choices', usageOf(1_000, 201), 2, usageOf(1_000, 200)],
    ['absurd', usageOf(1e300, 1e300, { cost: 5 }), 1, usageOf(1_000, 100)],
    ['an absurd sum', { ...usageOf(5, 5), total_tokens: 1e300 }, 1, usageOf(5, 5)],
    [
      'an absurd part',
      usageOf(5, 5, { completion_tokens_details: { reasoning_tokens: 1e300, audio_tokens: 1 } }),
      1,
      usageOf(5, 5, { completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 1 } }),
    ],
  ])('%s are cut to the maximum of the model', (_name, usage, choices, expected) => {
    expect(soundUsage(usage, bounds, choices)).toEqual({ usage: expected, adjusted: true });
  });

  test('are bounded by the offer, else the model, else its context, else a general maximum', () => {
    expect(usageBounds({ contextLength: 10, maxOutput: 5 }, { contextLength: 8, maxOutput: 4 })).toEqual({
      prompt: 8,
      completion: 4,
    });
    expect(usageBounds({ contextLength: 10, maxOutput: 5 }, {})).toEqual({ prompt: 10, completion: 5 });
    expect(usageBounds({ contextLength: 10 }, {})).toEqual({ prompt: 10, completion: 10 });
    expect(usageBounds({}, {})).toEqual({ prompt: 10_000_000, completion: 1_000_000 });
  });
});

describe('the usage of an answer that ended early', () => {
  const offer = offerOf('a', { pricing: { prompt: '0.000001', completion: '0.00001' } });

  test('is the larger of the reported and the counted value per class', () => {
    expect(largerUsage(usageOf(90, 1), usageOf(100, 50), offer)).toEqual(usageOf(100, 50));
    const thinking = { completion_tokens_details: { reasoning_tokens: 60 } };
    expect(largerUsage(usageOf(110, 70, thinking), usageOf(100, 50), offer)).toEqual(usageOf(110, 70, thinking));
    const images = { completion_tokens_details: { image_tokens: 2_000 } };
    expect(largerUsage(usageOf(90, 1), usageOf(100, 2_000, images), offer)).toEqual(usageOf(100, 2_000, images));
    expect(largerUsage(undefined, usageOf(100, 50), offer)).toEqual(usageOf(100, 50));
  });

  test('keeps the vendor’s cost unless that covers only a part', () => {
    expect(largerUsage(usageOf(100, 0, { cost: 0.0001 }), usageOf(100, 10), offer)).toEqual(usageOf(100, 10));
    const dear = usageOf(100, 10, { cost: 0.0002 });
    expect(largerUsage(dear, usageOf(100, 10), offer)).toEqual(dear);
  });
});
