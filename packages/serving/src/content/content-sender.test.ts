import type { KeptContent } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { createContentSender, type WaitingContent } from './content-sender.ts';

function sending({ failures = 0, tries = 3, holds = false } = {}) {
  const batches: string[][] = [];
  const counted: unknown[] = [];
  const released: string[] = [];
  let left = failures;
  const sender = createContentSender({
    async store(contents, signal) {
      batches.push(contents.map(({ id }) => id));
      if (holds) await new Promise((_resolve, reject) => signal.addEventListener('abort', reject, { once: true }));
      if (left-- > 0) throw new Error('away');
    },
    events: {
      stored: (count) => counted.push(['stored', count]),
      dropped: (reason, count) => counted.push([reason, count]),
    },
    retryMs: 1,
    tries,
  });
  const waiting = (id: string, bytes = 1): WaitingContent => ({
    content: { id, accountId: 'account', content: { prompt: { parts: [], cut: false } } } satisfies KeptContent,
    bytes,
    release: () => released.push(id),
  });
  return { sender, waiting, batches, counted, released };
}

test('contents that arrive while others are sent share a batch of at most a hundred', async () => {
  const { sender, waiting, batches, released } = sending();
  for (let at = 0; at <= 101; at += 1) sender.add(waiting(`use_${at}`));
  await expect.poll(() => released).toHaveLength(102);
  expect(batches.map(({ length }) => length)).toEqual([1, 100, 1]);
});

test('a batch has at most a mebibyte, and a larger content is alone', async () => {
  const { sender, waiting, batches, released } = sending();
  const mebibyte = 1024 * 1024;
  const sizes = [1, mebibyte - 1, 1, 1, 2 * mebibyte];
  sizes.forEach((bytes, at) => sender.add(waiting(`use_${at}`, bytes)));
  await expect.poll(() => released).toHaveLength(5);
  expect(batches).toEqual([['use_0'], ['use_1', 'use_2'], ['use_3'], ['use_4']]);
});

test('a batch that cannot be stored is tried again, and dropped and counted after the last try', async () => {
  const recovering = sending({ failures: 2 });
  recovering.sender.add(recovering.waiting('use_1'));
  await expect.poll(() => recovering.counted).toEqual([['stored', 1]]);
  const away = sending({ failures: 3 });
  away.sender.add(away.waiting('use_1'));
  away.sender.add(away.waiting('use_2'));
  await expect.poll(() => away.counted).toEqual([['unavailable', 1], ['stored', 1]]); // prettier-ignore
  expect(away.released).toEqual(['use_1', 'use_2']);
});

test('what is not stored by the deadline of a stop is dropped and counted', async () => {
  const { sender, waiting, counted, released } = sending({ holds: true });
  sender.add(waiting('use_1'));
  sender.add(waiting('use_2'));
  await sender.stop(10);
  expect(counted).toEqual([['unavailable', 1], ['unavailable', 1]]); // prettier-ignore
  expect(released).toEqual(['use_1', 'use_2']);
});
