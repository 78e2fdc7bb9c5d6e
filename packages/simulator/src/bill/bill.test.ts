import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keyLabel, type SimulatedVendors, startSimulator } from '../index.ts';

let simulator: SimulatedVendors;
beforeAll(async () => {
  simulator = await startSimulator({
    chunksPerSecond: 0,
    prices: { 'sandbox-a': { 'sandbox-chat': { tokens: { input: '1', output: '1000' }, tiers: { flex: '0.5' } } } },
  });
});
afterAll(() => simulator.close());
beforeEach(() => simulator.reset());

const headersOf = (secret: string, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${secret}`,
  'content-type': 'application/json',
  ...more,
});

async function ask(content: string, { secret = 'secret', headers = {}, ...more } = {}): Promise<string> {
  const response = await fetch(`${simulator.baseUrl('sandbox-a')}/chat/completions`, {
    method: 'POST',
    headers: headersOf(secret, headers),
    body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content }], ...more }),
  });
  return response.text();
}

const day = new Date().toISOString().slice(0, 10);
const lineOf = { day, vendor: 'sandbox-a', model: 'sandbox-chat', geo: undefined };

test('is kept by day, vendor, key, model, class and tier', async () => {
  await ask('[words:4] 1234');
  await ask('[words:4] 5678');
  await ask('[words:4] 1234', { secret: 'other', service_tier: 'flex' } as object);
  const lines = simulator.bill.lines();
  expect(lines).toEqual([
    { ...lineOf, key: keyLabel('secret'), of: 'input', tier: 'default', requests: 2, count: 8, dollars: '0.000008' },
    { ...lineOf, key: keyLabel('secret'), of: 'output', tier: 'default', requests: 2, count: 10, dollars: '0.01' },
    { ...lineOf, key: keyLabel('other'), of: 'input', tier: 'flex', requests: 1, count: 4, dollars: '0.000002' },
    { ...lineOf, key: keyLabel('other'), of: 'output', tier: 'flex', requests: 1, count: 5, dollars: '0.0025' },
  ]);
});

describe('of a request', () => {
  const outputOf = (received: Parameters<typeof simulator.bill.itemsOf>[0] | undefined) =>
    received && simulator.bill.itemsOf(received).find(({ of }) => of === 'output')?.count;

  test.each(['status:500', 'reset', 'cut:80', 'error-in-200', 'error-in-200;body=json', 'error-mid-stream'])(
    'that failed with %s is empty',
    async (fault) => {
      await ask('[words:40]', { headers: { 'x-sim-fault': fault }, stream: true } as object).catch(() => '');
      const received = await simulator.waitFor(({ requests }) => requests.find(({ outcome }) => outcome !== 'open'));
      expect(simulator.bill.itemsOf(received)).toEqual([]);
    },
  );

  test('without usage in its answer is whole', async () => {
    await ask('[words:40]', { headers: { 'x-sim-fault': 'no-usage' } });
    expect(outputOf(simulator.requests[0])).toBe(47);
  });

  test('whose client left has the whole prompt, and what was sent of the answer', async () => {
    const leaving = new AbortController();
    const response = await fetch(`${simulator.baseUrl('sandbox-a')}/chat/completions`, {
      method: 'POST',
      headers: headersOf('secret', { 'x-sim-fault': 'drip:20' }),
      body: JSON.stringify({
        model: 'sandbox-chat',
        messages: [{ role: 'user', content: '[words:400]' }],
        stream: true,
      }),
      signal: leaving.signal,
    });
    await response.body?.getReader().read();
    leaving.abort();
    const received = await simulator.waitFor(({ aborted }) => aborted[0]);
    const { all, sent } = received.contentPieces ?? { all: 0, sent: 0 };
    expect([all, sent < 100]).toEqual([400, true]);
    const [input, output] = simulator.bill.itemsOf(received);
    expect(input).toMatchObject({ of: 'input', count: 3 });
    const whole = received.metered?.counts.find(({ of }) => of === 'output')?.count ?? 0;
    expect(output?.count ?? 0).toBe(Math.ceil((whole * sent) / all));
  });
});

test('has further lines that were added', async () => {
  const line = { ...lineOf, key: 'none', of: 'input', tier: 'default', requests: 1, count: 5, dollars: '0.5' } as const;
  simulator.bill.add(line);
  simulator.bill.add({ ...line, dollars: '0.25' });
  expect(simulator.bill.lines().at(-1)).toEqual({ ...line, requests: 2, count: 10, dollars: '0.75' });
});
