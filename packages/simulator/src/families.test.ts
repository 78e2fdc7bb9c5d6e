import { ask } from '@tallyport/sandbox/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startSimulator, type Simulator } from './index.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0 });
});
afterEach(() => simulator.reset());
afterAll(() => simulator.close());

test('a script uses the error format of its family', async () => {
  simulator.scripts.set({ provider: 'anthropic', steps: [{ forMs: 60_000, status: 529 }] });
  const { status, text } = await ask({
    url: `${simulator.url}/anthropic/v1/messages`,
    headers: { 'x-api-key': 'any', 'anthropic-version': '2023-06-01' },
    body: { model: 'claude-sonnet-4-5', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] },
  });
  expect([status, JSON.parse(text).error]).toEqual([529, { type: 'overloaded_error', message: 'Overloaded' }]);
});

test('the page shows a family after its first request', async () => {
  await ask({ url: `${simulator.url}/anthropic/v1/messages`, body: {} });
  const { text } = await ask({ url: `${simulator.url}/control`, method: 'GET' });
  const card = text.split('<section').find((section) => section.includes('id="anthropic"'));
  expect(card).toContain('401');
});
