import { readFileSync } from 'node:fs';
import { createByteBudget, servePaid } from '@tallyport/serving';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationOf } from '../../scripts/openapi/operations/endpoints.ts';
import { type ServingBench, startServingBench } from '../../packages/serving/src/testing/serving-bench.ts';
import { toyDescription, toyEndpoint, toyRow } from './toy.ts';

const budget = createByteBudget(10_000_000, 'CHAT_MAX_INFLIGHT_BYTES');
const targets = { custom: () => undefined };
const routes = { find: () => undefined, headersOf: () => new Map<string, string>() };

const principal = { accountId: 'account', keyId: 'key' };

let bench: ServingBench;
beforeAll(async () => {
  bench = await startServingBench((tools) =>
    servePaid(
      tools,
      toyEndpoint({ ...tools, budget, targets, routes, budgetLeft: () => Infinity, maxBodyBytes: 10_000 }),
    ),
  );
});
afterAll(() => bench.close());

test('a paid endpoint with a form of its own has less than 60 lines of code', () => {
  const text = readFileSync(new URL('./toy.ts', import.meta.url), 'utf8');
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('/**')).length).toBeLessThan(60);
});

test('answers in its form, and bills what the model used', async () => {
  const { head, body } = await bench.open({ model: 'sandbox-chat', play: 'chess' }, { principal });
  expect([head.status, JSON.parse(Buffer.from(await body.bytes()).toString())]).toEqual([
    200,
    { played: expect.stringContaining('simulated answer') },
  ]);
  await expect.poll(() => bench.records).toMatchObject([{ operation: 'chat', model: 'sandbox-chat' }]);
  expect(Number(bench.records[0]?.cost)).toBeGreaterThan(0);
});

test('reads what its schema describes', async () => {
  const play = (length: number) => bench.open({ model: 'sandbox-chat', play: 'x'.repeat(length) }, { principal });
  await expect(play(20)).resolves.toMatchObject({ head: { status: 200 } });
  await expect(play(21)).rejects.toMatchObject({ code: 'invalid_parameters', param: 'play' });
});

test('refuses what is no JSON', async () => {
  await expect(bench.open(Buffer.from('{'), { principal })).rejects.toMatchObject({ code: 'invalid_json' });
});

test('is described with what the table and all paid endpoints have', () => {
  expect(operationOf(toyRow, toyDescription)).toMatchObject({
    id: 'play',
    method: 'POST',
    path: '/v1/toy',
    access: 'key',
    parameters: ['X-Fallback', 'X-No-Fallback', 'X-End-User', 'Idempotency-Key'].map((name) => ({ name })),
    failures: expect.arrayContaining(['budget_exceeded']),
  });
});
