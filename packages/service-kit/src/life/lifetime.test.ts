import { expect, test } from 'vitest';
import { silentLog } from '../log/index.ts';
import { createLifetime } from './lifetime.ts';
import type { Part } from '../parts/part.ts';
import { createReadiness } from '../parts/readiness.ts';
import { patient } from '../../../../tests/support/patience.ts';

const never = () => new Promise<void>(() => {});

function recorded(names: readonly string[], changes: Readonly<Record<string, Partial<Part>>> = {}) {
  const events: string[] = [];
  const parts = names.map((name): Part => ({
    name,
    start: async () => void events.push(`start ${name}`),
    stop: async () => void events.push(`stop ${name}`),
    ...changes[name],
  }));
  return { parts, events };
}

test('parts start in order and stop in reverse order', async () => {
  const { parts, events } = recorded(['a', 'b', 'c']);
  const lifetime = createLifetime(silentLog());
  await lifetime.start(parts.slice(0, 1));
  await lifetime.start(parts.slice(1));
  expect(lifetime.running()).toBe(true);
  expect(await lifetime.stop(1000)).toBe(true);
  expect(events).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
});

test('parts after a failing one are not started, and only started parts are stopped', async () => {
  const broken = { start: () => Promise.reject(new Error('taken')) };
  const { parts, events } = recorded(['a', 'b', 'c'], { b: broken });
  const lifetime = createLifetime(silentLog());
  await expect(lifetime.start(parts)).rejects.toThrow('taken');
  expect(await lifetime.stop(1000)).toBe(true);
  expect(events).toEqual(['start a', 'stop a']);
});

test('a part that hangs leaves the others time for a clean end', async () => {
  const deadlines: number[] = [];
  const { parts, events } = recorded(['a', 'b'], {
    b: {
      stop(deadlineMs) {
        deadlines.push(deadlineMs);
        return never();
      },
    },
  });
  const lifetime = createLifetime(silentLog());
  await lifetime.start(parts);
  const since = performance.now();
  expect(await lifetime.stop(200)).toBe(false);
  expect(performance.now() - since).toBeLessThan(patient(2_000));
  expect(events).toEqual(['start a', 'start b', 'stop a']);
  expect(deadlines[0]).toBeGreaterThan(100);
  expect(deadlines[0]).toBeLessThanOrEqual(200);
});

test('a part that fails to stop does not prevent the others from stopping', async () => {
  const { parts, events } = recorded(['a', 'b'], { b: { stop: () => Promise.reject(new Error('no')) } });
  const lifetime = createLifetime(silentLog());
  await lifetime.start(parts);
  expect(await lifetime.stop(1000)).toBe(false);
  expect(events).toEqual(['start a', 'start b', 'stop a']);
});

test('a part whose stop throws synchronously counts as failed', async () => {
  const { parts, events } = recorded(['a', 'b'], {
    b: {
      stop() {
        throw new Error('no');
      },
    },
  });
  const lifetime = createLifetime(silentLog());
  await lifetime.start(parts);
  expect(await lifetime.stop(1000)).toBe(false);
  expect(events).toEqual(['start a', 'start b', 'stop a']);
});

test('stopping during the start also stops the part that is starting, and starts no other', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { parts, events } = recorded(['a', 'b'], { a: { start: () => promise } });
  const lifetime = createLifetime(silentLog());
  const starting = lifetime.start(parts);
  const stopping = lifetime.stop(1000);
  resolve();
  await starting;
  expect(await stopping).toBe(true);
  expect(events).toEqual(['stop a']);
  expect(lifetime.running()).toBe(false);
});

test('a second stop shares the result of the first', async () => {
  const { parts, events } = recorded(['a']);
  const lifetime = createLifetime(silentLog());
  await lifetime.start(parts);
  expect(await Promise.all([lifetime.stop(1000), lifetime.stop(1)])).toEqual([true, true]);
  expect(events).toEqual(['start a', 'stop a']);
});

test('readiness combines the phase and all parts', async () => {
  const { parts } = recorded(['a', 'b'], { b: { check: async () => ({ ok: false, message: 'b is away.' }) } });
  const lifetime = createLifetime(silentLog());
  const readiness = createReadiness(lifetime.phase, lifetime.parts);
  await lifetime.start(parts.slice(0, 1));
  expect(await readiness()).toEqual({ ready: false, phase: 'starting', parts: { a: { ok: true } } });
  lifetime.running();
  expect(await readiness()).toEqual({ ready: true, phase: 'running', parts: { a: { ok: true } } });
  await lifetime.start(parts.slice(1));
  const parted = { a: { ok: true }, b: { ok: false, message: 'b is away.' } };
  expect(await readiness()).toEqual({ ready: false, phase: 'running', parts: parted });
  await lifetime.stop(1000);
  expect(await readiness()).toMatchObject({ ready: false, phase: 'stopping' });
});

test('a check that throws is not ready, and its message has no secrets', async () => {
  const part: Part = { name: 'store', check: () => Promise.reject(new Error('redis://me:pass@cache is away')) };
  const readiness = createReadiness(
    () => 'running',
    () => [part],
  );
  expect((await readiness()).parts).toEqual({ store: { ok: false, message: 'redis://[redacted]@cache is away' } });
});

test('a check has a time limit, and concurrent callers share it', async () => {
  let calls = 0;
  const part: Part = {
    name: 'database',
    check() {
      calls += 1;
      return new Promise(() => {});
    },
  };
  const readiness = createReadiness(
    () => 'running',
    () => [part],
    20,
  );
  const [one, two] = await Promise.all([readiness(), readiness()]);
  expect(one.parts).toEqual({ database: { ok: false, message: 'The check took too long.' } });
  expect(two).toBe(one);
  expect(calls).toBe(1);
});
