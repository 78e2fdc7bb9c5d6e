import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatedEdge, openGatedEdge } from '../testing/gated-edge.ts';

let edge: GatedEdge;
beforeAll(async () => {
  edge = await openGatedEdge();
});
afterAll(() => edge.stop());

/** The key has one chat a minute. */
async function headersOf(path: string): Promise<[number, Record<string, string>]> {
  const answer = await fetch(`http://127.0.0.1:${edge.port}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': 'spent', 'content-type': 'application/json' },
    body: '{}',
  });
  return [answer.status, Object.fromEntries([...answer.headers].filter(([name]) => name.includes('ratelimit')))];
}

const ofAll = {
  'ratelimit-limit': '1',
  'ratelimit-remaining': '0',
  'ratelimit-reset': expect.stringMatching(/^\d\d$/),
  'ratelimit-policy': '"requests";q=1;w=60',
  ratelimit: expect.stringMatching(/^"requests";r=0;t=\d\d$/),
  'x-ratelimit-limit-requests': '1',
  'x-ratelimit-remaining-requests': '0',
  'x-ratelimit-reset-requests': expect.stringMatching(/^\d\d(\.\d)?s$/),
};

test('answers and refusals have the headers of the draft in both forms and of OpenAI, Messages also Anthropic’s', async () => {
  expect(await headersOf('/v1/chat/completions')).toEqual([200, ofAll]);
  expect(await headersOf('/v1/chat/completions')).toEqual([429, ofAll]);
  const [status, headers] = await headersOf('/v1/messages');
  expect([status, headers]).toEqual([
    429,
    {
      ...ofAll,
      'anthropic-ratelimit-requests-limit': '1',
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    },
  ]);
  const reset = Date.parse(headers['anthropic-ratelimit-requests-reset'] ?? '') - Date.now();
  expect(reset).toBeGreaterThan(50_000);
  expect(reset).toBeLessThan(62_000);
});
