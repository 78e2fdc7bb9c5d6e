import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readHeld, readLedger, readSums } from './books.ts';
import { isExpected } from './expected-losses.ts';
import { wholly } from '../support/scale.ts';
import { compareBooks } from './invariants.ts';
import { type MoneySystem, startMoneySystem } from './system.ts';
import { runTrial } from './trial.ts';

// Long: it kills every part under load.
// About: packages/serving/src/metering, services/ledger-svc/src/usage, packages/bus/src.

const requests = wholly ? 1_000 : 500;

describe(`the books after ${requests} requests with faults and kills of every part`, () => {
  let system: MoneySystem;
  let trial: Awaited<ReturnType<typeof runTrial>>;
  beforeAll(async () => {
    system = await startMoneySystem({
      replicas: { edge: 2, 'ledger-svc': 2 },
      environment: { LIMIT_MODELS_PER_MINUTE: '0' },
    });
    trial = await runTrial(system, requests);
  });
  afterAll(() => system?.stop());

  test('have one line per complete answer, with the billed usage and its cost', async () => {
    const written = { interval: 500 };
    await expect
      .poll(() => compareBooks(system, trial), written)
      .toMatchObject({ missing: [], twice: [], unbooked: [], unbilled: [], wrongCost: [], wrongAnswer: [] });
    const { lines, bills } = await compareBooks(system, trial);
    expect(new Set(trial.kills.map(({ name }) => name))).toEqual(
      new Set(['redis', 'nats', 'postgres', 'auth-svc', 'chat-svc', 'ledger-svc', 'edge']),
    );
    expect(lines).toBeGreaterThan(requests * 0.8);
    expect(bills).toBeGreaterThan(requests * 0.5);
  });

  test('clients get complete answers or errors of the error table', () => {
    const unexpected = [...trial.requests, ...trial.uses].filter((each) => !isExpected(each, trial.disturbed));
    expect(unexpected.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  });

  test('sockets get whole answers, and those of their clients that leave or read slowly', () => {
    const results = new Set(trial.requests.map(({ result }) => result));
    expect(results).toContain('completed');
    expect(results).toContain('left a socket');
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
    await expect.poll(() => readHeld(system), { interval: 500 }).toBe(0);
  });
});
