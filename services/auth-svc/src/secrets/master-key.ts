import { hash, randomBytes } from 'node:crypto';

/** What secrets are encrypted with. */
export interface MasterKey {
  /** Stored beside everything that is encrypted with it. */
  readonly id: string;
  readonly bytes: Buffer;
}

const keyBytes = 32;

/** Text for SECRETS_KEY. */
export const generateMasterKey = (): string => randomBytes(keyBytes).toString('base64');

/** `<key>` or `<id>:<key>`, the key in base64 or hex; `undefined` for anything else. Without an id it is named by its own hash. */
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
