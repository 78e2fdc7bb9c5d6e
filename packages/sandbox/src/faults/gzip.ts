import { gzipSync } from 'node:zlib';
import { bodyOf, ofReply, plain } from './fault.ts';

/** Declares gzip and sends uncompressed bytes. */
export const gzipMislabelledKind = plain(
  'gzip-mislabelled',
  ofReply((reply) => ({ ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' } })),
);

/** Compresses the body even if the client does not accept gzip. */
export const gzipKind = plain(
  'gzip',
  ofReply((reply) => ({
    ...reply,
    headers: { ...reply.headers, 'content-encoding': 'gzip' },
    pieces: [{ part: 'body', bytes: gzipSync(bodyOf(reply)) }],
  })),
);
