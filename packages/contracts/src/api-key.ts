import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

// `sk-sy-` + 32 random characters (190 bits) + a 6-character checksum over all before it.
const keyPrefix = 'sk-sy-';
const randomLength = 32;
const checksumLength = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyPattern = new RegExp(`^${keyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** A new key. `pick` gives an unpredictable number from 0 to `below` - 1. */
export function makeKey(pick: (below: number) => number = randomInt): string {
  const random = Array.from({ length: randomLength }, () => alphabet[pick(alphabet.length)]).join('');
  return keyPrefix + random + checksum(keyPrefix + random);
}

/** Whether the text wants to be one of our keys. Keys an operator chose (`BOOTSTRAP_API_KEY`) need not look like ours. */
export const looksLikeKey = (text: string): boolean => text.startsWith(keyPrefix);

/** Whether a text that looks like our key can be one: every single wrong or swapped character is found without a look-up. */
export function checkKey(text: string): boolean {
  if (!keyPattern.test(text)) return false;
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** What is stored, looked up and sent over the bus instead of the key: lower-case hex of its SHA-256. */
export const hashKey = (text: string): string => hash('sha256', text);

/** What people recognise a key by in lists: never enough of it to be of use to anyone else. */
export const recognisablePart = (text: string): string =>
  looksLikeKey(text) ? text.slice(0, keyPrefix.length + 6) : text.slice(0, 4);

/** CRC-32 in six digits of base 62 (62^6 is more than 2^32). */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumLength; place++) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
