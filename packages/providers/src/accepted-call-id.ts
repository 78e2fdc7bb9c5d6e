import { createHash } from 'node:crypto';

/** 40 characters, which every vendor with a limit accepts. */
const longestBeginning = 31;
const hashLength = 8;

/**
 * The id of a call as a vendor accepts it. The vendor's own ids are unchanged. An id of another vendor always becomes the
 * same one, and two ids never become one. Nothing is remembered, because ids only have to match within one request.
 */
export function acceptedCallId(id: string, accepted: RegExp): string {
  if (accepted.test(id)) return id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, hashLength);
  return `${id.replaceAll(/[^\w-]/g, '_').slice(0, longestBeginning)}_${hash}`;
}
