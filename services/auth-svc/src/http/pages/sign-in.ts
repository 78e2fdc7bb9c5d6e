import { GatewayError } from '@tallyport/contracts';
import {
  checkSameOrigin,
  fieldOf,
  publicOriginOf,
  readForm,
  sendPage,
  sendRedirect,
  sentFormOf,
  signInAddress,
} from '@tallyport/pages';
import { type Request, type Response, Router } from 'express';
import { signInPage } from '../../pages/sign-in.ts';

import type { SignedInUser } from '../../sessions/find-session.ts';
import type { EndedProviderSession } from '../../sessions/sessions.ts';
import type { FirstOwner } from '../../enrolment/first-owner.ts';
import { signedOutPage } from './signed-out.ts';
import { checkOwnForm, type PageTools, safeNext, signedInOf, startSession } from './tools.ts';

interface SignInTools extends PageTools {
  firstOwner: Pick<FirstOwner, 'exists'>;
}

export function signInRoutes(tools: SignInTools): Router {
  const router = Router({ caseSensitive: true });
  router.get('/sign-in', (request, response) => showSignIn(request, response, tools));
  router.post('/sign-in', readForm(), (request, response) => signIn(request, response, tools));
  router.post('/sign-out', readForm(), (request, response) => signOut(request, response, tools));
  return router;
}

async function showSignIn(request: Request, response: Response, tools: SignInTools): Promise<void> {
  const next = safeNext(request, request.query['next']);
  if (await signedInOf(request, tools)) return sendRedirect(response, next);
  sendPage(response, signInPage({ next, ...(await waysOf(tools, next)) }));
}

async function signIn(request: Request, response: Response, tools: SignInTools): Promise<void> {
  checkSameOrigin(sentFormOf(request), publicOriginOf(request));
  const next = safeNext(request, fieldOf(request, 'next'));
  const email = fieldOf(request, 'email').slice(0, 254);
  const password = fieldOf(request, 'password');
  try {
    const session = await tools.sessions.signIn({ email, password, address: request.ip ?? '' });
    await startSession(response, tools, session);
    sendRedirect(response, next);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status >= 500) throw error;
    if (error.retryAfterMs !== undefined) response.set('retry-after', String(Math.ceil(error.retryAfterMs / 1000)));
    const page = signInPage({ next, email, message: error.message, ...(await waysOf(tools, next)) });
    sendPage(response, page, { status: error.status });
  }
}

async function signOut(request: Request, response: Response, tools: PageTools): Promise<void> {
  // Browsers send no cookie with a form of another site, which would otherwise be taken for one without a session.
  checkSameOrigin(sentFormOf(request), publicOriginOf(request));
  const next = safeNext(request, fieldOf(request, 'next'));
  const token = tools.cookie.read(request.headers.cookie);
  const signedIn = token === undefined ? undefined : await tools.sessions.find(token);
  const ended = signedIn && token !== undefined ? await endSession(request, { tools, signedIn, token }) : undefined;
  response.append('set-cookie', tools.cookie.clear());
  const page = ended && (await signedOutPage(ended, { tools, origin: publicOriginOf(request) }));
  if (page) sendPage(response, page);
  else sendRedirect(response, signInAddress(next));
}

async function endSession(
  request: Request,
  { tools, signedIn, token }: { tools: PageTools; signedIn: SignedInUser; token: string },
): Promise<EndedProviderSession | undefined> {
  checkOwnForm(request, signedIn);
  return tools.sessions.end(token);
}

/** The ways to sign in that the page offers, and whether anyone can. */
async function waysOf({ identityProviders, firstOwner }: SignInTools, next: string) {
  const { passwords, providers } = identityProviders.identity();
  const links = providers.map(({ id, name }) => ({ name, href: providerAddress(id, next) }));
  return { hasPasswords: passwords === 'on', providers: links, hasOwner: await firstOwner.exists() };
}

const providerAddress = (id: string, next: string): string =>
  `/sign-in/${id}?${new URLSearchParams({ next }).toString()}`;
