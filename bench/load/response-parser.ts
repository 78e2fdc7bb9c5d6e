/** What one response is made of, as it arrives. `body` bytes are only good during the call. */
export interface ResponseSink {
  head(status: number): void;
  body(bytes: Buffer): void;
  end(): void;
}

type State = 'head' | 'length' | 'size' | 'chunk' | 'gap' | 'trailer';

const headEnd = Buffer.from('\r\n\r\n');
const newline = 10;
const largestHead = 64 * 1024;

/** Reads HTTP/1.1 responses, one after the other, with as little work as framing allows. */
export function createResponseParser(sink: ResponseSink): (bytes: Buffer) => void {
  let state: State = 'head';
  let held: Buffer = Buffer.alloc(0);
  let remaining = 0;

  /** Each step returns where it stopped, or -1 when it needs more bytes than there are. */
  const steps: Record<State, (bytes: Buffer, at: number) => number> = {
    head(bytes, at) {
      const end = bytes.indexOf(headEnd, at);
      if (end < 0) return -1;
      readHead(bytes.toString('latin1', at, end));
      return end + headEnd.length;
    },
    length(bytes, at) {
      const end = take(bytes, at);
      if (remaining === 0) finish();
      return end;
    },
    size(bytes, at) {
      const end = bytes.indexOf(newline, at);
      if (end < 0) return -1;
      remaining = Number.parseInt(bytes.toString('latin1', at, end), 16);
      state = remaining === 0 ? 'trailer' : 'chunk';
      return end + 1;
    },
    chunk(bytes, at) {
      const end = take(bytes, at);
      if (remaining === 0) state = 'gap';
      return end;
    },
    gap(bytes, at) {
      if (bytes.length - at < 2) return -1;
      state = 'size';
      return at + 2;
    },
    trailer(bytes, at) {
      const end = bytes.indexOf(newline, at);
      if (end < 0) return -1;
      if (end - at <= 1) finish();
      return end + 1;
    },
  };

  function readHead(head: string): void {
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    remaining = Number(length ?? 0);
    state = length === undefined ? 'size' : 'length';
    sink.head(Number(head.slice(9, 12)));
    if (length !== undefined && remaining === 0) finish();
  }

  function take(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + remaining);
    remaining -= end - at;
    sink.body(bytes.subarray(at, end));
    return end;
  }

  function finish(): void {
    state = 'head';
    sink.end();
  }

  return (input) => {
    const bytes = held.length === 0 ? input : Buffer.concat([held, input]);
    held = Buffer.alloc(0);
    let at = 0;
    while (at < bytes.length) {
      const next = steps[state](bytes, at);
      if (next < 0) break;
      at = next;
    }
    // Copied, because the memory read into is used again.
    if (at < bytes.length) held = Buffer.from(bytes.subarray(at));
    if (held.length > largestHead) throw new Error('a response head larger than any server sends');
  };
}
