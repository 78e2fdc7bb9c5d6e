import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox } from './sandbox.ts';
import type { Simulator } from './simulation.ts';
import { ask } from './testing/raw-client.ts';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSandbox({ chunksPerSecond: 0 });
});
afterAll(() => simulator.close());
beforeEach(() => simulator.reset());

async function control(method: string, path: string, body?: unknown) {
  const { status, text } = await ask({ url: `${simulator.url}/control/${path}`, method, body });
  return { status, body: text === '' ? undefined : JSON.parse(text) };
}

async function statusOf(provider: string, model = 'sandbox-chat') {
  const body = { model, messages: [{ role: 'user', content: 'Hi' }] };
  return (await ask({ url: `${simulator.baseUrl(provider)}/chat/completions`, body })).status;
}

test('a fault strikes its provider until it is cleared', async () => {
  const order = { provider: 'sandbox-a', fault: 'status:503' };
  expect(await control('POST', 'faults', order)).toEqual({ status: 201, body: order });
  expect([await statusOf('sandbox-a'), await statusOf('sandbox-a'), await statusOf('sandbox-b')]).toEqual([
    503, 503, 200,
  ]);
  expect((await control('DELETE', 'faults')).status).toBe(204);
  expect(await statusOf('sandbox-a')).toBe(200);
});

test('a fault strikes as many times as ordered', async () => {
  await control('POST', 'faults', { provider: 'sandbox-a', fault: 'status:503', times: 2 });
  expect([await statusOf('sandbox-a'), (await control('GET', 'state')).body.faults]).toEqual([
    503,
    [{ provider: 'sandbox-a', fault: 'status:503', times: 1 }],
  ]);
  expect([await statusOf('sandbox-a'), await statusOf('sandbox-a')]).toEqual([503, 200]);
});

test('a fault can be meant for one model', async () => {
  await control('POST', 'faults', { model: 'sandbox-fast', fault: 'status:500' });
  expect([await statusOf('sandbox-a', 'sandbox-fast'), await statusOf('sandbox-a')]).toEqual([500, 200]);
});

test('a second order for the same target replaces the first; the newest that fits wins', async () => {
  simulator.faults.set({ provider: 'sandbox-a', fault: 'status:500' });
  simulator.faults.set({ provider: 'sandbox-a', fault: 'status:502' });
  expect(simulator.faults.list()).toEqual([{ provider: 'sandbox-a', fault: 'status:502' }]);
  simulator.faults.set({ fault: 'status:503', times: 1 });
  expect([await statusOf('sandbox-a'), await statusOf('sandbox-a')]).toEqual([503, 502]);
});

test('models can still be listed while chats fail', async () => {
  simulator.faults.set({ fault: 'status:500' });
  expect((await ask({ url: `${simulator.baseUrl('sandbox-a')}/models`, method: 'GET' })).status).toBe(200);
});

test('tells what it has seen, and forgets it on demand', async () => {
  await statusOf('sandbox-c');
  const { body } = await control('GET', 'requests');
  expect(body.requests).toMatchObject([{ provider: 'sandbox-c', model: 'sandbox-chat', outcome: 'answered' }]);
  expect((await control('GET', 'state')).body.requests).toMatchObject({ open: 0 });
  await control('DELETE', 'requests');
  expect((await control('GET', 'requests')).body).toEqual({ requests: [] });
});

test.each([
  ['text', 'The body must be JSON'],
  [{ fault: 1 }, "'fault' must be a string"],
  [{ fault: 'nonsense' }, "There is no fault 'nonsense'"],
  [{ fault: 'hang', times: 0 }, "'times' must be a whole number from 1"],
  [{ fault: 'hang', provider: 1 }, "'provider' and 'model' must be strings"],
])('an order that makes no sense is refused: %j', async (order, message) => {
  const { status, body } = await control('POST', 'faults', order);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
  expect(simulator.faults.list()).toEqual([]);
});

test('an unknown command tells the known ones', async () => {
  expect(await control('PUT', 'faults')).toEqual({
    status: 404,
    body: { error: { message: expect.stringContaining('POST /control/faults') } },
  });
});
