import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeFrame, encodeFrame, forwarded, FrameKind, splitHead } from './frame.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('frames', () => {
  test('decode to what was encoded', () => {
    fc.assert(
      fc.property(fc.json(), fc.uint8Array(), fc.boolean(), fc.nat(0xffff_ffff), (head, body, last, sequence) => {
        const frame = decodeFrame(encodeFrame({ kind: FrameKind.head, last, sequence, head, chunks: [body] }))!;
        expect(frame).toMatchObject({ kind: FrameKind.head, last, sequence, forwards: 0 });
        const parts = splitHead(frame.payload)!;
        expect(parts.head).toBe(head);
        expect([...parts.body]).toEqual([...body]);
      }),
    );
  });

  test('start with six bytes: kind, flags, sequence', () => {
    const frame = encodeFrame({ kind: FrameKind.data, last: true, sequence: 258, chunks: [bytes('ab'), bytes('c')] });
    expect([...frame]).toEqual([3, 1, 0, 0, 1, 2, 97, 98, 99]);
  });

  test('are undefined for arbitrary bytes, without throwing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 32 }), (noise) => {
        const frame = decodeFrame(noise);
        if (frame) splitHead(frame.payload);
      }),
    );
    expect(decodeFrame(new Uint8Array(5))).toBeUndefined();
    expect(decodeFrame(Uint8Array.of(99, 0, 0, 0, 0, 0))).toBeUndefined();
    expect(splitHead(Uint8Array.of(0, 0, 0, 9, 1))).toBeUndefined();
  });

  test('count forwards and keep the rest when a request is forwarded', () => {
    const frame = encodeFrame({
      kind: FrameKind.request,
      last: true,
      sequence: 0,
      head: '{}',
      chunks: [bytes('x')],
    });
    const twice = decodeFrame(forwarded(forwarded(frame)))!;
    expect(twice).toMatchObject({ last: true, forwards: 2 });
    expect(Buffer.from(splitHead(twice.payload)!.body).toString()).toBe('x');
  });
});
