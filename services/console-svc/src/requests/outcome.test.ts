import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { outcome } from './outcome.ts';

const badgesOf = (request: Parameters<typeof outcome>[0]): string[] =>
  [...render(outcome(request)).matchAll(/class="badge (\w+)">([^<]*)</g)].map(
    ([, tone = '', text = '']) => `${text}: ${tone}`,
  );

test.each<[Parameters<typeof outcome>[0], readonly string[]]>([
  [{ status: 200, outcomes: ['ok'] }, ['200: good']],
  [{ status: 200, outcomes: ['ok', 'failed_over', 'rescued'] }, ['200: good', 'failed over: warn']],
  [{ status: 200, outcomes: ['ok', 'cached'] }, ['200: good', 'cached: plain']],
  [{ status: 502, outcomes: ['failed', 'failed_over'] }, ['502: bad']],
  [{ status: 499, outcomes: ['client_left', 'failed_over'] }, ['client left: warn', 'failed over: warn']],
  [{ status: 429, outcomes: ['refused'] }, ['429: warn']],
  [{ status: 499, outcomes: ['client_left'] }, ['client left: warn']],
  [{ outcomes: ['failed'] }, ['failed: bad']],
  [{ status: 200, outcomes: ['ok', 'of another version'] }, ['200: good']],
  [{ status: 200 }, ['200: plain']],
])('%j has the badges %j', (request, badges) => {
  expect(badgesOf(request)).toEqual(badges);
});
