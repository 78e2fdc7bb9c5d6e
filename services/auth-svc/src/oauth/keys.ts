import { generateKeyPairSync, hash, type JsonWebKey, randomBytes } from 'node:crypto';
import { type Database, sql } from '@switchyard/database';
import { z } from 'zod';
import { Secret } from '../secrets/secret.ts';
import type { Secrets } from '../secrets/secrets.ts';

const jwkSchema = z.looseObject({ kty: z.literal('RSA'), kid: z.string(), n: z.string(), e: z.string() });

const keysSchema = z.object({
  jwks: z.object({ keys: z.array(jwkSchema).min(1) }),
  cookies: z.array(z.string()).min(1),
});

export type OAuthKeys = z.infer<typeof keysSchema>;

const place = { id: 'oauth-keys', purpose: 'oauth' };
/** Any number, as long as nobody else uses it. */
const lockNumber = 727_104_005;

/** What cookies and identities are signed with: made once, kept encrypted, the same in all replicas. */
export function loadKeys({ kysely }: Database, secrets: Secrets): Promise<OAuthKeys> {
  return kysely.transaction().execute(async (transaction) => {
    // Of replicas that start at once one makes the keys, and the others wait and read them.
    await sql`select pg_advisory_xact_lock(${lockNumber})`.execute(transaction);
    const kept = await secrets.read(transaction, place);
    if (kept !== undefined) return keysSchema.parse(JSON.parse(kept.reveal()));
    const keys = makeKeys();
    await secrets.keep(transaction, place, new Secret(JSON.stringify(keys)));
    return keys;
  });
}

function makeKeys(): OAuthKeys {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = privateKey.export({ format: 'jwk' });
  const { e = '', n = '' } = jwk;
  const key = { ...jwk, kty: 'RSA' as const, e, n, kid: thumbprint(jwk), use: 'sig', alg: 'RS256' };
  return { jwks: { keys: [key] }, cookies: [randomBytes(32).toString('base64url')] };
}

/** RFC 7638: a new key never goes by an old one's name, which caches would take for the old one. */
export const thumbprint = ({ e, kty, n }: JsonWebKey): string =>
  hash('sha256', JSON.stringify({ e, kty, n }), 'base64url');
