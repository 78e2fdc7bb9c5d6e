import type { Database } from '@switchyard/database';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { ResponseFault } from '../bounded-fetch.ts';
import type { SignInProvider } from '../document/read-identity.ts';
import { keepFlow, takeFlow } from './flows.ts';
import type { ProviderClients } from './provider-clients.ts';

export interface StartSignIn {
  provider: SignInProvider;
  redirectUri: string;
  /** The page of this site to continue with. */
  next: string;
  /** The value of the browser's cookie. */
  browser: string;
}

export interface FinishSignIn {
  provider: SignInProvider;
  /** The address of the callback, with the parameters that the browser brought. */
  url: URL;
  browser: string;
}

/** A person whom a provider has identified. */
export interface IdentifiedPerson {
  issuer: string;
  subject: string;
  claims: Readonly<Record<string, unknown>>;
  /** The provider's id of the session, if it sends one. */
  providerSession: string | undefined;
  idToken: string;
}

export interface ProviderSignIn {
  /** Returns the provider's address to send the browser to. */
  start(start: StartSignIn): Promise<URL>;
  /** Checks the provider's response. `undefined` if no sign-in of this browser is waiting for it. */
  finish(finish: FinishSignIn): Promise<{ person: IdentifiedPerson; next: string } | undefined>;
}

export function createProviderSignIn(database: Database, clients: ProviderClients): ProviderSignIn {
  return {
    async start({ provider, redirectUri, next, browser }) {
      const client = await clients(provider);
      const [state, nonce, codeVerifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
      await keepFlow(database, { state, browser, nonce, codeVerifier, next, provider: provider.id });
      return buildAuthorizationUrl(client, {
        redirect_uri: redirectUri,
        scope: [...new Set(['openid', ...provider.scopes])].join(' '),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
    },
    async finish({ provider, url, browser }) {
      const state = url.searchParams.get('state') ?? '';
      const flow = await takeFlow(database, { state, browser, provider: provider.id });
      if (flow === undefined) return undefined;
      const client = await clients(provider);
      const checks = { expectedState: state, expectedNonce: flow.nonce, pkceCodeVerifier: flow.codeVerifier };
      const tokens = await authorizationCodeGrant(client, url, checks);
      const claims = tokens.claims();
      if (claims === undefined || tokens.id_token === undefined) throw new ResponseFault('there is no ID token');
      const more = provider.userinfo ? await fetchUserInfo(client, tokens.access_token, claims.sub) : {};
      const { iss: issuer, sub: subject, sid } = claims;
      const providerSession = typeof sid === 'string' ? sid : undefined;
      // Claims of the signed ID token take precedence.
      const person = { issuer, subject, claims: { ...more, ...claims }, providerSession, idToken: tokens.id_token };
      return { person, next: flow.next };
    },
  };
}
