import type { ServerResponse } from 'node:http';
import type { ByteStream } from '@switchyard/bus';
import type { BodyWriter } from './body-writer.ts';

export interface WritableBody {
  body: ByteStream;
  /** In bytes, where the answer says it. */
  length: number | undefined;
}

/**
 * Writes what comes from the bus to the client, at the client's pace: while its socket is full nothing is read, the
 * credit runs out, and the upstream pauses.
 */
export async function writeBody(
  response: ServerResponse,
  writer: BodyWriter,
  { body, length }: WritableBody,
): Promise<void> {
  let written = 0;
  for await (const bytes of body) {
    if (response.destroyed) return;
    written += bytes.length;
    if (written === length) return writer.end(bytes);
    if (!writer.write(bytes)) await drained(response);
  }
  writer.end();
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
