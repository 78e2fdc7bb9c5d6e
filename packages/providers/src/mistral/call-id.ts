import { createHash } from 'node:crypto';

const LENGTH = 9;
const ownForm = /^[A-Za-z0-9]{9}$/;

/**
 * The vendor requires ids of nine letters or digits. Its own ids are unchanged; an id of another vendor always maps to
 * the same nine characters. Nothing is remembered, because ids only have to match within one request.
 */
export const nineCharacters = (id: string): string =>
  ownForm.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, LENGTH);
