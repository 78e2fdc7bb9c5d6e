import { EventStreamCodec } from '@smithy/core/event-streams';
import { fromUtf8, toUtf8 } from '@smithy/core/serde';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Frame, frameText } from '../frame.ts';
import { WireError } from '../wire-error.ts';
import { createAwsEventStreamDecoder } from './decoder.ts';

const limits = { maxFrameBytes: 1_000 };
/** Encodes with the vendor's own codec. */
const codec = new EventStreamCodec(toUtf8, fromUtf8);
type Headers = Parameters<EventStreamCodec['encode']>[0]['headers'];

const text = (value: string) => ({ type: 'string', value }) as const;
const encode = (headers: Headers, payload: string): Buffer =>
  Buffer.from(codec.encode({ headers, body: Buffer.from(payload) }));
const event = (type: string, payload: string): Buffer =>
  encode(
    { ':event-type': text(type), ':content-type': text('application/json'), ':message-type': text('event') },
    payload,
  );

interface Plain {
  event: string | undefined;
  data: string;
}
const plain = (frame: Frame): Plain => ({ event: frame.event, data: frameText(frame) });

function decode(chunks: readonly Uint8Array[], options = limits) {
  const decoder = createAwsEventStreamDecoder(options);
  const frames: Plain[] = [];
  try {
    for (const chunk of chunks) frames.push(...decoder.push(chunk).map(plain));
    frames.push(...decoder.end().map(plain));
    return { frames, failed: undefined };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { frames, failed: error.code };
  }
}

const changed = (bytes: Buffer, at: number, value: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(value, at);
  return copy;
};

describe('frames', () => {
  test('have the name and payload of an event', () => {
    expect(decode([event('contentBlockDelta', '{"p":"grüße 🌍"}')])).toEqual({
      frames: [{ event: 'contentBlockDelta', data: '{"p":"grüße 🌍"}' }],
      failed: undefined,
    });
  });

  test('never name a fault like an event', () => {
    const exception = encode(
      { ':exception-type': text('throttlingException'), ':message-type': text('exception') },
      '{"message":"slow"}',
    );
    const error = encode({ ':error-code': text('InternalError'), ':message-type': text('error') }, '');
    expect(decode([exception, error]).frames).toEqual([
      { event: 'exception:throttlingException', data: '{"message":"slow"}' },
      { event: 'error:InternalError', data: '' },
    ]);
  });

  test('skip header values of every type', () => {
    const headers: Headers = {
      yes: { type: 'boolean', value: true },
      no: { type: 'boolean', value: false },
      byte: { type: 'byte', value: 1 },
      short: { type: 'short', value: 2 },
      whole: { type: 'integer', value: 3 },
      binary: { type: 'binary', value: new Uint8Array([1, 2, 3]) },
      time: { type: 'timestamp', value: new Date(0) },
      id: { type: 'uuid', value: '01234567-89ab-cdef-0123-456789abcdef' },
      ':message-type': text('event'),
      ':event-type': text('metadata'),
    };
    expect(decode([encode(headers, '{}')]).frames).toEqual([{ event: 'metadata', data: '{}' }]);
  });

  test('are a view of the chunk if they are in one', () => {
    const chunk = event('metadata', '{}');
    const [frame] = createAwsEventStreamDecoder(limits).push(chunk);
    expect(frame?.data.buffer).toBe(chunk.buffer);
  });

  test('are dropped at the end if incomplete', () => {
    const bytes = event('metadata', '{}');
    for (let length = 0; length < bytes.length; length += 1) {
      expect(decode([bytes.subarray(0, length)])).toEqual({ frames: [], failed: undefined });
    }
  });
});

describe('corrupt input', () => {
  const good = event('messageStart', '{}');
  const whole = [{ event: 'messageStart', data: '{}' }];

  test('is detected for a change of any byte, after the frames before it', () => {
    for (let at = 0; at < good.length; at += 1) {
      const { frames, failed } = decode([Buffer.concat([good, changed(good, at, (good[at] ?? 0) ^ 1), good])]);
      expect({ at, frames, failed }).toEqual({ at, frames: whole, failed: 'frame_corrupt' });
    }
  });

  test.each<[string, Headers]>([
    ['no message type', { ':event-type': text('metadata') }],
    ['an unknown message type', { ':message-type': text('rumour') }],
  ])('%s', (_name, headers) => {
    expect(decode([encode(headers, '{}')]).failed).toBe('frame_corrupt');
  });

  test('ends the decoding', () => {
    const decoder = createAwsEventStreamDecoder(limits);
    expect(() => decoder.push(changed(good, 8, 0))).toThrow(WireError);
    expect(() => decoder.push(good)).toThrow(WireError);
  });
});

describe('limits', () => {
  const overhead = event('metadata', '').length;
  const sized = (bytes: number) => event('metadata', 'x'.repeat(bytes - overhead));

  test('a frame of exactly the limit passes, one byte more fails', () => {
    expect(decode([sized(1_000)]).frames).toHaveLength(1);
    expect(decode([sized(1_001)])).toEqual({ frames: [], failed: 'frame_too_large' });
  });

  test('the first twelve bytes show that a frame is too large', () => {
    expect(() => createAwsEventStreamDecoder(limits).push(sized(1_001).subarray(0, 12))).toThrow(WireError);
  });
});

describe('for any chunking', () => {
  const stream = Buffer.concat([
    event('messageStart', '{"role":"assistant"}'),
    event('é', '🌍'),
    event('metadata', ''),
  ]);

  test('every position gives the same frames', () => {
    const once = decode([stream]);
    expect(once.frames).toHaveLength(3);
    for (let at = 0; at <= stream.length; at += 1) {
      expect(decode([stream.subarray(0, at), stream.subarray(at)])).toEqual(once);
    }
    expect(decode(Array.from(stream, (byte) => Buffer.from([byte])))).toEqual(once);
  });

  test('changed bytes in random cuts give the same frames and the same failure', () => {
    const changes = fc.array(fc.tuple(fc.nat(stream.length - 1), fc.nat(255)), { maxLength: 3 });
    const cuts = fc.array(fc.nat(stream.length), { maxLength: 8 });
    fc.assert(
      fc.property(changes, cuts, (made, at) => {
        const bytes = Buffer.from(stream);
        for (const [place, value] of made) bytes[place] = value;
        const places = [0, ...at.toSorted((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        expect(decode(pieces)).toEqual(decode([bytes]));
      }),
      { numRuns: 2_000 },
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
