import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSandbox } from '../sandbox.ts';
import type { Simulator } from '../simulation.ts';
import type { ScriptOrder } from './scripts.ts';
import { ask } from '../testing/raw-client.ts';
import { behaviourAt } from './behaviour.ts';
import { readScript } from './order.ts';

describe('a timeline', () => {
  const timeline = {
    steps: [
      { forMs: 100, uptime: [1, 0.6], latencyMs: [10, 30] },
      { forMs: 50, status: 429, retryAfter: 2 },
      { forMs: 50, chunksPerSecond: 5 },
    ],
  } as const;
  const usual = { uptime: 1, latencyMs: 0, chunksPerSecond: undefined, status: 503, retryAfter: undefined };

  test.each([
    [0, { ...usual, uptime: 1, latencyMs: 10 }],
    [50, { ...usual, uptime: 0.8, latencyMs: 20 }],
    [100, { ...usual, uptime: 0, status: 429, retryAfter: 2 }],
    [149, { ...usual, uptime: 0, status: 429, retryAfter: 2 }],
    [150, { ...usual, chunksPerSecond: 5 }],
    [199, { ...usual, chunksPerSecond: 5 }],
    [200, undefined],
  ])('after %d ms', (elapsedMs, expected) => {
    expect(behaviourAt(timeline, elapsedMs)).toEqual(expected);
  });

  test('starts again if it repeats', () => {
    const again = { ...timeline, repeat: true };
    expect([behaviourAt(again, 200), behaviourAt(again, 350)]).toEqual([
      behaviourAt(again, 0),
      behaviourAt(again, 150),
    ]);
  });
});

describe('a script', () => {
  let simulator: Simulator;
  let now = 0;

  beforeAll(async () => {
    simulator = await startSandbox({ chunksPerSecond: 0, seed: 7, clock: () => now });
  });
  afterAll(() => simulator.close());
  beforeEach(() => {
    now = 0;
    simulator.reset();
  });

  const chat = (path: string, members: object = {}) =>
    ask({
      url: `${simulator.url}/${path}`,
      body: { model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hi' }], ...members },
    });
  const statusOf = async (path = 'sandbox-a/v1/chat/completions') => (await chat(path)).status;
  const statuses = async (count: number) => {
    const seen: (number | undefined)[] = [];
    for (let index = 0; index < count; index += 1) seen.push(await statusOf());
    return seen;
  };

  test('fails the configured share, and the same requests each time', async () => {
    const order: ScriptOrder = { provider: 'sandbox-a', steps: [{ forMs: 1000, uptime: 0.6 }] };
    simulator.scripts.set(order);
    const first = await statuses(100);
    const failed = first.filter((status) => status === 503).length;
    expect(failed).toBeGreaterThan(30);
    expect(failed).toBeLessThan(50);
    simulator.scripts.set(order);
    expect(await statuses(100)).toEqual(first);
  });

  test('follows the clock and ends healthy', async () => {
    simulator.scripts.set({
      provider: 'sandbox-a',
      steps: [{ forMs: 100 }, { forMs: 100, status: 429, retryAfter: 2 }],
    });
    expect(await statusOf()).toBe(200);
    now = 100;
    const limited = await chat('sandbox-a/v1/chat/completions');
    expect([limited.status, limited.headers['retry-after']]).toEqual([429, '2']);
    expect(await statusOf('sandbox-b/v1/chat/completions')).toBe(200);
    now = 200;
    expect(await statusOf()).toBe(200);
  });

  test('delays the head and paces the stream', async () => {
    simulator.scripts.set({ provider: 'sandbox-a', steps: [{ forMs: 100, latencyMs: 40, chunksPerSecond: 500 }] });
    const { headMs, endMs, text } = await chat('sandbox-a/v1/chat/completions', { stream: true });
    expect(headMs).toBeGreaterThanOrEqual(38);
    expect(endMs - headMs).toBeGreaterThanOrEqual((text.split('\n\n').length - 4) * 2);
  });

  test('applies to one model and yields to an armed fault', async () => {
    simulator.scripts.set({ provider: 'sandbox-a', model: 'sandbox-fast', steps: [{ forMs: 100, status: 500 }] });
    expect(await statusOf()).toBe(200);
    expect((await chat('sandbox-a/v1/chat/completions', { model: 'sandbox-fast' })).status).toBe(500);
    simulator.faults.set({ provider: 'sandbox-a', fault: 'status:502' });
    expect((await chat('sandbox-a/v1/chat/completions', { model: 'sandbox-fast' })).status).toBe(502);
  });

  test('is set, listed and cleared over HTTP', async () => {
    const control = async (method: string, body?: object) => {
      const { status, text } = await ask({ url: `${simulator.url}/control/scripts`, method, body });
      return { status, body: text === '' ? undefined : JSON.parse(text) };
    };
    const order = { provider: 'sandbox-a', steps: [{ forMs: 100, uptime: [1, 0] }], repeat: true };
    expect(await control('POST', order)).toEqual({ status: 201, body: order });
    now = 50;
    const { body } = await control('GET');
    expect(body).toMatchObject({ scripts: [{ ...order, elapsedMs: 50, now: { uptime: 0.5 } }] });
    expect((await control('DELETE')).status).toBe(204);
    expect(await control('GET')).toEqual({ status: 200, body: { scripts: [] } });
    expect(await control('POST', { provider: 'a', steps: [] })).toMatchObject({ status: 400 });
  });
});

test.each<[unknown, string]>([
  [undefined, 'The body must be JSON'],
  [{ steps: [] }, "'provider' must be a string"],
  [{ provider: 'a', steps: [] }, "'steps' must be a list of 1 to 1000 steps"],
  [{ provider: 'a', steps: [{}] }, "'steps[0].forMs' must be a number from 1"],
  [{ provider: 'a', steps: [{ forMs: 0 }] }, "'steps[0].forMs' must be a number from 1"],
  [
    { provider: 'a', steps: [{ forMs: 1 }, { forMs: 1, uptime: 1.01 }] },
    "'steps[1].uptime' must be a number from 0 to 1, or a pair",
  ],
  [{ provider: 'a', steps: [{ forMs: 1, latencyMs: [1, 2, 3] }] }, "'steps[0].latencyMs'"],
  [{ provider: 'a', steps: [{ forMs: 1, status: 200 }] }, "'steps[0].status' must be a number from 400 to 599"],
  [{ provider: 'a', steps: [{ forMs: 1, colour: 1 }] }, "'steps[0].colour' is not known"],
  [{ provider: 'a', steps: [{ forMs: 1 }], repeat: 1 }, "'repeat' must be true or false"],
])('refuses the invalid script %j', (body, message) => {
  expect(readScript(body)).toContain(message);
});
