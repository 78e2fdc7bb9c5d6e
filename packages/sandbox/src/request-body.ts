import type { IncomingMessage } from 'node:http';

type ReadBody = { kind: 'complete'; bytes: Buffer } | { kind: 'too-large' } | { kind: 'aborted' };

/** Reads a request's body up to `maxBytes` and discards the rest. */
export function receiveBody(request: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  const { promise, resolve } = Promise.withResolvers<ReadBody>();
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else resolve({ kind: 'too-large' });
  });
  request.once('end', () =>
    resolve({ kind: 'complete', bytes: chunks.length === 1 ? first(chunks) : Buffer.concat(chunks) }),
  );
  request.once('error', () => resolve({ kind: 'aborted' }));
  request.once('close', () => resolve({ kind: 'aborted' }));
  return promise;
}

const first = (chunks: readonly Buffer[]): Buffer => chunks[0] ?? Buffer.alloc(0);
