import { type PieceKind, type Piece } from '@tallyport/sandbox';
import { crc32 } from 'node:zlib';

const stringType = 7;

/** One frame of application/vnd.amazon.eventstream. */
function frame(headers: Readonly<Record<string, string>>, payload: unknown): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)));
  const body = Buffer.from(JSON.stringify(payload));
  const total = 12 + head.length + body.length + 4;
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(total, 0);
  prelude.writeUInt32BE(head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, head, body]);
  return Buffer.concat([message, uint32(crc32(message))]);
}

function header(name: string, value: string): Buffer {
  const text = Buffer.from(value);
  const size = Buffer.alloc(2);
  size.writeUInt16BE(text.length);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([stringType]), size, text]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Every payload is padded with a member `p`, so that its size reveals nothing. */
export function eventFrame(part: PieceKind, type: string, payload: object): Piece {
  const size = JSON.stringify(payload).length;
  const p = alphabet.slice(0, 1 + ((size * 7) % alphabet.length));
  const headers = { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' };
  return { part, bytes: frame(headers, { ...payload, p }) };
}

export function exceptionFrame(type: string, payload: object): Piece {
  const headers = { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' };
  return { part: 'error', bytes: frame(headers, payload) };
}
