import { nameHash } from './name-hash.ts';

/** 40 characters, which every vendor with a limit accepts. */
const longestBeginning = 31;

/**
 * The id of a call as a vendor accepts it. The vendor's own ids are unchanged. An id of another vendor always becomes the
 * same one, and two ids never become one. Nothing is remembered, because ids only have to match within one request.
 */
export function acceptedCallId(id: string, accepted: RegExp): string {
  if (accepted.test(id)) return id;
  return `${id.replaceAll(/[^\w-]/g, '_').slice(0, longestBeginning)}_${nameHash(id)}`;
}
