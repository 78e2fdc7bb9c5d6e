import { oncePer } from '@tallyport/contracts';
import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { boundedFetch, isProviderAway, isResponseFault, ProviderAway, ResponseFault } from '../bounded-fetch.ts';
import { isHttpsOrThisMachine } from '../document/issuer.ts';
import type { Workload } from '../document/read-identity.ts';
import { publishedKeys, usableKeys } from '../key-set.ts';

/** Returns the function that finds the key with which an issuer signed a token. */
export type IssuerKeys = (rule: Workload) => JWTVerifyGetKey;

const metadataSchema = z.looseObject({ issuer: z.string(), jwks_uri: z.string().refine(isHttpsOrThisMachine) });

/** After a failure, an issuer is not asked again for this time: a flood of tokens must not become one of requests. */
const pauseMs = 5_000;

/** Keeps the keys of each rule until the document changes. */
export const createIssuerKeys = (): IssuerKeys => oncePer(keysOf);

function keysOf({ issuer, jwks, jwksUri }: Workload): JWTVerifyGetKey {
  if (jwks !== undefined) return usableKeys(createLocalJWKSet(jwks));
  if (jwksUri !== undefined) return withPause(issuer, async () => publishedKeys(new URL(jwksUri)));
  return withPause(issuer, () => discoverKeys(issuer));
}

async function discoverKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const response = await boundedFetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const metadata = metadataSchema.safeParse(await response.json().catch(() => undefined));
  if (!metadata.success || metadata.data.issuer !== issuer)
    throw new ResponseFault(`the discovery document of ${issuer} is not valid`);
  return publishedKeys(new URL(metadata.data.jwks_uri));
}

/** Loads the keys at the first use. A failure, also of a later reload, is repeated to callers for a while. */
function withPause(issuer: string, load: () => Promise<JWTVerifyGetKey>): JWTVerifyGetKey {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  let failure: { error: unknown; at: number } | undefined;
  return async (header, token) => {
    if (failure && Date.now() - failure.at < pauseMs) throw new ProviderAway(issuer, failure.error);
    keys ??= load();
    try {
      return await (
        await keys
      )(header, token);
    } catch (error) {
      if (!isProviderAway(error) && !isResponseFault(error)) throw error;
      failure = { error, at: Date.now() };
      keys = undefined;
      throw new ProviderAway(issuer, error);
    }
  };
}
