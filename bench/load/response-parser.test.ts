import { expect, test } from 'vitest';
import { createResponseParser } from './response-parser.ts';

interface ParsedResponse {
  status: number;
  body: string;
  ended: boolean;
}

const responses = Buffer.from(
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello' +
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nx-trailer: 1\r\n\r\n' +
    'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n' +
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
);

const expected: ParsedResponse[] = [
  { status: 200, body: 'hello', ended: true },
  { status: 200, body: 'abc0123456789', ended: true },
  { status: 503, body: '', ended: true },
  { status: 200, body: '', ended: true },
];

/** Feeds all pieces through one reused buffer, as sockets do. */
function readIn(pieces: readonly Buffer[]): ParsedResponse[] {
  const seen: ParsedResponse[] = [];
  const parse = createResponseParser({
    head: (status) => void seen.push({ status, body: '', ended: false }),
    body: (bytes) => {
      const last = seen.at(-1);
      if (last) last.body += bytes.toString();
    },
    end: () => {
      const last = seen.at(-1);
      if (last) last.ended = true;
    },
  });
  const shared = Buffer.alloc(responses.length);
  for (const piece of pieces) parse(shared.subarray(0, piece.copy(shared)));
  return seen;
}

test('parses responses the same wherever they are split', () => {
  expect(readIn([responses])).toEqual(expected);
  for (let cut = 1; cut < responses.length; cut++) {
    expect(readIn([responses.subarray(0, cut), responses.subarray(cut)])).toEqual(expected);
  }
  expect(readIn(Array.from(responses, (byte) => Buffer.of(byte)))).toEqual(expected);
});

test('rejects a head that does not end', () => {
  const parse = createResponseParser({ head: () => {}, body: () => {}, end: () => {} });
  expect(() => parse(Buffer.alloc(64 * 1024 + 1, 'x'))).toThrow('larger than any server sends');
});
