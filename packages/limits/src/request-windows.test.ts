import { openMemoryStore, type Store } from '@tallyport/store';
import { afterEach, expect, test } from 'vitest';
import type { LimitVerdict } from './request-counter.ts';
import { createRequestWindows, type RequestWindows } from './request-windows.ts';
import { lineTo } from './testing/line-to.ts';

const minute = 60_000;
const opened: RequestWindows[] = [];
const windowsOn = (store: Store, options: { windowMs?: number; replicas?: number; maxNames?: number } = {}) => {
  const { windowMs = minute, replicas = 1, ...rest } = options;
  const windows = createRequestWindows({ store, windowMs, replicas: () => replicas, ...rest });
  opened.push(windows);
  return windows;
};
const verdicts = (
  count: number,
  take: (index: number) => LimitVerdict | Promise<LimitVerdict>,
): Promise<LimitVerdict[]> => Promise.all(Array.from({ length: count }, async (_, index) => take(index)));
const allowedOf = (all: readonly LimitVerdict[]): number => all.filter(({ allowed }) => allowed).length;

afterEach(async () => {
  await Promise.all(opened.splice(0).map((windows) => windows.stop()));
});

test('exactly the limit is admitted, whether requests are sequential or concurrent', async () => {
  const windows = windowsOn(openMemoryStore());
  const received: (boolean | number)[][] = [];
  for (let index = 0; index < 4; index += 1) {
    const { allowed, remaining } = await windows.take('a', 3);
    received.push([allowed, remaining]);
  }
  expect(received).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
  ]);
  expect(allowedOf(await verdicts(100, () => windows.take('b', 7)))).toBe(7);
});

test('three replicas with ten times the limit in requests exceed it by at most 1 %', async () => {
  const store = openMemoryStore();
  const replicas = Array.from({ length: 3 }, () => windowsOn(store));
  for (const limit of [10, 600, 30_000]) {
    let accepted = 0;
    for (let round = 0; round < 100; round += 1) {
      accepted += allowedOf(await verdicts(limit / 10, (index) => replicas[index % 3]!.take(`to ${limit}`, limit)));
    }
    expect(accepted).toBeGreaterThanOrEqual(limit);
    expect(accepted).toBeLessThanOrEqual(limit * 1.01);
  }
});

test('three replicas with a slow store exceed the limit by at most 1 %', async () => {
  const shared = openMemoryStore();
  const line = lineTo(shared);
  const replicas = [line.store, line.store, shared].map((store) => windowsOn(store, { replicas: 3 }));
  const takeAt = (replica: number, count: number) => verdicts(count, () => replicas[replica]!.take('a', 300));
  const accepted = [await takeAt(0, 90), await takeAt(1, 90), await takeAt(2, 90)].map(allowedOf);
  line.hold();
  const late = [takeAt(0, 10), takeAt(1, 10)];
  accepted.push(allowedOf(await takeAt(2, 100)));
  line.release();
  accepted.push(...(await Promise.all(late)).map(allowedOf));
  expect(accepted).toEqual([90, 90, 90, 30, 1, 1]);
});

test.each([
  [1, 10],
  [3, 10],
  [10, 3],
  [31, 0],
])('one of %d replicas admits %d of 3,000 before the store knows', async (count, ahead) => {
  const line = lineTo(openMemoryStore());
  const windows = windowsOn(line.store, { replicas: count });
  await windows.take('a', 3_000);
  line.hold();
  let atOnce = 0;
  while (!(windows.take('a', 3_000) instanceof Promise)) atOnce += 1;
  line.release();
  expect(atOnce).toBe(ahead);
});

test('while much is left, requests do not wait for the store, but are still reported to it', async () => {
  const store = openMemoryStore();
  const windows = windowsOn(store);
  await windows.take('a', 3_000);
  const verdict = windows.take('a', 3_000);
  expect(verdict).not.toBeInstanceOf(Promise);
  expect(verdict).toMatchObject({ allowed: true, remaining: 2_998, alone: false });
  const counted = async () => (await store.spend('a', { limit: 3_000, windowMs: minute, wanted: 0 }))?.used;
  await expect.poll(counted).toBe(2);
});

