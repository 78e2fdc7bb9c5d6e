import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import type { Fresh } from './testing/fresh.ts';
import { admitTests } from './testing/admit.suite.ts';
import { presentTests } from './testing/present.suite.ts';
import { purseTests } from './testing/purse.suite.ts';
import { queueTests } from './testing/queue.suite.ts';
import { sharesTests } from './testing/shares.suite.ts';
import { spendTests } from './testing/spend.suite.ts';
import { within } from './testing/within.ts';
import type { FadingSums, Store, StoreEvent, StoreOptions, TakeRule } from './store.ts';

/** The behaviour required of every store. `open` returns a store that shares nothing with stores of other prefixes. */
export function storeSuite(name: string, open: (options: StoreOptions) => Promise<Store>): void {
  const opened: Store[] = [];
  const fresh = async (options: StoreOptions = {}) => {
    const store = await open({ prefix: `${randomUUID()}:`, ...options });
    opened.push(store);
    return store;
  };

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });

  describe(`${name}: counters`, () => counterTests(fresh));
  describe(`${name}: token buckets`, () => bucketTests(fresh));
  describe(`${name}: sliding windows`, () => spendTests(fresh));
  describe(`${name}: bounded sets`, () => admitTests(fresh));
  describe(`${name}: present members`, () => presentTests(fresh));
  describe(`${name}: purses`, () => purseTests(fresh));
  describe(`${name}: queues`, () => queueTests(fresh));
  describe(`${name}: shares`, () => sharesTests(fresh));
  describe(`${name}: fading sums`, () => fadingTests(fresh));
  describe(`${name}: values`, () => valueTests(fresh));
  describe(`${name}: leases`, () => leaseTests(fresh));
  describe(`${name}: channels`, () => channelTests(fresh));
  describe(`${name}: state`, () => stateTests(fresh));
}

const minute = 60_000;
const waiting = { interval: 5 };
const bytes = (...values: number[]) => Uint8Array.from(values);
const times = <Result>(count: number, task: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => task(index)));

function counterTests(fresh: Fresh): void {
  test('start at 0, count up and down, and are read by adding 0', async () => {
    const store = await fresh();
    const counts = [];
    for (const by of [0, 2, 3, -1, 0]) counts.push(await store.increment('a', by, minute));
    expect(counts).toEqual([0, 2, 5, 4, 4]);
    expect(await store.increment('b', 1, minute)).toBe(1);
  });

  test('lose no concurrent increment', async () => {
    const store = await fresh();
    const counts = await times(500, () => store.increment('a', 1, minute));
    expect(counts.toSorted((a = 0, b = 0) => a - b)).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
  });

  test('expire at the time set by the first increment', async () => {
    const store = await fresh();
    expect(await store.increment('a', 1_000, 60)).toBe(1_000);
    await expect.poll(() => store.increment('a', 1, minute), waiting).toBeLessThan(1_000);
  });

  test.each([0.5, Number.NaN, 2 ** 53])('refuse to add %d', async (by) => {
    const store = await fresh();
    await expect(store.increment('a', by, minute)).rejects.toThrow(RangeError);
  });

  test.each([0, -1, 1.5, Number.POSITIVE_INFINITY])('refuse a time to live of %d ms', async (ttlMs) => {
    const store = await fresh();
    await expect(store.increment('a', 1, ttlMs)).rejects.toThrow(RangeError);
    await expect(store.set('a', bytes(1), ttlMs)).rejects.toThrow(RangeError);
    await expect(store.setIfAbsent('a', bytes(1), ttlMs)).rejects.toThrow(RangeError);
  });
}

