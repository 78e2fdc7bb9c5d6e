import { type Configuration, fetchUserInfo, type IDToken } from 'openid-client';
import type { Claims } from '../claims.ts';
import type { SignInProvider } from '../document/read-identity.ts';

/** A person whom a provider has identified. */
export interface IdentifiedPerson {
  issuer: string;
  subject: string;
  claims: Claims;
  /** The provider's id of the session, if it sends one. */
  providerSession: string | undefined;
  idToken: string;
}

export interface Identification {
  client: Configuration;
  provider: Pick<SignInProvider, 'userinfo'>;
  /** Of the ID token, once it has been checked. */
  claims: Pick<IDToken, 'iss' | 'sub'> & Claims;
  idToken: string;
  accessToken: string;
}

/** Returns the person of an ID token, with the claims of the userinfo endpoint if the document says so. */
export async function identifyPerson(identification: Identification): Promise<IdentifiedPerson> {
  const { client, provider, claims, idToken, accessToken } = identification;
  const { iss: issuer, sub: subject } = claims;
  const more: Claims = provider.userinfo ? await fetchUserInfo(client, accessToken, subject) : {};
  const providerSession = typeof claims['sid'] === 'string' ? claims['sid'] : undefined;
  const email_verified = ('email' in claims ? claims : more)['email_verified'];
  // Claims of the signed ID token take precedence. `email_verified` is about the address beside it.
  return { issuer, subject, claims: { ...more, ...claims, email_verified }, providerSession, idToken };
}
