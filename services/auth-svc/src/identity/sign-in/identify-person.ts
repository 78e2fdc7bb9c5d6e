import { type Configuration, fetchUserInfo, type IDToken } from 'openid-client';
import { ResponseFault } from '../bounded-fetch.ts';
import { type Claims, identifierOf } from '../claims.ts';
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

interface Identification {
  client: Configuration;
  provider: Pick<SignInProvider, 'clientId' | 'userinfo'>;
  /** Of the ID token, once it has been checked. */
  claims: Pick<IDToken, 'iss' | 'sub'> & Claims;
  idToken: string;
  accessToken: string;
}

/**
 * Returns the person of an ID token, with the claims of the userinfo endpoint if the document says so. Throws
 * ResponseFault if the token names no person, or was issued to another client.
 */
export async function identifyPerson(identification: Identification): Promise<IdentifiedPerson> {
  const { client, provider, claims, idToken, accessToken } = identification;
  const { iss: issuer, sub } = claims;
  const subject = identifierOf(sub);
  if (subject === undefined) throw new ResponseFault('the ID token names no person');
  const party = claims['azp'];
  if (party !== undefined && party !== provider.clientId)
    throw new ResponseFault('the ID token was issued to another client');
  const more: Claims = provider.userinfo ? await fetchUserInfo(client, accessToken, subject) : {};
  const providerSession = identifierOf(claims['sid']);
  const email_verified = ('email' in claims ? claims : more)['email_verified'];
  // Claims of the signed ID token take precedence. `email_verified` is about the address beside it.
  return { issuer, subject, claims: { ...more, ...claims, email_verified }, providerSession, idToken };
}