function bucketTests(fresh: Fresh): void {
  // So slow that nothing is refilled while a test runs.
  const still = { capacity: 3, refillPerSecond: 0.001 };

  test('start full and allow no more than their capacity', async () => {
    const store = await fresh();
    const taken = [];
    for (const cost of [1, 1, 1, 1]) taken.push(await store.take('a', { ...still, cost }));
    expect(taken).toEqual([
      { allowed: true, remaining: 2, retryAfterMs: 0 },
      { allowed: true, remaining: 1, retryAfterMs: 0 },
      { allowed: true, remaining: 0, retryAfterMs: 0 },
      { allowed: false, remaining: 0, retryAfterMs: expect.any(Number) },
    ]);
    expect(taken[3]?.retryAfterMs).toBeGreaterThan(990_000);
    expect(taken[3]?.retryAfterMs).toBeLessThanOrEqual(1_000_000);
    expect(await store.take('b', { ...still, cost: 3 })).toEqual({ allowed: true, remaining: 0, retryAfterMs: 0 });
  });

  test('take all or nothing', async () => {
    const store = await fresh();
    expect(await store.take('a', { ...still, cost: 2 })).toMatchObject({ allowed: true, remaining: 1 });
    expect(await store.take('a', { ...still, cost: 2 })).toMatchObject({ allowed: false, remaining: 1 });
    expect(await store.take('a', { ...still, cost: 1 })).toMatchObject({ allowed: true, remaining: 0 });
  });

  test('support fractions of tokens', async () => {
    const store = await fresh();
    for (const remaining of [2, 1, 0]) {
      expect(await store.take('a', { ...still, cost: 0.75 })).toMatchObject({ allowed: true, remaining });
    }
    expect(await store.take('a', { ...still, cost: 0.75 })).toMatchObject({ allowed: true, remaining: 0 });
    expect(await store.take('a', { ...still, cost: 0.75 })).toMatchObject({ allowed: false, remaining: 0 });
  });

  test('accept refunds up to their capacity', async () => {
    const store = await fresh();
    await store.take('a', { ...still, cost: 3 });
    expect(await store.take('a', { ...still, cost: -2 })).toEqual({ allowed: true, remaining: 2, retryAfterMs: 0 });
    expect(await store.take('a', { ...still, cost: -20 })).toEqual({ allowed: true, remaining: 3, retryAfterMs: 0 });
  });

  test('never allow a cost above their capacity', async () => {
    const store = await fresh();
    expect(await store.take('a', { ...still, cost: 4 })).toEqual({ allowed: false, remaining: 3, retryAfterMs: 0 });
  });

  test('shrink with their capacity', async () => {
    const store = await fresh();
    await store.take('a', { ...still, cost: 1 });
    expect(await store.take('a', { ...still, capacity: 1, cost: 0 })).toMatchObject({ remaining: 1 });
  });

  test('allow again after `retryAfterMs`, not before', async () => {
    const store = await fresh();
    const rule = { capacity: 10, refillPerSecond: 50, cost: 5 };
    const {
      key,
      result: { asked, refused },
    } = await within(50, async (name) => {
      await store.take(name, { ...rule, cost: 10 });
      return { asked: performance.now(), refused: await store.take(name, rule) };
    });
    expect(refused).toMatchObject({ allowed: false });
    expect(refused?.retryAfterMs).toBeGreaterThan(50);
    expect(refused?.retryAfterMs).toBeLessThanOrEqual(100);
    await expect.poll(() => store.take(key, rule), waiting).toMatchObject({ allowed: true });
    expect(performance.now() - asked).toBeGreaterThanOrEqual((refused?.retryAfterMs ?? 0) - 2);
  });

  test('allow 1,000 concurrent callers exactly the capacity', async () => {
    const store = await fresh();
    const rule = { capacity: 100, refillPerSecond: 10, cost: 1 };
    const from = performance.now();
    const taken = await times(1_000, () => store.take('a', rule));
    const seconds = (performance.now() - from) / 1_000;
    const allowed = taken.filter((each) => each?.allowed).length;
    expect(allowed).toBeGreaterThanOrEqual(100);
    expect(allowed).toBeLessThanOrEqual(100 + Math.ceil(10 * seconds));
  });

  test.each<[string, TakeRule]>([
    ['no capacity', { capacity: 0, refillPerSecond: 1, cost: 1 }],
    ['no refill', { capacity: 1, refillPerSecond: 0, cost: 1 }],
    ['no number', { capacity: 1, refillPerSecond: 1, cost: Number.NaN }],
    ['no end', { capacity: Number.POSITIVE_INFINITY, refillPerSecond: 1, cost: 1 }],
  ])('refuse a rule with %s', async (_, rule) => {
    const store = await fresh();
    await expect(store.take('a', rule)).rejects.toThrow(RangeError);
  });
}