test('when a tenth is left, or the limit is small, every request asks the store first', async () => {
  const store = openMemoryStore();
  const windows = windowsOn(store);
  await store.spend('a', { limit: 3_000, windowMs: minute, wanted: 2_699 });
  expect(await windows.take('a', 3_000)).toMatchObject({ remaining: 300 });
  expect(windows.take('a', 3_000)).toBeInstanceOf(Promise);
  await windows.take('small', 299);
  expect(windows.take('small', 299)).toBeInstanceOf(Promise);
});

test('a refusal is repeated locally until something is freed, and then the store is asked again', async () => {
  const windows = windowsOn(openMemoryStore(), { windowMs: 2_000 });
  await windows.take('a', 1);
  expect(windows.refusal('a', 1)).toBeUndefined();
  const refused = await windows.take('a', 1);
  expect(refused).toMatchObject({ allowed: false, limit: 1, remaining: 0 });
  expect(windows.refusal('a', 1)).toMatchObject({ allowed: false });
  expect(windows.take('a', 1)).not.toBeInstanceOf(Promise);
  await expect.poll(async () => (await windows.take('a', 1)).allowed, { interval: 5 }).toBe(true);
});

test('a changed limit applies to the next request', async () => {
  const windows = windowsOn(openMemoryStore());
  await verdicts(3, () => windows.take('a', 2));
  expect(await windows.take('a', 3)).toMatchObject({ allowed: true, remaining: 0 });
  expect(await windows.take('a', 2)).toMatchObject({ allowed: false });
});

test('a refunded request can be admitted again', async () => {
  const windows = windowsOn(openMemoryStore());
  await verdicts(2, () => windows.take('a', 2));
  windows.giveBack('a');
  expect(await verdicts(2, () => windows.take('a', 2))).toMatchObject([{ allowed: true }, { allowed: false }]);
});

test('without the store each replica keeps to its own part', async () => {
  const store = openMemoryStore();
  const windows = windowsOn(store, { replicas: 3 });
  await verdicts(2, () => windows.take('a', 10));
  await store.close();
  const alone = await verdicts(4, () => windows.take('a', 10));
  expect(alone.map(({ allowed, alone: isAlone }) => [allowed, isAlone])).toEqual([
    [true, true],
    [true, true],
    [false, true],
    [false, true],
  ]);
});

test('replicas with a recent answer stay within the limit together when the store becomes unavailable', async () => {
  const shared = openMemoryStore();
  const lines = Array.from({ length: 3 }, () => lineTo(shared));
  const replicas = lines.map(({ store }) => windowsOn(store, { replicas: 3 }));
  const takeAt = (replica: number, count: number) => verdicts(count, () => replicas[replica]!.take('a', 90));
  const before = [await takeAt(0, 60), await takeAt(1, 10), await takeAt(2, 5)].map(allowedOf);
  for (const replica of [0, 1]) await takeAt(replica, 1);
  lines.forEach((line) => line.cut());
  const alone = await Promise.all([takeAt(0, 90), takeAt(1, 90), takeAt(2, 90)]);
  expect(before).toEqual([60, 10, 5]);
  expect(alone.map(allowedOf)).toEqual([0, 5, 5]);
});

test('requests admitted alone are reported when the store is back, even without further requests', async () => {
  const shared = openMemoryStore();
  const line = lineTo(shared);
  const windows = windowsOn(line.store);
  line.cut();
  expect(allowedOf(await verdicts(7, () => windows.take('a', 5)))).toBe(5);
  line.mend();
  await expect.poll(async () => (await shared.spend('a', { limit: 5, windowMs: minute, wanted: 0 }))?.used).toBe(5);
});

test('a lost answer does not admit more than the limit', async () => {
  const line = lineTo(openMemoryStore());
  const windows = windowsOn(line.store);
  line.loseAnswers();
  const alone = allowedOf(await verdicts(4, () => windows.take('a', 6)));
  line.mend();
  expect(alone + allowedOf(await verdicts(10, () => windows.take('a', 6)))).toBeLessThanOrEqual(6);
});

test('the least recently used names are evicted locally, and stay counted in the store', async () => {
  const windows = windowsOn(openMemoryStore(), { maxNames: 2 });
  await windows.take('a', 1);
  await windows.take('b', 1);
  await windows.take('c', 1);
  expect(await windows.take('a', 1)).toMatchObject({ allowed: false });
});
