import { hash, randomBytes } from 'node:crypto';

/** A key that encrypts secrets. */
export interface MasterKey {
  /** Stored with everything the key encrypts. */
  readonly id: string;
  readonly bytes: Buffer;
}

const keyBytes = 32;

/** Generates a value for SECRETS_KEY. */
export const generateMasterKey = (): string => randomBytes(keyBytes).toString('base64');

/**
 * Reads `<key>` or `<id>:<key>`, with the key in base64 or hex; `undefined` for anything else. The default id is
 * derived from the key's hash.
 */
export function readMasterKey(text: string): MasterKey | undefined {
  const [, id, encoded = ''] = /^(?:([\w-]{1,32}):)?([\w+/=-]+)$/.exec(text) ?? [];
  const bytes = decode(encoded);
  if (bytes === undefined) return undefined;
  return { id: id ?? hash('sha256', bytes, 'hex').slice(0, 12), bytes };
}

function decode(encoded: string): Buffer | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(encoded)) return Buffer.from(encoded, 'hex');
  if (!/^[\w+/-]{43}=?$/.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length === keyBytes ? bytes : undefined;
}
