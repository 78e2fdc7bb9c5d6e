import { expect, test } from 'vitest';
import { silentLog } from '../log/index.ts';
import { createLifetime } from './lifetime.ts';
import type { Part } from './part.ts';
import { createReadiness } from './readiness.ts';

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

test('what follows a part that fails is not started, and only what was started is stopped', async () => {
  const broken = { start: () => Promise.reject(new Error('taken')) };
  const { parts, events } = recorded(['a', 'b', 'c'], { b: broken });
  const lifetime = createLifetime(silentLog());
  await expect(lifetime.start(parts)).rejects.toThrow('taken');
  expect(await lifetime.stop(1000)).toBe(true);
  expect(events).toEqual(['start a', 'stop a']);
});

test('a part that hangs takes neither the time nor the clean end of the others', async () => {
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
  expect(performance.now() - since).toBeLessThan(400);
  expect(events).toEqual(['start a', 'start b', 'stop a']);
  expect(deadlines[0]).toBeGreaterThan(100);
  expect(deadlines[0]).toBeLessThanOrEqual(200);
});

test('a part that fails to stop does not keep the others from it', async () => {
  const { parts, events } = recorded(['a', 'b'], { b: { stop: () => Promise.reject(new Error('no')) } });
  const lifetime = createLifetime(silentLog());
  await lifetime.start(parts);
  expect(await lifetime.stop(1000)).toBe(false);
  expect(events).toEqual(['start a', 'start b', 'stop a']);
});

test('a part that throws instead of promising is a part that failed to stop', async () => {
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

test('told to stop while starting, the part that is just starting is stopped too and no other is started', async () => {
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

test('stopping twice is stopping once', async () => {
  const { parts, events } = recorded(['a']);
  const lifetime = createLifetime(silentLog());
  await lifetime.start(parts);
  expect(await Promise.all([lifetime.stop(1000), lifetime.stop(1)])).toEqual([true, true]);
  expect(events).toEqual(['start a', 'stop a']);
});

test('readiness is the phase and every part together', async () => {
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

test('a check that throws is not ready, says why, and keeps its secrets', async () => {
  const part: Part = { name: 'store', check: () => Promise.reject(new Error('redis://me:pass@cache is away')) };
  const readiness = createReadiness(
    () => 'running',
    () => [part],
  );
  expect((await readiness()).parts).toEqual({ store: { ok: false, message: 'redis://[redacted]@cache is away' } });
});

test('a check that hangs is bounded, and askers share it', async () => {
  let asked = 0;
  const part: Part = {
    name: 'database',
    check() {
      asked += 1;
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
  expect(asked).toBe(1);
});
