import { expect, test } from 'vitest';
import { servedOf } from './served.ts';

const since = '2026-11-20T00:00:00.000Z';
const targets = [
  { model: 'stable', weight: 90 },
  { model: 'canary', weight: 10 },
];
const used = (model: string, reason: string, requests: number) => ({ model, reason, requests, failed: 0 });

test('each target has the share that it answered, also for another one', () => {
  const models = [
    used('stable', 'weight', 170),
    used('canary', 'weight', 20),
    used('stable', 'other_target', 10),
    used('stable', 'condition', 3),
    used('spare', 'then', 2),
    used('trial', 'shadow', 50),
  ];
  expect(servedOf({ targets }, { name: 'fast', since, models })).toEqual({
    since,
    byWeight: 200,
    others: 5,
    shares: new Map([
      ['stable', 0.9],
      ['canary', 0.1],
    ]),
  });
});

test('without requests, no target has a share', () => {
  expect(servedOf({ targets }, { name: 'fast', since, models: [] })).toEqual({
    since,
    byWeight: 0,
    others: 0,
    shares: new Map([
      ['stable', 0],
      ['canary', 0],
    ]),
  });
});
