import { expect, test } from 'vitest';
import { decodeFrame, FrameKind, splitHead } from './frame.ts';
import { createGather } from './gather.ts';
import { FrameSender } from './frame-sender.ts';

const kibibyte = 1024;
const head = '{}';

/** Sends a body and records the number of body bytes in each frame. */
function sendBody(firstKind: typeof FrameKind.request | typeof FrameKind.head, length: number) {
  const lengths: number[] = [];
  const gather = createGather(0);
  function transmit(bytes: Uint8Array): void {
    const frame = decodeFrame(bytes);
    if (!frame) throw new Error('not a frame');
    const body = frame.kind === firstKind ? splitHead(frame.payload)?.body : frame.payload;
    lengths.push(body?.length ?? 0);
  }
  const sender = new FrameSender({ transmit }, gather, firstKind);
  sender.begin(head);
  void sender.pump(Buffer.alloc(length));
  gather.flush();
  return { lengths, sender, flush: () => gather.flush() };
}

test('sends an answer in frames of 16 KiB', () => {
  expect(sendBody(FrameKind.head, 16 * kibibyte).lengths).toEqual([16 * kibibyte]);
  expect(sendBody(FrameKind.head, 33 * kibibyte).lengths).toEqual([16 * kibibyte, 16 * kibibyte, kibibyte]);
});

test('sends a request of 256 KiB at once in a single frame', () => {
  const { lengths, sender } = sendBody(FrameKind.request, 256 * kibibyte);
  expect(lengths).toEqual([256 * kibibyte]);
  expect(sender.finished).toBe(true);
});

test('holds the rest of a larger request until the other side is known', () => {
  const { lengths, sender, flush } = sendBody(FrameKind.request, 256 * kibibyte + 1);
  expect(lengths).toEqual([256 * kibibyte]);
  expect(sender.finished).toBe(false);
  sender.release();
  flush();
  expect(lengths).toEqual([256 * kibibyte, 1]);
  expect(sender.finished).toBe(true);
});

test('sends no more than the credit without an acknowledgement', () => {
  const { lengths, sender, flush } = sendBody(FrameKind.head, 2 * 1024 * kibibyte);
  expect(lengths).toEqual(Array.from({ length: 64 }, () => 16 * kibibyte));
  sender.acknowledge(1);
  flush();
  expect(lengths).toHaveLength(65);
});
