/** Receives the parts of a response as they arrive. The `body` bytes are valid only during the call. */
interface ResponseSink {
  head(status: number): void;
  body(bytes: Buffer): void;
  end(): void;
}

type State = 'head' | 'length' | 'size' | 'chunk' | 'gap' | 'trailer';

interface ParserState {
  sink: ResponseSink;
  state: State;
  /** Bytes left of the body or of the chunk. */
  remaining: number;
}

const headEnd = Buffer.from('\r\n\r\n');
const newline = 10;
const largestHead = 64 * 1024;

/** Parses the framing of consecutive HTTP/1.1 responses, and nothing else. */
export function createResponseParser(sink: ResponseSink): (bytes: Buffer) => void {
  const reading: ParserState = { sink, state: 'head', remaining: 0 };
  let held: Buffer = Buffer.alloc(0);
  return (input) => {
    const bytes = held.length === 0 ? input : Buffer.concat([held, input]);
    let at = 0;
    while (at < bytes.length) {
      const next = steps[reading.state](reading, bytes, at);
      if (next < 0) break;
      at = next;
    }
    // Copied, because the read buffer is reused.
    held = at < bytes.length ? Buffer.from(bytes.subarray(at)) : nothing;
    if (held.length > largestHead) throw new Error('a response head larger than any server sends');
  };
}

const nothing: Buffer = Buffer.alloc(0);

/** Each step returns the position after what it parsed, or -1 if it needs more bytes. */
const steps: Record<State, (reading: ParserState, bytes: Buffer, at: number) => number> = {
  head(reading, bytes, at) {
    const end = bytes.indexOf(headEnd, at);
    if (end < 0) return -1;
    readHead(reading, bytes.toString('latin1', at, end));
    return end + headEnd.length;
  },
  length(reading, bytes, at) {
    const end = take(reading, bytes, at);
    if (reading.remaining === 0) finish(reading);
    return end;
  },
  size(reading, bytes, at) {
    const end = bytes.indexOf(newline, at);
    if (end < 0) return -1;
    reading.remaining = Number.parseInt(bytes.toString('latin1', at, end), 16);
    reading.state = reading.remaining === 0 ? 'trailer' : 'chunk';
    return end + 1;
  },
  chunk(reading, bytes, at) {
    const end = take(reading, bytes, at);
    if (reading.remaining === 0) reading.state = 'gap';
    return end;
  },
  gap(reading, bytes, at) {
    if (bytes.length - at < 2) return -1;
    reading.state = 'size';
    return at + 2;
  },
  trailer(reading, bytes, at) {
    const end = bytes.indexOf(newline, at);
    if (end < 0) return -1;
    if (end - at <= 1) finish(reading);
    return end + 1;
  },
};

function readHead(reading: ParserState, head: string): void {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  reading.remaining = Number(length ?? 0);
  reading.state = length === undefined ? 'size' : 'length';
  reading.sink.head(Number(head.slice(9, 12)));
  if (length !== undefined && reading.remaining === 0) finish(reading);
}

function take(reading: ParserState, bytes: Buffer, at: number): number {
  const end = Math.min(bytes.length, at + reading.remaining);
  reading.remaining -= end - at;
  reading.sink.body(bytes.subarray(at, end));
  return end;
}

function finish(reading: ParserState): void {
  reading.state = 'head';
  reading.sink.end();
}
