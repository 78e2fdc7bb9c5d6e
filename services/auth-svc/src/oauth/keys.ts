import { generateKeyPairSync, hash, type JsonWebKey, randomBytes } from 'node:crypto';
import { type Database, sql } from '@tallyport/database';
import { Secret, type Secrets } from '@tallyport/management-server';
import { z } from 'zod';

const jwkSchema = z.looseObject({ kty: z.literal('RSA'), kid: z.string(), n: z.string(), e: z.string() });

const keysSchema = z.object({
  jwks: z.object({ keys: z.array(jwkSchema).min(1) }),
  cookies: z.array(z.string()).min(1),
});

export type OAuthKeys = z.infer<typeof keysSchema>;

const place = { id: 'oauth-keys', purpose: 'oauth' };
/** Any number that no other lock uses. */
const lockNumber = 727_104_005;

/**
 * Loads the keys that sign cookies and identity tokens. They are created once, stored encrypted, and shared by all
 * replicas.
 */
export function loadKeys({ kysely }: Database, secrets: Secrets): Promise<OAuthKeys> {
  return kysely.transaction().execute(async (transaction) => {
    // If replicas start concurrently, one creates the keys; the others wait and read them.
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

/** RFC 7638. A new key never gets the id of an old one, which caches would confuse. */
const thumbprint = ({ e, kty, n }: JsonWebKey): string => hash('sha256', JSON.stringify({ e, kty, n }), 'base64url');
