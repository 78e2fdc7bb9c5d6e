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

test('applies a fault to its provider until it is cleared', async () => {
  const order = { provider: 'sandbox-a', fault: 'status:503' };
  expect(await control('POST', 'faults', order)).toEqual({ status: 201, body: order });
  expect([await statusOf('sandbox-a'), await statusOf('sandbox-a'), await statusOf('sandbox-b')]).toEqual([
    503, 503, 200,
  ]);
  expect((await control('DELETE', 'faults')).status).toBe(204);
  expect(await statusOf('sandbox-a')).toBe(200);
});

test('applies a fault the requested number of times', async () => {
  await control('POST', 'faults', { provider: 'sandbox-a', fault: 'status:503', times: 2 });
  expect([await statusOf('sandbox-a'), (await control('GET', 'state')).body.faults]).toEqual([
    503,
    [{ provider: 'sandbox-a', fault: 'status:503', times: 1 }],
  ]);
  expect([await statusOf('sandbox-a'), await statusOf('sandbox-a')]).toEqual([503, 200]);
});

test('applies a fault to one model', async () => {
  await control('POST', 'faults', { model: 'sandbox-fast', fault: 'status:500' });
  expect([await statusOf('sandbox-a', 'sandbox-fast'), await statusOf('sandbox-a')]).toEqual([500, 200]);
});

test('replaces a fault for the same target and prefers the newest match', async () => {
  simulator.faults.set({ provider: 'sandbox-a', fault: 'status:500' });
  simulator.faults.set({ provider: 'sandbox-a', fault: 'status:502' });
  expect(simulator.faults.list()).toEqual([{ provider: 'sandbox-a', fault: 'status:502' }]);
  simulator.faults.set({ fault: 'status:503', times: 1 });
  expect([await statusOf('sandbox-a'), await statusOf('sandbox-a')]).toEqual([503, 502]);
});

test('lists models while chats fail', async () => {
  simulator.faults.set({ fault: 'status:500' });
  expect((await ask({ url: `${simulator.baseUrl('sandbox-a')}/models`, method: 'GET' })).status).toBe(200);
});

test('returns recorded requests and clears them on request', async () => {
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
])('refuses the invalid fault %j', async (order, message) => {
  const { status, body } = await control('POST', 'faults', order);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
  expect(simulator.faults.list()).toEqual([]);
});

test.each(['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'cookie', 'x-amz-security-token'])(
  'redacts the value of %s',
  async (name) => {
    const body = { model: 'sandbox-chat', messages: [] };
    const url = `${simulator.baseUrl('sandbox-a')}/chat/completions`;
    await ask({ url, body, headers: { [name]: 'a-secret', 'x-other': 'shown' } });
    const { requests } = (await control('GET', 'requests')).body;
    expect(requests[0].headers).toMatchObject({ [name]: '[redacted]', 'x-other': 'shown' });
    expect(simulator.requests[0]?.headers[name]).toBe('a-secret');
  },
);

const asHost = (host: string, path: string, method = 'GET') =>
  ask({ url: `${simulator.url}/control/${path}`, method, headers: { host } });

test.each(['localhost', 'localhost:4010', '127.0.0.1:4010', '[::1]:4010', '192.168.1.7:4010'])(
  'answers as %s',
  async (host) => expect((await asHost(host, 'state')).status).toBe(200),
);

test.each(['attacker.example', 'attacker.example:4010', 'localhost.attacker.example', '127.0.0.1.nip.io', 'a b'])(
  'refuses the foreign host name %s',
  async (host) => {
    for (const [method, path] of [
      ['GET', 'requests'],
      ['DELETE', 'faults'],
    ] as const) {
      const { status, text } = await asHost(host, path, method);
      expect([status, text]).toEqual([403, expect.stringContaining('localhost')]);
    }
  },
);

test('accepts a configured host name', async () => {
  const named = await startSandbox({ host: 'localhost', controlHosts: ['sandbox'] });
  const statusOf = async (host: string) =>
    (await ask({ url: `${named.url}/control/state`, method: 'GET', headers: { host } })).status;
  expect([await statusOf('sandbox:4010'), await statusOf('other')]).toEqual([200, 403]);
  await named.close();
});

test('lists the known routes for an unknown one', async () => {
  expect(await control('PUT', 'faults')).toEqual({
    status: 404,
    body: { error: { message: expect.stringContaining('POST /control/faults') } },
  });
});
