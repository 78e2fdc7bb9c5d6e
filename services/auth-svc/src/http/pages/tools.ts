import type { Request, Response } from 'express';
import type { OAuthServer } from '../../oauth/oauth-server.ts';
import type { SessionCookie } from '../../sessions/cookie.ts';
import { checkForm, type RequestOrigin } from '../../sessions/csrf.ts';
import type { SignedInUser } from '../../sessions/find-session.ts';
import type { Sessions } from '../../sessions/sessions.ts';

export interface PageTools {
  sessions: Sessions;
  cookie: SessionCookie;
  oauth: OAuthServer;
  publicOrigin: string;
}

/** What pages send us is a few short fields. */
export const formOptions = { limit: 16 * 1024, extended: false, parameterLimit: 20 } as const;

/** One field of a form. */
export function fieldOf(request: Request, name: string): string {
  const body: unknown = request.body;
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === 'string' ? value : '';
}

export const originOf = (request: Request): RequestOrigin => ({
  origin: request.get('origin'),
  secFetchSite: request.get('sec-fetch-site'),
  csrfToken: fieldOf(request, 'csrf_token'),
});

/** Who is signed in with this browser. */
export async function signedInOf(request: Request, { sessions, cookie }: PageTools): Promise<SignedInUser | undefined> {
  const token = cookie.read(request.headers.cookie);
  return token === undefined ? undefined : sessions.find(token);
}

/** Throws when the form is not from a page of ours that was made for this session. */
export const checkOwnForm = (request: Request, { csrfToken }: SignedInUser, { publicOrigin }: PageTools): void =>
  checkForm(originOf(request), { origin: publicOrigin, csrfToken });

/** A place on this site to go on to; whatever is none leads to the usual one. */
export function safeNext(next: unknown, publicOrigin: string): string {
  if (typeof next !== 'string' || !onThisSite.test(next) || next.length > 2048) return home;
  const url = URL.canParse(next, publicOrigin) ? new URL(next, publicOrigin) : undefined;
  const place = url?.origin === publicOrigin ? url.pathname + url.search : home;
  // `/.//elsewhere` is a path of ours; with its dots resolved it names another host.
  return onThisSite.test(place) ? place : home;
}

const onThisSite = /^\/(?![/\\])/;

export const home = '/dashboard';

/** 303: whatever was posted, what follows is fetched. */
export function sendRedirect(response: Response, location: string): void {
  response.set('cache-control', 'no-store');
  response.redirect(303, location);
}
