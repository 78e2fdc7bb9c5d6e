import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readHeld, readLedger, readSums } from './books.ts';
import { wholly } from '../support/wholly.ts';
import { compareBooks } from './invariants.ts';
import { type MoneySystem, startMoneySystem } from './system.ts';
import { runTrial, type Trial } from './trial.ts';

const requests = wholly ? 1_000 : 500;

describe(`the books after ${requests} requests with faults and kills of every part`, () => {
  let system: MoneySystem;
  let trial: Trial;
  beforeAll(async () => {
    system = await startMoneySystem({ replicas: { 'ledger-svc': 2 } });
    trial = await runTrial(system, requests);
  }, 180_000);
  afterAll(() => system?.stop(), 60_000);

  test('have one line per complete answer, with the billed usage and its cost', async () => {
    const written = { timeout: 50_000, interval: 500 };
    await expect
      .poll(() => compareBooks(system, trial), written)
      .toMatchObject({ missing: [], twice: [], unbooked: [], unbilled: [], wrongCost: [], wrongAnswer: [] });
    const { lines, bills } = await compareBooks(system, trial);
    expect(new Set(trial.kills.map(({ name }) => name))).toEqual(
      new Set(['redis', 'nats', 'postgres', 'auth-svc', 'chat-svc', 'ledger-svc']),
    );
    expect(lines).toBeGreaterThan(requests * 0.8);
    expect(bills).toBeGreaterThan(requests * 0.5);
  }, 60_000);

  test('clients get complete answers or errors of the error table', () => {
    expect(trial.requests.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  });

  test('have the same sum by record, by hour and by day', async () => {
    const { records, days, hours } = await readSums(system);
    expect([days, hours]).toEqual([records, records]);
  });

  test('mark estimated lines', async () => {
    const sources = (await readLedger(system)).map(({ source }) => source);
    expect(new Set(sources)).toEqual(new Set(['reported', 'estimated', 'none']));
  });

  test('have no reservations when no request runs', async () => {
    await expect.poll(() => readHeld(system), { timeout: 60_000, interval: 500 }).toBe(0);
  }, 70_000);
});
