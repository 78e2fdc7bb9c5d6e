import { createHash } from 'node:crypto';

const LENGTH = 9;
const ownForm = /^[A-Za-z0-9]{9}$/;

/**
 * Ids are nine letters or digits here. Its own go to the client and come back as they are; those of other vendors, from
 * earlier turns, always become the same nine. Nothing has to be remembered: they only need to match within one request.
 */
export const nineCharacters = (id: string): string =>
  ownForm.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, LENGTH);