function fadingTests(fresh: Fresh): void {
  // So slow that nothing fades while a test runs.
  const hour = 3_600_000;
  const rounded = (sums: FadingSums | undefined) =>
    sums && Object.fromEntries([...sums].map(([name, values]) => [name, values.map((value) => Math.round(value))]));

  test('add member by member, and return all sums', async () => {
    const store = await fresh();
    expect(await store.accumulate('a', new Map(), hour)).toEqual(new Map());
    await store.accumulate('a', new Map([['x', [1, 2.5]]]), hour);
    await store.accumulate('a', new Map([['y/z one', [40, -3]]]), hour);
    await store.accumulate('b', new Map([['x', [7]]]), hour);
    const all = await store.accumulate('a', new Map([['x', [10, 0.5, 4]]]), hour);
    expect(rounded(all)).toEqual({ x: [11, 3, 4], 'y/z one': [40, -3] });
  });

  test('lose no concurrent addition', async () => {
    const store = await fresh();
    await times(100, (index) => store.accumulate('a', new Map([[`x${index % 2}`, [1]]]), hour));
    expect(rounded(await store.accumulate('a', new Map(), hour))).toEqual({ x0: [50], x1: [50] });
  });

  test('fade by half in a half-life, and to nothing', async () => {
    const store = await fresh();
    const from = performance.now();
    await store.accumulate('a', new Map([['x', [1_000]]]), 40);
    const known = performance.now();
    await expect
      .poll(async () => (await store.accumulate('a', new Map(), 40))?.get('x')?.[0] ?? 0, waiting)
      .toBeLessThan(500);
    const left = (await store.accumulate('a', new Map(), 40))?.get('x')?.[0] ?? 0;
    expect(left).toBeGreaterThan(1_000 * 0.5 ** ((performance.now() - from) / 40) - 1);
    expect(left).toBeLessThan(1_000 * 0.5 ** (Math.max(0, performance.now() - known - 20) / 40) + 1_000 * 0.5);
    await expect.poll(() => store.accumulate('a', new Map(), 40), waiting).toEqual(new Map());
  });

  test.each([
    [[1], 0],
    [[1], Number.NaN],
    [[Number.POSITIVE_INFINITY], hour],
  ])('refuse to add %j with a half-life of %d', async (values, halfLifeMs) => {
    const store = await fresh();
    await expect(store.accumulate('a', new Map([['x', values]]), halfLifeMs)).rejects.toThrow(RangeError);
  });
}

function valueTests(fresh: Fresh): void {
  test('are returned byte for byte', async () => {
    const store = await fresh();
    const every = Uint8Array.from({ length: 256 }, (_, index) => index);
    expect([await store.get('a'), await store.find('a')]).toEqual([undefined, 'none']);
    expect(await store.set('a', every, minute)).toBe('stored');
    expect([await store.get('a'), await store.find('a')]).toEqual([every, every]);
    expect(await store.set('a', bytes(), minute)).toBe('stored');
    expect(await store.get('a')).toEqual(bytes());
  });

  test('are copies', async () => {
    const store = await fresh();
    const value = bytes(1, 2);
    await store.set('a', value, minute);
    value[0] = 9;
    const got = await store.get('a');
    got?.fill(7);
    expect(await store.get('a')).toEqual(bytes(1, 2));
  });

  test('expire, at the time of the latest set', async () => {
    const store = await fresh();
    await store.set('a', bytes(1), 40);
    await store.set('b', bytes(1), 40);
    await store.set('b', bytes(2), minute);
    await expect.poll(() => store.get('a'), waiting).toBeUndefined();
    expect(await store.get('b')).toEqual(bytes(2));
  });

  test('are gone when deleted', async () => {
    const store = await fresh();
    await store.set('a', bytes(1), minute);
    expect([await store.delete('a'), await store.delete('a')]).toEqual([true, true]);
    expect(await store.get('a')).toBeUndefined();
  });

  test('may be as large as `maxValueBytes` and not a byte larger', async () => {
    const store = await fresh({ maxValueBytes: 1_000 });
    expect(await store.set('a', new Uint8Array(1_000), minute)).toBe('stored');
    expect(await store.set('a', new Uint8Array(1_001), minute)).toBe('too_large');
    expect(await store.setIfAbsent('a', new Uint8Array(1_001), minute)).toBe('too_large');
    expect(await store.setIfOurs('a', { mark: bytes(0), value: new Uint8Array(1_001) }, minute)).toBe('too_large');
    expect((await store.get('a'))?.byteLength).toBe(1_000);
  });

  test('are found under any key: empty, long, of any script, with newlines', async () => {
    const store = await fresh();
    const long = 'k'.repeat(100_000);
    const keys = ['', 'a b\r\nc', 'ключ🔑', 'k'.repeat(200), 'k'.repeat(201), `${long}1`, `${long}2`];
    for (const [index, key] of keys.entries()) await store.set(key, bytes(index), minute);
    expect(await Promise.all(keys.map(store.get))).toEqual(keys.map((_, index) => bytes(index)));
  });

  test('share no names with counters and buckets', async () => {
    const store = await fresh();
    expect(await store.set('a', bytes(1), minute)).toBe('stored');
    expect(await store.increment('a', 5, minute)).toBe(5);
    expect(await store.take('a', { capacity: 1, refillPerSecond: 1, cost: 1 })).toMatchObject({ allowed: true });
    expect(await store.get('a')).toEqual(bytes(1));
  });
}

