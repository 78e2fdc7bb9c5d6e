import { publicOriginOf, sentFormOf } from '@tallyport/pages';
import type { SessionToken, TokenCookie } from '@tallyport/management-server';
import type { Request, Response } from 'express';
import type { IdentityProviders } from '../../identity/identity-providers.ts';
import type { OAuthServer } from '../../oauth/oauth-server.ts';
import { checkForm } from '../../sessions/csrf.ts';
import type { SignedInUser } from '../../sessions/find-session.ts';
import type { Sessions } from '../../sessions/sessions.ts';

export interface PageTools {
  sessions: Sessions;
  cookie: TokenCookie;
  oauth: OAuthServer;
  identityProviders: IdentityProviders;
}

/** Returns the user signed in with this browser. */
export async function signedInOf(request: Request, { sessions, cookie }: PageTools): Promise<SignedInUser | undefined> {
  const token = cookie.read(request.headers.cookie);
  return token === undefined ? undefined : sessions.find(token);
}

/** Gives the browser a session. The session from before signing in ends. */
export async function startSession(
  response: Response,
  { cookie, sessions }: Pick<PageTools, 'cookie' | 'sessions'>,
  { token, expiresAt }: SessionToken,
): Promise<void> {
  const before = cookie.read(response.req.headers.cookie);
  if (before !== undefined) await sessions.end(before);
  response.append('set-cookie', cookie.write(token, expiresAt));
}

/** Throws `permission_denied` unless the form was posted from a page of this gateway in this session. */
export const checkOwnForm = (request: Request, { csrfToken }: SignedInUser): void =>
  checkForm(sentFormOf(request), { origin: publicOriginOf(request), csrfToken });

/** Returns the page to continue with if it is on this site, otherwise the default page. */
export function safeNext(request: Request, next: unknown): string {
  const publicOrigin = publicOriginOf(request);
  if (typeof next !== 'string' || !onThisSite.test(next) || next.length > 2048) return home;
  const url = URL.canParse(next, publicOrigin) ? new URL(next, publicOrigin) : undefined;
  const place = url?.origin === publicOrigin ? url.pathname + url.search : home;
  // `/.//elsewhere` is a path of this site, but resolving its dots yields another host.
  return onThisSite.test(place) ? place : home;
}

const onThisSite = /^\/(?![/\\])/;

export const home = '/dashboard';
