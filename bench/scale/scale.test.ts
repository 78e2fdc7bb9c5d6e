import { expect, onTestFinished, test } from 'vitest';
import { createUndo } from '../support/undo.ts';
import type { Mechanism } from './mechanism.ts';
import { health } from './parts/health.ts';
import { renderTable } from './report.ts';
import { curveOf, runMechanisms } from './run.ts';

test('measures what replicas share with real servers', async () => {
  const undo = createUndo();
  onTestFinished(undo.all);
  const [curve] = await runMechanisms([health], { sizes: [1, 3], units: 6, undo });
  expect(curve?.points.map(({ replicas }) => replicas)).toEqual([1, 3]);
  for (const { micros } of curve?.points ?? []) expect(micros).toBeGreaterThan(0);
});

test('a load is the cost at the replicas of a gateway, times its units', () => {
  const mechanism: Mechanism = {
    name: 'calls',
    title: 'Calls of each to each',
    unit: 'call',
    payer: 'Redis',
    replicasOf: ({ chats }) => chats,
    unitsPerSecond: ({ edges }) => edges,
    measure: async () => [],
  };
  const points = [3, 3_000].map((replicas) => ({ replicas, micros: 10 * replicas }));
  const curve = curveOf(mechanism, points);
  expect(curve.loads.map(({ cores }) => Number(cores.toPrecision(3)))).toEqual([0.00003, 0.003, 0.3, 30]);
  expect(curve.growth).toBeCloseTo(2, 6);
  expect(curve.limit).toBe(182);
  expect(renderTable([curve]).split('\n').at(-1)).toBe(
    '| Calls of each to each | call | 3: 30, 3000: 30000 | Redis: 0.00003, 0.003, 0.3, 30 | 2.0 | 182 edges |',
  );
});
