import { randomUUID } from 'node:crypto';
import { GatewayError, type RequestHead } from '@tallyport/contracts';
import type { Lease } from '@tallyport/serving';
import { parseExactJson, parseJsonBody } from '@tallyport/wire';
import { copiesOfRequest } from '../copies-of-request.ts';
import { type FilePlace, filePlacesIn, type IdMember, type NamingPart, withParts } from './file-places.ts';
import { inlineLength, partWithContent } from './part-with-content.ts';
import type { StoredFiles } from './stored-files.ts';

interface InlineRequest {
  files: StoredFiles;
  /** The members that have ids in bodies of this API. */
  members: readonly IdMember[];
  head: RequestHead;
  signal: AbortSignal;
  maxBodyBytes: number;
  /** Holds the bytes of the body already. */
  lease: Lease;
}

/** Each is asked for on its own. */
const mostFiles = 100;

/**
 * The body with the contents of stored files in place of their ids; the same for other bodies, and for those that are no
 * JSON, because the endpoint explains what is wrong. Throws `not_found` for a file that the key does not know,
 * `invalid_parameters` for one that cannot be where it is named, and `request_too_large` or `overloaded` if there is no room.
 */
export async function inlineFiles(arrived: Uint8Array, request: InlineRequest): Promise<Uint8Array> {
  const bytes = Buffer.from(arrived.buffer, arrived.byteOffset, arrived.byteLength);
  // Most bodies name none, and parsing them costs far more.
  if (!request.members.some((member) => bytes.includes(`"${member}"`))) return arrived;
  const read = parseJsonBody([bytes], randomUUID, parseExactJson);
  if (!read.ok) return arrived;
  const named = Map.groupBy(filePlacesIn(read.value), ({ id }) => id);
  if (named.size === 0) return arrived;
  if (named.size > mostFiles) throw tooMany();
  return Buffer.from(JSON.stringify(withParts(read.value, await inlineParts(named, bytes.length, request))));
}

async function inlineParts(
  named: ReadonlyMap<string, readonly FilePlace[]>,
  arrivedBytes: number,
  { files, head, signal, maxBodyBytes, lease }: InlineRequest,
): Promise<ReadonlyMap<NamingPart, NamingPart>> {
  let total = arrivedBytes;
  const fit = (bytes: number): void => {
    if (!(total + bytes <= maxBodyBytes)) throw tooLarge(maxBodyBytes);
  };
  lease.take((copiesOfRequest - 1) * arrivedBytes);
  const expect = (bytes: number): void => {
    fit(bytes);
    lease.take(bytes);
  };
  const parts = new Map<NamingPart, NamingPart>();
  for (const places of named.values()) {
    const [first] = places;
    if (first === undefined) continue;
    const file = await files.read(first, { head, signal, expect });
    for (const place of places) {
      const more = inlineLength(place, file);
      fit(more);
      lease.take(copiesOfRequest * more);
      total += more;
      parts.set(place.part, partWithContent(place, file));
    }
  }
  return parts;
}

const tooMany = (): GatewayError =>
  new GatewayError('invalid_parameters', `A request names at most ${mostFiles} stored files. Name fewer.`);

const tooLarge = (limit: number): GatewayError =>
  new GatewayError(
    'request_too_large',
    `With its files, the body is larger than ${limit} bytes (MAX_BODY_BYTES). Name smaller ones.`,
  );
