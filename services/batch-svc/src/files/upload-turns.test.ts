import { afterEach, expect, test, vi } from 'vitest';
import { createUploadTurns, uploadShare } from './upload-turns.ts';

afterEach(() => vi.useRealTimers());

/** Uploads that run until they are released. */
function held() {
  const release = Promise.withResolvers<void>();
  let running = 0;
  return {
    running: () => running,
    release: release.resolve,
    async upload(): Promise<string> {
      running += 1;
      await release.promise;
      running -= 1;
      return 'stored';
    },
  };
}

test('eight uploads of an account run at once, the next one waits, and those of another account do not', async () => {
  const inTurn = createUploadTurns();
  const { upload, running, release } = held();
  const all = Array.from({ length: uploadShare.eachAtOnce + 1 }, () => inTurn('a', upload));
  expect(await inTurn('b', async () => 'other')).toBe('other');
  expect(running()).toBe(8);
  release();
  expect(new Set(await Promise.all(all))).toEqual(new Set(['stored']));
});

test('an upload that waits too long is refused, and one that fails ends its turn', async () => {
  vi.useFakeTimers();
  const inTurn = createUploadTurns();
  const { upload, release } = held();
  const running = Array.from({ length: uploadShare.eachAtOnce - 1 }, () => inTurn('a', upload));
  for (let times = 0; times < 2; times += 1) {
    await expect(inTurn('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  }
  running.push(inTurn('a', upload));
  const refused = inTurn('a', upload).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(uploadShare.waitMs);
  expect(await refused).toMatchObject({ code: 'rate_limit_exceeded', retryAfterMs: 1_000 });
  release();
  await Promise.all(running);
});