function leaseTests(fresh: Fresh): void {
  test('are granted to exactly one of many, and the others learn the holder', async () => {
    const store = await fresh();
    const results = await times(50, (index) => store.setIfAbsent('a', bytes(index), minute));
    const holder = bytes(results.indexOf('stored'));
    expect(results.filter((result) => result !== 'stored')).toEqual(
      Array.from({ length: 49 }, () => ({ present: holder })),
    );
    expect(await store.get('a')).toEqual(holder);
  });

  test('can be acquired again after they expire', async () => {
    const store = await fresh();
    const { key, result } = await within(40, async (name) => [
      await store.setIfAbsent(name, bytes(1), 40),
      await store.setIfAbsent(name, bytes(2), 40),
    ]);
    expect(result).toEqual(['stored', { present: bytes(1) }]);
    await expect.poll(() => store.setIfAbsent(key, bytes(3), minute), waiting).toBe('stored');
  });

  test('are released by their holder only', async () => {
    const store = await fresh();
    await store.setIfAbsent('a', bytes(1, 0, 255), minute);
    expect(await store.deleteIfEqual('a', bytes(1, 0))).toBe(false);
    expect(await store.get('a')).toEqual(bytes(1, 0, 255));
    expect(await store.deleteIfEqual('a', bytes(1, 0, 255))).toBe(true);
    expect(await store.deleteIfEqual('a', bytes(1, 0, 255))).toBe(false);
  });

  test('are written only by the holder whose mark the value starts with', async () => {
    const store = await fresh();
    const mark = bytes(0, 255);
    expect(await store.setIfOurs('a', { mark, value: bytes(0, 255, 1) }, minute)).toBe('stored');
    expect(await store.setIfOurs('a', { mark, value: bytes(0, 255, 2) }, minute)).toBe('stored');
    expect(await store.setIfOurs('a', { mark: bytes(0, 254), value: bytes(0, 254, 3) }, minute)).toBe('taken');
    expect(await store.setIfOurs('a', { mark: bytes(0, 255, 2, 0), value: bytes(0, 255, 2, 0) }, minute)).toBe('taken');
    expect(await store.get('a')).toEqual(bytes(0, 255, 2));
    await expect(store.setIfOurs('a', { mark, value: mark }, 0)).rejects.toThrow(RangeError);
  });

  test('are renewed by each write of their holder', async () => {
    const store = await fresh();
    const ours = { mark: bytes(1), value: bytes(1) };
    await store.setIfAbsent('a', bytes(1), minute);
    expect(await store.setIfOurs('a', ours, 40)).toBe('stored');
    await expect.poll(() => store.get('a'), waiting).toBeUndefined();
  });
}

interface Listener {
  received: Uint8Array[];
  stop: () => void;
  /** Waits until everything that was published on the channel before has been delivered: a channel keeps its order. */
  settle(): Promise<void>;
}

/** Subscribes, and publishes until a message arrives, because subscribing takes a moment over a network. */
async function listen(store: Store, channel: string): Promise<Listener> {
  const received: Uint8Array[] = [];
  const markers: string[] = [];
  const isMarker = (payload: Uint8Array) => payload.length === markerBytes;
  const stop = store.subscribe(channel, (payload) => {
    if (!isMarker(payload)) received.push(payload);
  });
  store.subscribe(channel, (payload) => isMarker(payload) && markers.push(Buffer.from(payload).toString()));
  const settle = async () => {
    const marker = randomUUID();
    await expect
      .poll(async () => {
        await store.publish(channel, Buffer.from(marker));
        return markers;
      }, waiting)
      .toContain(marker);
  };
  await settle();
  received.length = 0;
  return { received, stop, settle };
}

const markerBytes = randomUUID().length;

