import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { sealedPrefix } from '@tallyport/wire';

const cipher = 'aes-256-gcm';
const [nonceBytes, tagBytes] = [12, 16];
const prefix = `${sealedPrefix}compaction.`;

export const sealKeyBytes = 32;

/** Encrypts a summary. Only the same key opens it, and only unchanged. */
export function sealSummary(summary: string, key: Uint8Array): string {
  const nonce = randomBytes(nonceBytes);
  const encrypting = createCipheriv(cipher, key, nonce);
  const encrypted = [encrypting.update(summary, 'utf8'), encrypting.final(), encrypting.getAuthTag()];
  return prefix + Buffer.concat([nonce, ...encrypted]).toString('base64url');
}

/** `undefined` for a text that was sealed with another key, or changed. */
export function openSummary(sealed: string, key: Uint8Array): string | undefined {
  if (!sealed.startsWith(prefix)) return undefined;
  const bytes = Buffer.from(sealed.slice(prefix.length), 'base64url');
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const decrypting = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decrypting.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const text = decrypting.update(bytes.subarray(nonceBytes, -tagBytes));
    return Buffer.concat([text, decrypting.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
