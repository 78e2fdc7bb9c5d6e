import { afterEach, expect, test, vi } from 'vitest';
import { createFileTurns, uploadShare } from './file-turns.ts';

afterEach(() => vi.useRealTimers());

test('eight uploads of an account run at once, the next one waits, and those of another account do not', async () => {
  const begin = createFileTurns(uploadShare);
  const running = await Promise.all(Array.from({ length: uploadShare.eachAtOnce }, () => begin('a')));
  expect(running).toHaveLength(8);
  let waits = true;
  const next = begin('a').finally(() => (waits = false));
  (await begin('b'))();
  expect(waits).toBe(true);
  running[0]?.();
  (await next)();
});

test('an upload that waits too long is refused', async () => {
  vi.useFakeTimers();
  const begin = createFileTurns(uploadShare);
  for (let count = 0; count < uploadShare.eachAtOnce; count += 1) await begin('a');
  const refused = begin('a').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(uploadShare.waitMs);
  expect(await refused).toMatchObject({ code: 'rate_limit_exceeded', retryAfterMs: 1_000 });
});
