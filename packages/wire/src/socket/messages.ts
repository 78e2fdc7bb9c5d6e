/** Messages of a WebSocket, one behind the other in a stream of bytes: their kind, their length, and their bytes. */
export type SocketMessage =
  | { kind: 'text' | 'binary'; bytes: Buffer }
  /** The last one. */
  | { kind: 'close'; code: number; reason: string };

const kinds = ['text', 'binary', 'close'] as const;
/** One byte for the kind and four for the length. */
const headBytes = 5;

export function encodeSocketMessage(message: SocketMessage): Buffer {
  const bytes = message.kind === 'close' ? closeBytes(message) : message.bytes;
  const encoded = Buffer.allocUnsafe(headBytes + bytes.length);
  encoded[0] = kinds.indexOf(message.kind);
  encoded.writeUInt32BE(bytes.length, 1);
  encoded.set(bytes, headBytes);
  return encoded;
}

function closeBytes({ code, reason }: { code: number; reason: string }): Buffer {
  const bytes = Buffer.from(`  ${reason}`);
  bytes.writeUInt16BE(code);
  return bytes;
}

/** Reads messages, wherever the stream was cut. Throws a RangeError for one above the limit or of an unknown kind. */
export class SocketMessageDecoder {
  readonly #mostBytes: number;
  #pieces: Buffer[] = [];
  #length = 0;
  #wanted = headBytes;

  /** Of one message. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  push(piece: Uint8Array): SocketMessage[] {
    this.#pieces.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    this.#length += piece.length;
    const messages: SocketMessage[] = [];
    while (this.#length >= this.#wanted) {
      const joined = this.#joined();
      const end = this.#endOf(joined);
      if (this.#length < end) break;
      messages.push(messageOf(joined.subarray(0, end)));
      this.#keep(joined.subarray(end));
    }
    return messages;
  }

  #joined(): Buffer {
    const [first] = this.#pieces;
    const joined = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces, this.#length);
    this.#pieces = [joined];
    return joined;
  }

  /** Bytes are joined again once the whole message has arrived. */
  #endOf(joined: Buffer): number {
    const length = joined.readUInt32BE(1);
    if (length > this.#mostBytes) throw new RangeError(`A message has ${length} bytes.`);
    this.#wanted = headBytes + length;
    return this.#wanted;
  }

  #keep(rest: Buffer): void {
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    this.#wanted = headBytes;
  }
}

/** The messages in a stream of bytes. Throws like the decoder. */
export async function* socketMessagesIn(
  pieces: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<SocketMessage, undefined> {
  const decoder = new SocketMessageDecoder(mostBytes);
  for await (const piece of pieces) yield* decoder.push(piece);
  return undefined;
}

function messageOf(encoded: Buffer): SocketMessage {
  const kind = kinds[encoded[0] ?? kinds.length];
  const bytes = encoded.subarray(headBytes);
  if (kind === undefined || (kind === 'close' && bytes.length < 2))
    throw new RangeError('A message has no known kind.');
  if (kind === 'close') return { kind, code: bytes.readUInt16BE(), reason: bytes.toString('utf8', 2) };
  return { kind, bytes };
}
