import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { MasterKey } from './master-key.ts';
import { Secret } from './secret.ts';

/** The place a secret belongs to. It is authenticated: a secret moved to another account or row cannot be opened. */
export interface SecretPlace {
  id: string;
  /** The purpose, for example `provider-key`. */
  purpose: string;
  /** Absent for secrets of the installation. */
  accountId?: string | undefined;
}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts with AES-256-GCM and a random nonce. Returns nonce, ciphertext and tag in base64url. */
export function seal(secret: Secret, place: SecretPlace, key: MasterKey): string {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, key.bytes, nonce, { authTagLength: tagBytes });
  encryption.setAAD(belonging(place, key));
  const parts = [nonce, encryption.update(secret.reveal(), 'utf8'), encryption.final(), encryption.getAuthTag()];
  return Buffer.concat(parts).toString('base64url');
}

/** Decrypts; `undefined` if the secret was not sealed with this key for this place, or has been changed. */
export function unseal(sealed: string, place: SecretPlace, key: MasterKey): Secret | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const decryption = createDecipheriv(cipher, key.bytes, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decryption.setAAD(belonging(place, key));
  decryption.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const text = decryption.update(bytes.subarray(nonceBytes, -tagBytes));
    return new Secret(Buffer.concat([text, decryption.final()]).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Part of what every stored secret is bound to, and older than the product's name: with another one, none can be opened. */
const label = Buffer.from('c3dpdGNoeWFyZCBzZWNyZXQgMQ', 'base64').toString();

const belonging = ({ id, purpose, accountId }: SecretPlace, key: MasterKey): Buffer =>
  Buffer.from(JSON.stringify([label, key.id, purpose, accountId ?? null, id]));
