import type { Database } from '@tallyport/database';
import { Secret } from '@tallyport/management-server';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { ResponseFault } from '../bounded-fetch.ts';
import type { SignInProvider } from '../document/read-identity.ts';
import { keepFlow, takeFlow } from './flows.ts';
import { type IdentifiedPerson, identifyPerson } from './identify-person.ts';
import type { ProviderClients } from './provider-clients.ts';

interface StartSignIn {
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

/** A person who has returned from a provider. */
export interface FinishedSignIn {
  person: IdentifiedPerson;
  /** Absent if the provider gave none. */
  refreshToken: Secret | undefined;
  next: string;
}

export interface ProviderSignIn {
  /** Returns the provider's address to send the browser to. */
  start(start: StartSignIn): Promise<URL>;
  /** Checks the provider's response. `undefined` if no sign-in of this browser is waiting for it. */
  finish(finish: FinishSignIn): Promise<FinishedSignIn | undefined>;
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
      const [claims, idToken] = [tokens.claims(), tokens.id_token];
      if (claims === undefined || idToken === undefined) throw new ResponseFault('there is no ID token');
      const identification = { client, provider, claims, idToken, accessToken: tokens.access_token };
      const refreshToken = tokens.refresh_token === undefined ? undefined : new Secret(tokens.refresh_token);
      return { person: await identifyPerson(identification), refreshToken, next: flow.next };
    },
  };
}
