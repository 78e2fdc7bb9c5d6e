import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Frame, frameText } from '../frame.ts';
import { WireError } from '../wire-error.ts';
import { createSseDecoder } from './decoder.ts';

const limits = { maxFrameBytes: 1_000 };

interface Plain {
  event: string | undefined;
  id: string | undefined;
  data: string;
}

const plain = (frame: Frame): Plain => ({ event: frame.event, id: frame.id, data: frameText(frame) });
const data = (text: string): Plain => ({ event: undefined, id: undefined, data: text });

function decode(chunks: readonly Uint8Array[], options = limits): { frames: Plain[]; failed: boolean } {
  const decoder = createSseDecoder(options);
  const frames: Plain[] = [];
  try {
    for (const chunk of chunks) frames.push(...decoder.push(chunk).map(plain));
    frames.push(...decoder.end().map(plain));
    return { frames, failed: false };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { frames, failed: true };
  }
}

const decodeText = (text: string): Plain[] => decode([Buffer.from(text)]).frames;

describe('events', () => {
  test.each([
    ['one event', 'data: {"a":1}\n\n', [data('{"a":1}')]],
    ['no blank after the colon', 'data:x\n\n', [data('x')]],
    ['only one blank is taken away', 'data:  x\n\n', [data(' x')]],
    ['CRLF', 'data: x\r\n\r\ndata: y\r\n\r\n', [data('x'), data('y')]],
    ['CR alone', 'data: x\r\rdata: y\r\r', [data('x'), data('y')]],
    ['line ends mixed', 'data: x\r\n\ndata: y\r\n\rdata: z\n\n', [data('x'), data('y'), data('z')]],
    ['several data lines are joined', 'data: a\ndata:\ndata: b\n\n', [data('a\n\nb')]],
    ['a field without a colon is empty', 'data\n\n', [data('')]],
    ['comments say nothing', ': keep-alive\n\n:\n\ndata: x\n: in between\n\n', [data('x')]],
    ['a byte order mark at the start', '\u{feff}data: x\n\n', [data('x')]],
    ['only at the start', 'data: a\n\n\u{feff}data: x\n\n', [data('a')]],
    ['event and id', 'event: error\nid: 7\ndata: x\n\n', [{ event: 'error', id: '7', data: 'x' }]],
    ['names belong to their event only', 'event: e\ndata: x\n\ndata: y\n\n', [{ ...data('x'), event: 'e' }, data('y')]],
    ['an event without data is none', 'event: ping\n\ndata: x\n\n', [data('x')]],
    ['retry and unknown fields are passed over', 'retry: 10\nfoo: bar\ndatax: 1\ndata: x\n\n', [data('x')]],
    ['no blank line at the end', 'data: x', [data('x')]],
    ['one line end at the end', 'data: x\r\n', [data('x')]],
    ['text beyond ASCII', 'data: grüße 🌍\n\n', [data('grüße 🌍')]],
    ['nothing', '', []],
    ['empty lines only', '\n\r\n\n\r', []],
  ])('%s', (_name, text, frames) => {
    expect(decodeText(text)).toEqual(frames);
  });

  test('comments are counted', () => {
    const decoder = createSseDecoder(limits);
    decoder.push(Buffer.from(': one\n\ndata: x\n: two\n\n'));
    expect(decoder.comments()).toBe(2);
  });

  test('the last valid `retry` is known, also of events without data', () => {
    const decoder = createSseDecoder({ maxFrameBytes: 100 });
    expect(decoder.retryMs()).toBe(undefined);
    decoder.push(Buffer.from('retry: 3000\n\nretry: 5s\nretry: 1234567890\nretry:\ndata: a\n\n'));
    expect(decoder.retryMs()).toBe(3_000);
  });

  test('data is a view of the received bytes', () => {
    const chunk = Buffer.from('data: x\n\n');
    const [frame] = createSseDecoder(limits).push(chunk);
    expect(frame?.data.buffer).toBe(chunk.buffer);
  });

  test('a plain Uint8Array is accepted', () => {
    expect(decode([new TextEncoder().encode('data: x\n\n')]).frames).toEqual([data('x')]);
  });
});

