import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readHeld, readLedger, readSums } from './books.ts';
import { compareBooks } from './invariants.ts';
import { type MoneySystem, startMoneySystem } from './system.ts';
import { runTrial, type Trial } from './trial.ts';

const requests = 1_000;

describe(`the books after ${requests} requests, while everything is broken and killed in turn`, () => {
  let system: MoneySystem;
  let trial: Trial;
  beforeAll(async () => {
    system = await startMoneySystem();
    trial = await runTrial(system, requests);
  }, 180_000);
  afterAll(() => system?.stop(), 60_000);

  test('have every answer whose end a client saw once, as its provider would bill it, and cost what its tokens cost', async () => {
    const written = { timeout: 50_000, interval: 500 };
    await expect.poll(async () => (await compareBooks(system, trial)).missing, written).toEqual([]);
    const { lines, bills, ...found } = await compareBooks(system, trial);
    expect(found).toEqual({ missing: [], twice: [], unbooked: [], unbilled: [], wrongCost: [] });
    expect(new Set(trial.kills.map(({ name }) => name))).toEqual(
      new Set(['redis', 'nats', 'postgres', 'auth-svc', 'chat-svc']),
    );
    expect(lines).toBeGreaterThan(requests * 0.8);
    expect(bills).toBeGreaterThan(requests * 0.5);
  }, 60_000);

  test('add up to the same by record, by hour and by day', async () => {
    const { records, days, hours } = await readSums(system);
    expect([days, hours]).toEqual([records, records]);
  });

  test('have lines that are estimates, and say so', async () => {
    const sources = (await readLedger(system)).map(({ source }) => source);
    expect(new Set(sources)).toEqual(new Set(['reported', 'estimated', 'none']));
  });

  test('hold nothing back once nothing runs', async () => {
    await expect.poll(() => readHeld(system), { timeout: 60_000, interval: 500 }).toBe(0);
  }, 70_000);
});
