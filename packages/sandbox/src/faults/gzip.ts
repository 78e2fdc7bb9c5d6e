import { gzipSync } from 'node:zlib';
import { bodyOf, ofReply, plain } from './fault.ts';

/** Says gzip and sends the bytes as they are. */
export const gzipMislabelledKind = plain(
  'gzip-mislabelled',
  ofReply((reply) => ({ ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' } })),
);

/** Says gzip and means it, whether the client accepts it or not. */
export const gzipKind = plain(
  'gzip',
  ofReply((reply) => ({
    ...reply,
    headers: { ...reply.headers, 'content-encoding': 'gzip' },
    pieces: [{ part: 'body', bytes: gzipSync(bodyOf(reply)) }],
  })),
);
