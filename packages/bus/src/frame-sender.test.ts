import { expect, test } from 'vitest';
import { decodeFrame, FrameKind, splitHead } from './frame.ts';
import { createGather } from './gather.ts';
import { FrameSender } from './frame-sender.ts';

const kibibyte = 1024;
const head = Buffer.from('{}');

/** What leaves for a body, as the lengths of body bytes in each frame. */
function departures(firstKind: typeof FrameKind.request | typeof FrameKind.head, length: number) {
  const lengths: number[] = [];
  const gather = createGather(0);
  const sender = new FrameSender({
    gather,
    firstKind,
    transmit(bytes) {
      const frame = decodeFrame(bytes);
      if (!frame) throw new Error('not a frame');
      const body = frame.kind === firstKind ? splitHead(frame.payload)?.body : frame.payload;
      lengths.push(body?.length ?? 0);
    },
  });
  sender.begin(head);
  void sender.pump(Buffer.alloc(length));
  gather.flush();
  return { lengths, sender, flush: () => gather.flush() };
}

test('an answer leaves in frames of 16 KiB', () => {
  expect(departures(FrameKind.head, 16 * kibibyte).lengths).toEqual([16 * kibibyte]);
  expect(departures(FrameKind.head, 33 * kibibyte).lengths).toEqual([16 * kibibyte, 16 * kibibyte, kibibyte]);
});

test('a request of 256 KiB leaves in one frame, which waits for nobody', () => {
  const { lengths, sender } = departures(FrameKind.request, 256 * kibibyte);
  expect(lengths).toEqual([256 * kibibyte]);
  expect(sender.finished).toBe(true);
});

test('what is larger waits until the other side is known', () => {
  const { lengths, sender, flush } = departures(FrameKind.request, 256 * kibibyte + 1);
  expect(lengths).toEqual([256 * kibibyte]);
  expect(sender.finished).toBe(false);
  sender.release();
  flush();
  expect(lengths).toEqual([256 * kibibyte, 1]);
  expect(sender.finished).toBe(true);
});

test('no more than the credit leaves without an acknowledgement', () => {
  const { lengths, sender, flush } = departures(FrameKind.head, 2 * 1024 * kibibyte);
  expect(lengths).toEqual(Array.from({ length: 64 }, () => 16 * kibibyte));
  sender.acknowledge(1);
  flush();
  expect(lengths).toHaveLength(65);
});
