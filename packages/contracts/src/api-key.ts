import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

// `sk-tp-` + 32 random characters (190 bits) + a 6-character checksum of everything before it.
const keyPrefix = 'sk-tp-';
const randomLength = 32;
const checksumLength = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyPattern = new RegExp(`^${keyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** Makes a new key. `pick` returns an unpredictable integer from 0 to `below` - 1. */
export function makeKey(pick: (below: number) => number = randomInt): string {
  const random = Array.from({ length: randomLength }, () => alphabet[pick(alphabet.length)]).join('');
  return keyPrefix + random + checksum(keyPrefix + random);
}

/** Whether the text has our prefix. A key that an operator chose (`BOOTSTRAP_API_KEY`) need not have it. */
export const looksLikeKey = (text: string): boolean => text.startsWith(keyPrefix);

/**
 * Whether the text has the format of our keys and a correct checksum. Finds any one wrong or swapped character without
 * a look-up.
 */
export function checkKey(text: string): boolean {
  if (!keyPattern.test(text)) return false;
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** What is stored, looked up and sent over the bus instead of the key: lower-case hex of its SHA-256. */
export const hashKey = (text: string): string => hash('sha256', text);

/** The first characters of a key, shown in lists so that people recognise it. Too short to be used as the key. */
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
