import type { IncomingMessage } from 'node:http';
import { joinLimit } from '../relay/body-writer.ts';

/** The body of a message that says it is small; `undefined`, and nothing read, where it is not or does not say. */
export async function wholeIfSmall(message: IncomingMessage): Promise<Buffer | undefined> {
  const { 'content-length': length, 'transfer-encoding': coding } = message.headers;
  const isSmall = length === undefined ? isRequest(message) && coding === undefined : Number(length) <= joinLimit;
  return isSmall ? whole(message) : undefined;
}

/** An answer that says nothing goes on until its connection ends; a question has no body then. */
const isRequest = ({ method }: IncomingMessage): boolean => typeof method === 'string';

/** With events rather than an iterator: a small body is one event. */
function whole(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    message.on('error', reject);
    message.on('close', () => {
      if (!message.complete) reject(new Error('The message broke off before its end.'));
    });
  });
}
