import { expect, test } from 'vitest';
import { createJournalRoom, type StreamSize } from './nats-journal-room.ts';

const megabyte = 1024 * 1024;
/** What a message takes besides its own bytes. */
const overhead = 256;

/** A stream of which this room is the only writer. */
function open(size: StreamSize) {
  let checks = 0;
  const room = createJournalRoom(async () => {
    checks += 1;
    return { ...size };
  });
  async function publish(bytes: number): Promise<boolean> {
    const isTaken = await room.reserve(bytes).then(() => true, () => false); // prettier-ignore
    if (isTaken) size.bytes += bytes + overhead;
    return isTaken;
  }
  return { publish, checks: () => checks };
}

test('a stream is filled to half of a small limit, to the byte', async () => {
  expect(await open({ bytes: 0, maxBytes: 100_000 }).publish(50_000 - overhead + 1)).toBe(false);
  const { publish } = open({ bytes: 0, maxBytes: 100_000 });
  expect(await publish(50_000 - overhead)).toBe(true);
  expect(await publish(1)).toBe(false);
});

test('a large stream is filled but for 64 MiB', async () => {
  const free = 64 * megabyte;
  const { publish } = open({ bytes: 0, maxBytes: 1_024 * megabyte });
  expect(await publish(1_024 * megabyte - free - overhead)).toBe(true);
  expect(await publish(1)).toBe(false);
});

test('a stream without a limit takes everything and is asked once', async () => {
  const { publish, checks } = open({ bytes: 1e12, maxBytes: -1 });
  for (let count = 0; count < 100; count += 1) expect(await publish(megabyte)).toBe(true);
  expect(checks()).toBe(1);
});

test('the size is read again after an eighth of what stays free', async () => {
  const { publish, checks } = open({ bytes: 0, maxBytes: 160_000 });
  const each = 1_000 - overhead;
  for (let count = 0; count < 10; count += 1) await publish(each);
  expect(checks()).toBe(1);
  await publish(each);
  expect(checks()).toBe(2);
});

test('a message that is larger than that share is taken when it fits', async () => {
  const { publish } = open({ bytes: 0, maxBytes: 160_000 });
  expect([await publish(30_000), await publish(30_000), await publish(30_000)]).toEqual([true, true, false]);
});

test('while it is full, 100 messages at once read its size once', async () => {
  const { publish, checks } = open({ bytes: 100_000, maxBytes: 100_000 });
  await Promise.all(Array.from({ length: 100 }, () => publish(10)));
  expect(checks()).toBe(1);
  await publish(10);
  expect(checks()).toBe(1);
});

test('a size that cannot be read refuses, and is read again for the next message', async () => {
  let isAway = true;
  const room = createJournalRoom(async () => {
    if (isAway) throw new Error('away');
    return { bytes: 0, maxBytes: 100_000 };
  });
  await expect(room.reserve(1)).rejects.toThrow('away');
  isAway = false;
  await expect(room.reserve(1)).resolves.toBeUndefined();
});
