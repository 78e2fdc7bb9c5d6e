import type { IncomingMessage } from 'node:http';
import { joinLimit } from '../relay/body-writer.ts';

/**
 * Reads the body if its declared length is small. Returns `undefined`, having read nothing, if it is large or
 * undeclared.
 */
export async function wholeIfSmall(answer: IncomingMessage): Promise<Buffer | undefined> {
  const { 'content-length': length } = answer.headers;
  return length !== undefined && Number(length) <= joinLimit ? whole(answer) : undefined;
}

/** Events are cheaper than an iterator here: a small body is one event. */
function whole(answer: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    answer.on('error', reject);
    answer.on('close', () => {
      if (!answer.complete) reject(new Error('The response broke off before its end.'));
    });
  });
}
