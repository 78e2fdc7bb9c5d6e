import type { ServerResponse } from 'node:http';
import type { ByteStream } from '@switchyard/bus';

/**
 * Writes what comes from the bus to the client, at the client's pace: while its socket is full nothing is read, the
 * credit runs out, and the upstream pauses.
 */
export async function writeBody(response: ServerResponse, body: ByteStream, length: number | undefined): Promise<void> {
  let written = 0;
  for await (const bytes of body) {
    if (response.destroyed) return;
    written += bytes.length;
    if (written === length) return void response.end(bytes);
    if (!response.write(bytes)) await drained(response);
  }
  response.end();
}

/** Resolves when the socket takes more, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go);
      response.off('close', go);
      resolve();
    };
    response.on('drain', go);
    response.on('close', go);
  });
}
