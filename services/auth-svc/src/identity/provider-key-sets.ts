import type { JWTVerifyGetKey } from 'jose';
import type { Configuration } from 'openid-client';
import type { SignInProvider } from './document/read-identity.ts';
import { ResponseFault } from './bounded-fetch.ts';
import { publishedKeys } from './key-set.ts';

/** Returns the keys that a provider publishes. */
export type ProviderKeySets = (provider: SignInProvider, client: Configuration) => JWTVerifyGetKey;

/** Keeps the keys of each provider until the document changes. */
export function createProviderKeySets(): ProviderKeySets {
  const known = new WeakMap<SignInProvider, JWTVerifyGetKey>();
  return (provider, client) => {
    const keys = known.get(provider) ?? publishedKeys(addressOfKeys(client));
    known.set(provider, keys);
    return keys;
  };
}

function addressOfKeys(client: Configuration): URL {
  const { jwks_uri: address = '' } = client.serverMetadata();
  const url = URL.parse(address);
  if (url === null) throw new ResponseFault('the discovery document names no address of keys');
  return url;
}
