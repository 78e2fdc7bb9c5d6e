import type { LimitVerdict } from '../../packages/limits/src/index.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Regions, type Replica, startRegions } from './regions.ts';

/** 100 ms from region to region, so 200 ms for a question and its answer. */
const linkMs = 100;
const perRegion = 3;
const limit = 300;
const waiting = { interval: 50 };

let regions: Regions;
let all: readonly Replica[];
beforeEach(async () => {
  regions = await startRegions(perRegion, linkMs);
  all = [...regions.near, ...regions.far];
  await expect.poll(() => all.map((replica) => replica.count()), waiting).toEqual(all.map(() => 2 * perRegion));
});
afterEach(() => regions.stop());

const allowed = (verdicts: readonly LimitVerdict[]): number => verdicts.filter((one) => one.allowed).length;

/** Each replica sends half of the limit, so that together they send three times as much. */
const requestEverywhere = async (replicas: readonly Replica[]): Promise<readonly LimitVerdict[]> =>
  (await Promise.all(replicas.map((replica) => replica.request(limit / 2, limit)))).flat();

/** Spends two cents at a time at each replica until each has been refused, and returns the cents. */
async function spendEverywhere(replicas: readonly Replica[]): Promise<number> {
  const spent = replicas.map(async (replica) => {
    let cents = 0;
    while (await replica.spend(2)) cents += 2;
    return cents;
  });
  return (await Promise.all(spent)).reduce((sum, cents) => sum + cents, 0);
}

async function cutLink(): Promise<void> {
  regions.cutLink();
  await expect.poll(() => regions.far.some((replica) => replica.connected()), waiting).toBe(false);
}

describe('two regions, three replicas each, that share one Redis over a link of 100 ms', () => {
  test('admit a limit once, exceeded by at most 1 %', async () => {
    const verdicts = await requestEverywhere(all);
    const alone = verdicts.filter((verdict) => verdict.alone).length;
    // A replica that Redis answers late, as on a busy machine, decides alone within its part.
    expect(allowed(verdicts)).toBeLessThanOrEqual(limit * 1.01 + alone);
    expect(allowed(verdicts)).toBeGreaterThanOrEqual(limit - alone);
    expect(allowed(await requestEverywhere(all))).toBeLessThanOrEqual(alone);
  });

  test('admit at most the parts of the cut region more while the link is cut', async () => {
    await cutLink();
    const near = allowed(await requestEverywhere(regions.near));
    const far = allowed(await requestEverywhere(regions.far));
    expect(near).toBeLessThanOrEqual(limit);
    expect(far).toBeLessThanOrEqual(limit / 2);
    expect(far).toBeGreaterThan(0);
  });

  test('spend a budget once, to the cent', async () => {
    expect(await spendEverywhere(all)).toBe(100);
  });

  test('spend at most the parts of the cut region more while the link is cut', async () => {
    for (const replica of all) expect(await replica.spend(2)).toBe(true);
    await cutLink();
    const near = await spendEverywhere(regions.near);
    const far = await spendEverywhere(regions.far);
    const left = 100 - 2 * all.length;
    expect(near).toBeGreaterThanOrEqual(left);
    // A replica that Redis answers late, as on a busy machine, decides alone within its part.
    expect(near).toBeLessThanOrEqual(left * 1.5);
    expect(far).toBeLessThanOrEqual(left / 2);
  });
});
