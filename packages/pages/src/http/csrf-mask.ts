import { randomBytes } from 'node:crypto';

const tokenBytes = 32;

/**
 * Masks a CSRF token with random bytes. Compressed pages then have no constant secret whose characters could be guessed
 * from the lengths of responses (BREACH).
 */
export function maskToken(token: string): string {
  const mask = randomBytes(tokenBytes);
  return Buffer.concat([mask, xor(Buffer.from(token, 'base64url'), mask)]).toString('base64url');
}

/** Returns the token that was masked; `undefined` for a text that no page contains. */
export function unmaskToken(masked: string): string | undefined {
  const bytes = Buffer.from(masked, 'base64url');
  if (bytes.length !== 2 * tokenBytes) return undefined;
  return xor(bytes.subarray(tokenBytes), bytes.subarray(0, tokenBytes)).toString('base64url');
}

const xor = (bytes: Buffer, mask: Buffer): Buffer => Buffer.from(bytes.map((byte, at) => byte ^ (mask[at] ?? 0)));
