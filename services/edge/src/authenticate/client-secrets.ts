import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';

/**
 * What a page of a browser may do with a client secret: open realtime sessions of one type and model, with a key, for a
 * short time.
 */
export interface ClientSecret {
  /** The SHA-256 of the key that made it. It ends with this key. */
  keyHash: string;
  type: 'realtime' | 'transcription';
  model: string;
  /** Unix seconds. */
  expiresAt: number;
  /** The session that is set up with it; absent if only its model was named. */
  session?: Readonly<Record<string, unknown>> | undefined;
}

const prefix = 'ek_';
/** With subprotocols and cookies, the head of an upgrade has to stay below the limits of servers and proxies. */
export const mostSecretLength = 6_000;

export const looksLikeClientSecret = (text: string): boolean => text.startsWith(prefix);

export interface ClientSecrets {
  /** The text of a secret. Any replica with the same INTERNAL_SECRET can read it, and no one else. */
  seal(secret: ClientSecret): string;
  /** `undefined` for a text that was not sealed here. */
  open(text: string): ClientSecret | undefined;
}

const payloadSchema = z.object({
  keyHash: z.string(),
  // Those of earlier versions have none.
  type: z.enum(['realtime', 'transcription']).default('realtime'),
  model: z.string(),
  expiresAt: z.number(),
  session: z.record(z.string(), z.unknown()).optional(),
});

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Any of the secrets may open: during rotation, a new one is deployed everywhere before edge seals with it. */
export function createClientSecrets(secrets: readonly string[]): ClientSecrets {
  const keys = secrets.map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', 'tallyport-realtime-client-secret-1', 32)),
  );
  return {
    seal(secret) {
      const [key] = keys;
      if (key === undefined) throw new TypeError('INTERNAL_SECRET has no value.');
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, key, nonce);
      const sealed = Buffer.concat([sealing.update(JSON.stringify(secret)), sealing.final()]);
      return prefix + Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64url');
    },
    open(text) {
      if (text.length > mostSecretLength) return undefined;
      const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
      for (const key of keys) {
        const opened = openWith(key, bytes);
        if (opened !== undefined) return payloadSchema.safeParse(JSON.parse(opened)).data;
      }
      return undefined;
    },
  };
}

function openWith(key: Buffer, bytes: Buffer): string | undefined {
  if (bytes.length <= nonceBytes + tagBytes) return undefined;
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    return opening.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + opening.final('utf8');
  } catch {
    return undefined;
  }
}
