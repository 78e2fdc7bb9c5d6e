import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ImageBench, imageModelEntry, startImageBench } from './testing/image-bench.ts';

const byImage = imageModelEntry();
const byToken = imageModelEntry({
  id: 'by-token',
  offers: byImage.offers.map((offer) => ({ ...offer, pricing: { prompt: '0.000001', completion: '0.00001' } })),
});

let bench: ImageBench;
beforeAll(async () => {
  const catalogue = { version: '1', models: [byImage, byToken] };
  bench = await startImageBench({ environment: { CACHE_TTL_SECONDS: '0' }, catalogue });
});
afterAll(() => bench.close());

test.each([
  ['by the image: n times its price', byImage.id, { cost: '0.08', costs: { images: '0.08' } }],
  ['by their tokens: as many as images usually have', byToken.id, { cost: '0.040002' }],
])('images whose client leaves while they are made are billed %s', async (_name, model, expected) => {
  const before = bench.usage.length;
  bench.simulator.faults.set({ fault: 'hang' });
  const leaving = new AbortController();
  const principal = { accountId: 'account', keyId: 'key' };
  const answer = bench.generate({ model, prompt: 'a lamp', n: 2 }, { principal, signal: leaving.signal });
  await bench.simulator.waitFor(({ requests }) => requests.some(({ outcome }) => outcome === 'open'));
  leaving.abort();
  expect((await answer).error?.code).toBe('client_closed_request');
  await expect.poll(() => bench.usage.length).toBe(before + 1);
  expect(bench.usage.at(-1)).toMatchObject({
    source: 'estimated',
    images: 0,
    endReason: 'client_gone',
    ...expected,
  });
  bench.simulator.reset();
});