function channelTests(fresh: Fresh): void {
  test('deliver everything in order to all their subscribers, and to no others', async () => {
    const store = await fresh();
    const [first, second, other] = [await listen(store, 'a'), await listen(store, 'a'), await listen(store, 'b')];
    const sent = Array.from({ length: 100 }, (_, index) => bytes(index, 255, 10));
    const results = await Promise.all(sent.map((payload) => store.publish('a', payload)));
    await Promise.all([first.settle(), other.settle()]);
    expect(results.every(Boolean)).toBe(true);
    expect(first.received).toEqual(sent);
    expect(second.received).toEqual(sent);
    expect(other.received).toEqual([]);
  });

  test('stop delivering to a handler that unsubscribed, and only to it', async () => {
    const store = await fresh();
    const [first, second] = [await listen(store, 'a'), await listen(store, 'a')];
    first.stop();
    first.stop();
    await store.publish('a', bytes(1));
    await second.settle();
    expect(first.received).toEqual([]);
    expect(second.received).toEqual([bytes(1)]);
  });

  test('survive unsubscribing and subscribing in quick succession', async () => {
    const store = await fresh();
    let listening = await listen(store, 'a');
    for (let round = 0; round < 5; round += 1) {
      listening.stop();
      store.subscribe('a', () => {})();
      listening = await listen(store, 'a');
    }
    await store.publish('a', bytes(5));
    await listening.settle();
    expect(listening.received).toEqual([bytes(5)]);
  });

  test('isolate a failing subscriber, and report it once', async () => {
    const events: StoreEvent[] = [];
    const store = await fresh({ onTrouble: (event) => events.push(event) });
    const error = new Error('of the subscriber');
    store.subscribe('a', () => {
      throw error;
    });
    const { received, settle } = await listen(store, 'a');
    await store.publish('a', bytes(1));
    await store.publish('a', bytes(2));
    await settle();
    expect(received).toEqual([bytes(1), bytes(2)]);
    expect(events).toEqual([{ kind: 'subscriber_failed', channel: 'a', error }]);
  });

  test('refuse a payload over the limit', async () => {
    const store = await fresh({ maxValueBytes: 1_000 });
    const { received, settle } = await listen(store, 'a');
    expect(await store.publish('a', new Uint8Array(1_001))).toBe(false);
    expect(await store.publish('a', new Uint8Array(1_000))).toBe(true);
    await settle();
    expect(received).toEqual([new Uint8Array(1_000)]);
  });
}

function stateTests(fresh: Fresh): void {
  test('is connected', async () => {
    const store = await fresh();
    expect([store.state(), await store.ping(1_000)]).toEqual([{ connected: true }, { connected: true }]);
  });

  test('returns unknown results after closing, without throwing', async () => {
    const events: StoreEvent[] = [];
    const store = await fresh({ onTrouble: (event) => events.push(event) });
    await store.set('a', bytes(1), minute);
    await store.close();
    await store.close();
    const closed = { connected: false, error: 'closed' };
    expect([store.state(), await store.ping(100)]).toEqual([closed, closed]);
    expect(await everyOperation(store)).toEqual(nothingKnown);
    expect(events).toEqual([]);
  });
}

/** The result of every operation while the server is unavailable. */
export const nothingKnown = {
  increment: undefined,
  take: undefined,
  spend: undefined,
  purse: undefined,
  queue: undefined,
  share: undefined,
  accumulate: undefined,
  admit: undefined,
  present: undefined,
  get: undefined,
  find: 'unknown',
  set: 'unknown',
  setIfAbsent: 'unknown',
  setIfOurs: 'unknown',
  delete: false,
  deleteIfEqual: undefined,
  publish: false,
};

export async function everyOperation(store: Store): Promise<Record<string, unknown>> {
  const answers = {
    increment: store.increment('x', 1, minute),
    take: store.take('x', { capacity: 1, refillPerSecond: 1, cost: 1 }),
    spend: store.spend('x', { limit: 1, windowMs: minute, wanted: 1 }),
    purse: store.purse('x', { kind: 'know', before: 0, from: 0, hours: [] }, minute),
    queue: store.queue('x', { kind: 'take', most: 1, holdMs: minute }),
    share: store.share('x', { holder: 'h', needed: 0, wanted: 1, limit: 1, ttlMs: minute }),
    accumulate: store.accumulate('x', new Map([['y', [1]]]), minute),
    admit: store.admit('x', { member: 'y', most: 1, ttlMs: minute }),
    present: store.present('x', { member: 'y', ttlMs: minute }),
    get: store.get('x'),
    find: store.find('x'),
    set: store.set('x', bytes(1), minute),
    setIfAbsent: store.setIfAbsent('x', bytes(1), minute),
    setIfOurs: store.setIfOurs('x', { mark: bytes(1), value: bytes(1) }, minute),
    delete: store.delete('x'),
    deleteIfEqual: store.deleteIfEqual('x', bytes(1)),
    publish: store.publish('x', bytes(1)),
  };
  const named = Object.entries(answers).map(async ([name, answer]) => [name, await answer] as const);
  return Object.fromEntries(await Promise.all(named));
}
