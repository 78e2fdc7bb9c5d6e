import type { Database } from '@tallyport/database';
import { buildEndSessionUrl } from 'openid-client';
import type { SignInProvider } from '../document/read-identity.ts';
import type { ProviderKeySets } from '../provider-key-sets.ts';
import type { ProviderClients } from '../sign-in/provider-clients.ts';
import { endProviderSessions } from './end-provider-sessions.ts';
import { readLogoutToken } from './logout-token.ts';

export interface ProviderSignOut {
  /** The provider's address that signs the person out there; `undefined` if the provider has none or does not answer. */
  address(provider: SignInProvider, session: { idToken: string | null; returnTo: string }): Promise<URL | undefined>;
  /** Ends the sessions that a logout token names. Throws LogoutTokenError if it is not valid. */
  accept(provider: SignInProvider, logoutToken: string): Promise<void>;
}

export function createProviderSignOut(
  database: Database,
  clients: ProviderClients,
  keysOf: ProviderKeySets,
): ProviderSignOut {
  return {
    async address(provider, { idToken, returnTo }) {
      const client = await clients(provider).catch(() => undefined);
      if (client?.serverMetadata().end_session_endpoint === undefined) return undefined;
      const parameters = { post_logout_redirect_uri: returnTo, ...(idToken !== null && { id_token_hint: idToken }) };
      return buildEndSessionUrl(client, parameters);
    },
    async accept(provider, logoutToken) {
      const client = await clients(provider);
      const { issuer } = client.serverMetadata();
      const keys = keysOf(provider, client);
      const request = await readLogoutToken(logoutToken, { issuer, clientId: provider.clientId, keys });
      await endProviderSessions(database, { provider: provider.id, request });
    },
  };
}
