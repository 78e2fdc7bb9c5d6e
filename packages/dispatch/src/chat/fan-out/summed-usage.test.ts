import type { Usage } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { summedUsage } from './summed-usage.ts';

const counts = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
const summed = (...changes: Partial<Usage>[]): Usage => summedUsage(changes.map((each) => ({ ...counts, ...each })));

test('calls of one request keep the place and the tier that one of them names', () => {
  const both = { prompt_tokens: 20, completion_tokens: 4, total_tokens: 24 };
  expect(summed({ inference_geo: 'us' }, { inference_geo: 'us' })).toEqual({ ...both, inference_geo: 'us' });
  expect(summed({}, { inference_geo: 'us', service_tier: 'fast' })).toEqual({
    ...both,
    inference_geo: 'us',
    service_tier: 'fast',
  });
  expect(summed({}, {})).toEqual(both);
});

test('the model ran as often as in all calls', () => {
  expect(summed({ iterations: 3 }, {}).iterations).toBe(4);
  expect(summed({ iterations: 3 }, { iterations: 2 }).iterations).toBe(5);
});