describe('limits', () => {
  const sized = (bytes: number) => `data: ${'x'.repeat(bytes - 'data: '.length)}\n\n`;

  test('an event of exactly the limit passes, one byte more fails', () => {
    expect(decode([Buffer.from(sized(1_000))]).frames).toHaveLength(1);
    expect(decode([Buffer.from(sized(1_001))])).toEqual({ frames: [], failed: true });
  });

  test('a line that never ends fails when it passes the limit', () => {
    const decoder = createSseDecoder(limits);
    decoder.push(Buffer.from('\n'));
    decoder.push(Buffer.alloc(1_000, 'x'));
    expect(() => decoder.push(Buffer.from('x'))).toThrow(WireError);
  });

  test('the byte order mark does not count, wherever the first line is cut', () => {
    const marked = (bytes: number) => Buffer.from(`\u{feff}${sized(bytes)}`);
    for (const at of [2, 500, 1_003]) {
      expect(decode([marked(1_000).subarray(0, at), marked(1_000).subarray(at)]).frames).toHaveLength(1);
      expect(decode([marked(1_001).subarray(0, at), marked(1_001).subarray(at)])).toEqual({ frames: [], failed: true });
    }
  });

  test('an event of many small lines is limited', () => {
    expect(decode([Buffer.from('data:\n'.repeat(1_000))])).toEqual({ frames: [], failed: true });
  });

  test('events before one that is too large are returned first', () => {
    expect(decode([Buffer.from(`data: x\n\n${sized(2_000)}`)])).toEqual({ frames: [data('x')], failed: true });
  });

  test('a megabyte in tiny chunks takes linear time', () => {
    const decoder = createSseDecoder({ maxFrameBytes: 2_000_000 });
    const drop = Buffer.alloc(16, 'x');
    decoder.push(Buffer.from('data: '));
    for (let dropped = 0; dropped < 1_000_000; dropped += drop.length) decoder.push(drop);
    expect(decoder.push(Buffer.from('\n\n'))[0]?.data.length).toBe(1_000_000);
  });
});

describe('for any chunking', () => {
  const stream = Buffer.from(
    '\u{feff}: hi\r\ndata: {"a":"grüße 🌍"}\n\nevent: x\r\nid: 1\r\ndata: b\r\ndata: c\r\n\r\n: ping\n\ndata: d\r\rdata: [DONE]',
  );

  test('every position gives the same frames', () => {
    const whole = decode([stream]);
    expect(whole.frames).toHaveLength(4);
    for (let at = 0; at <= stream.length; at += 1) {
      expect(decode([stream.subarray(0, at), stream.subarray(at)])).toEqual(whole);
    }
    expect(decode(Array.from(stream, (byte) => Buffer.from([byte])))).toEqual(whole);
  });

  const piece = fc.constantFrom(
    'data: ',
    'data:',
    'x',
    '"é🌍"',
    '\n',
    '\r',
    '\r\n',
    '\n\n',
    ': c',
    'event: e',
    'id: 1',
    '\u{feff}',
  );

  test('random streams and random cuts give the same frames, and the same failure', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.array(fc.nat(200), { maxLength: 12 }), (pieces, cuts) => {
        const bytes = Buffer.from(pieces.join(''));
        const options = { maxFrameBytes: 40 };
        expect(decode(cut(bytes, cuts), options)).toEqual(decode([bytes], options));
      }),
      { numRuns: 3_000 },
    );
  });

  test('any bytes give frames or the typed error', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 8 }), (chunks) => {
        decode(chunks, { maxFrameBytes: 100 });
      }),
      { numRuns: 2_000 },
    );
  });
});

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [0, ...at.filter((place) => place <= bytes.length).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}
