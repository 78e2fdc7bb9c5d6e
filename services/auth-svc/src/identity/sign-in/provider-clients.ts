import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client';
import { boundedFetch, fetchDeadlineMs } from '../bounded-fetch.ts';
import { isThisMachine } from '../document/issuer.ts';
import type { SignInProvider } from '../document/read-identity.ts';

/** Returns the client of a provider, discovered within the last hour. Rejects if the provider does not answer. */
export type ProviderClients = (provider: SignInProvider) => Promise<Configuration>;

interface Discovery {
  at: number;
  client: Promise<Configuration>;
}

const freshMs = 3_600_000;
/** Differences between clocks, in seconds. */
export const skewSeconds = 30;

interface ProviderClientOptions {
  /** Whether the library checks the signatures of ID tokens; otherwise the caller does. */
  checksSignatures: boolean;
}

/** Discovers each provider at its first use. A new version of the document discovers anew. */
export function createProviderClients(options: ProviderClientOptions): ProviderClients {
  const known = new WeakMap<SignInProvider, Discovery>();
  return (provider) => {
    const before = known.get(provider);
    if (before && Date.now() - before.at < freshMs) return before.client;
    const found: Discovery = { at: Date.now(), client: discover(provider, options) };
    known.set(provider, found);
    found.client.catch(() => known.delete(provider));
    return found.client;
  };
}

async function discover(
  { issuer, clientId, clientSecret }: SignInProvider,
  { checksSignatures }: ProviderClientOptions,
): Promise<Configuration> {
  const url = new URL(issuer);
  const metadata = { [clockTolerance]: skewSeconds };
  const execute = [
    // By default, the library does not check the signature of ID tokens that it gets from the token endpoint.
    ...(checksSignatures ? [enableNonRepudiationChecks] : []),
    ...(isThisMachine(url) ? [allowInsecureRequests] : []),
  ];
  const options = { [customFetch]: boundedFetch, timeout: fetchDeadlineMs / 1000, execute };
  const found = await discovery(url, clientId, metadata, None(), options);
  if (clientSecret === undefined) return found;
  const methods = found.serverMetadata().token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const secret = clientSecret.reveal();
  const proof = methods.includes('client_secret_post') ? ClientSecretPost(secret) : ClientSecretBasic(secret);
  const client = new Configuration(found.serverMetadata(), clientId, metadata, proof);
  client[customFetch] = boundedFetch;
  client.timeout = fetchDeadlineMs / 1000;
  for (const change of execute) change(client);
  return client;
}
