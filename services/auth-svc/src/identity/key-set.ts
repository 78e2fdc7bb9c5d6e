import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { boundedFetch, fetchDeadlineMs, isProviderAway, isResponseFault, ProviderAway } from './bounded-fetch.ts';

/** Signatures that a server proves with a private key. `none` and those of shared secrets are not among them. */
export const asymmetricAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Keys are used for ten minutes, and loaded again for an unknown key at most every half minute. */
const freshMs = 600_000;
const cooldownMs = 30_000;

/** The signing keys that a server publishes, loaded when they are first needed. Throws ProviderAway without them. */
export function publishedKeys(address: URL): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(address, {
    timeoutDuration: fetchDeadlineMs,
    cooldownDuration: cooldownMs,
    cacheMaxAge: freshMs,
    [customFetch]: boundedFetch,
  });
  return usableKeys(async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      throw isFaultOfKeys(error) ? new ProviderAway(address.host, error) : error;
    }
  });
}

/** Throws JWKInvalid for a key that cannot be used: the token that names it is refused. */
export function usableKeys(keys: JWTVerifyGetKey): JWTVerifyGetKey {
  return async (header, token) => {
    const key = await findKey(keys, [header, token]);
    if (bitsOf(key) < leastRsaBits) throw new errors.JWKInvalid(`the key has less than ${leastRsaBits} bits`);
    return key;
  };
}

const leastRsaBits = 2048;

type NamedKey = Parameters<JWTVerifyGetKey>;

async function findKey(
  keys: JWTVerifyGetKey,
  [header, token]: NamedKey,
): Promise<Awaited<ReturnType<JWTVerifyGetKey>>> {
  try {
    return await keys(header, token);
  } catch (error) {
    if (error instanceof errors.JOSEError || isProviderAway(error) || isResponseFault(error)) throw error;
    throw new errors.JWKInvalid('the key cannot be read', { cause: error });
  }
}

/** The length of an RSA key, which JOSE bounds; infinite for keys of other kinds. */
function bitsOf(key: Awaited<ReturnType<JWTVerifyGetKey>>): number {
  const algorithm: object = 'algorithm' in key ? key.algorithm : {};
  return 'modulusLength' in algorithm ? Number(algorithm.modulusLength) : Infinity;
}

const codesOfKeys = ['ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC'];

/** Whether the keys cannot be loaded; otherwise the token is at fault. */
const isFaultOfKeys = (error: unknown): boolean =>
  isProviderAway(error) ||
  isResponseFault(error) ||
  (error instanceof errors.JOSEError && codesOfKeys.includes(error.code));
