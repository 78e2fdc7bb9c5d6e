import { GatewayError } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import type { Identity, SignInProvider } from './document/read-identity.ts';
import { createProviderSignOut, type ProviderSignOut } from './logout/provider-sign-out.ts';
import { createProviderKeySets } from './provider-key-sets.ts';
import { createProviderRefresh, type ProviderRefresh } from './recheck/provider-refresh.ts';
import { createProviderClients } from './sign-in/provider-clients.ts';
import { createProviderSignIn, type ProviderSignIn } from './sign-in/provider-sign-in.ts';

/** The identity providers of the document in force. */
export interface IdentityProviders {
  identity(): Identity;
  /** `undefined` for an unknown id. */
  find(id: string): SignInProvider | undefined;
  signIn: ProviderSignIn;
  signOut: ProviderSignOut;
  refresh: ProviderRefresh;
}

export function createIdentityProviders(database: Database, identity: () => Identity): IdentityProviders {
  const clients = createProviderClients({ checksSignatures: true });
  const keySets = createProviderKeySets();
  return {
    identity,
    find: (id) => identity().providers.find((provider) => provider.id === id),
    signIn: createProviderSignIn(database, clients),
    signOut: createProviderSignOut(database, clients, keySets),
    refresh: createProviderRefresh(createProviderClients({ checksSignatures: false }), keySets),
  };
}

/**
 * Whether sessions of this provider are valid: those of a provider that was removed are not, nor are those of passwords
 * while passwords are off.
 */
export const acceptsSessions =
  (identity: () => Identity) =>
  (provider: string | null): boolean =>
    provider === null ? identity().passwords === 'on' : identity().providers.some(({ id }) => id === provider);

/** Throws `permission_denied` while passwords are off. */
export function checkPasswordsOn({ passwords }: Identity): void {
  if (passwords === 'on') return;
  throw new GatewayError(
    'permission_denied',
    'Passwords are switched off here. Sign in with an identity provider of your company.',
  );
}
