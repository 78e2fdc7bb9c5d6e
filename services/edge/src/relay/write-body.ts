import type { ServerResponse } from 'node:http';
import type { ByteStream } from '@tallyport/bus';
import { collectPassed } from '@tallyport/service-kit';
import type { BodyWriter } from './body-writer.ts';

/** Where a body is written. */
export interface BodyTarget {
  writer: BodyWriter;
  /** The declared length in bytes, if there is one. */
  length: number | undefined;
}

/**
 * Writes a body from the bus to the client at the client's pace: while its socket is full nothing is read, the bus
 * credit runs out, and the upstream pauses. Stops without an error if the client disconnects.
 */
export async function writeBody(
  response: ServerResponse,
  { writer, length }: BodyTarget,
  body: ByteStream,
): Promise<void> {
  let written = 0;
  for await (const bytes of body) {
    if (response.destroyed) return;
    written += bytes.length;
    if (written === length) return writer.end(bytes);
    if (!writer.write(bytes)) await drained(response);
    collectPassed(bytes.length);
  }
  writer.end();
}

/** Resolves when the socket can take more, or is closed. */
function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const resume = (): void => {
      response.off('drain', resume);
      response.off('close', resume);
      resolve();
    };
    response.on('drain', resume);
    response.on('close', resume);
  });
}
