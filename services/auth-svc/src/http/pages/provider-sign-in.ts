import { GatewayError } from '@tallyport/contracts';
import { fieldOf, publicOriginOf, readForm, sendRedirect } from '@tallyport/pages';
import { type Attempts, makeToken, type TokenCookie } from '@tallyport/management-server';
import { type Request, type Response, Router } from 'express';
import { isProviderAway, isResponseFault, providerProblem } from '../../identity/bounded-fetch.ts';
import type { SignInProvider } from '../../identity/document/read-identity.ts';
import type { IdentityEvents } from '../../identity/events.ts';
import { LogoutTokenError } from '../../identity/logout/logout-token.ts';
import type { CompletedSignIn } from '../../identity/sign-in/complete-sign-in.ts';
import type { FinishSignIn } from '../../identity/sign-in/provider-sign-in.ts';
import { sendFailedSignIn } from './failed-sign-in.ts';
import { type PageTools, safeNext, signedInOf, startSession } from './tools.ts';

export interface ProviderSignInTools extends PageTools {
  completeSignIn(finish: FinishSignIn): Promise<CompletedSignIn>;
  /** Binds a sign-in to the browser that began it. */
  flowCookie: TokenCookie;
  attempts: Pick<Attempts, 'count'>;
  identityEvents: Pick<IdentityEvents, 'providerSignIn' | 'providerSignOut'>;
}

/** Sign-in with an identity provider: to the provider, back from it, and its notice that a session ended. */
export function providerSignInRoutes(tools: ProviderSignInTools): Router {
  const router = Router({ caseSensitive: true });
  router.get('/sign-in/:provider', (request, response) => begin(request, response, tools));
  router.get('/sign-in/:provider/callback', (request, response) => finish(request, response, tools));
  router.post('/sign-in/:provider/logout', readForm(), (request, response) => signOut(request, response, tools));
  return router;
}

const flowMs = 15 * 60_000;

async function begin(request: Request, response: Response, tools: ProviderSignInTools): Promise<void> {
  const provider = providerOf(request, tools);
  const next = safeNext(request, request.query['next']);
  if (await signedInOf(request, tools)) return sendRedirect(response, next);
  await tools.attempts.count('sign_in_provider', request.ip ?? '');
  // Never one that the browser has: another party may have put it there, and could finish the sign-in with it.
  const browser = makeToken();
  const redirectUri = `${publicOriginOf(request)}/sign-in/${provider.id}/callback`;
  try {
    const address = await tools.identityProviders.signIn.start({ provider, redirectUri, next, browser });
    response.append('set-cookie', tools.flowCookie.write(browser, new Date(Date.now() + flowMs)));
    sendRedirect(response, address.href);
  } catch (error) {
    if (!isProviderAway(error) && !isResponseFault(error)) throw error;
    const failed = {
      outcome: isProviderAway(error) ? 'provider_away' : 'unverified',
      problem: providerProblem(error),
    } as const;
    tools.identityEvents.providerSignIn(failed.outcome, provider.id, failed.problem);
    sendFailedSignIn(response, failed, provider);
  }
}

async function finish(request: Request, response: Response, tools: ProviderSignInTools): Promise<void> {
  const provider = providerOf(request, tools);
  await tools.attempts.count('sign_in_provider', request.ip ?? '');
  const browser = tools.flowCookie.read(request.headers.cookie) ?? '';
  const url = new URL(request.originalUrl, publicOriginOf(request));
  const completed = await tools.completeSignIn({ provider, url, browser });
  const problem = 'problem' in completed ? completed.problem : undefined;
  tools.identityEvents.providerSignIn(completed.outcome, provider.id, problem);
  if (completed.outcome !== 'signed_in') return sendFailedSignIn(response, completed, provider);
  const { session, next } = completed;
  await startSession(response, tools, session);
  response.append('set-cookie', tools.flowCookie.clear());
  sendRedirect(response, next);
}

/** OpenID Connect Back-Channel Logout 1.0: the provider's server calls, not a browser. */
async function signOut(request: Request, response: Response, tools: ProviderSignInTools): Promise<void> {
  response.set('cache-control', 'no-store');
  const provider = providerOf(request, tools);
  await tools.attempts.count('sign_out_provider', request.ip ?? '');
  try {
    await tools.identityProviders.signOut.accept(provider, fieldOf(request, 'logout_token'));
    tools.identityEvents.providerSignOut('accepted', provider.id);
    response.sendStatus(200);
  } catch (error) {
    if (!(error instanceof LogoutTokenError) && !isProviderAway(error) && !isResponseFault(error)) throw error;
    tools.identityEvents.providerSignOut('refused', provider.id, providerProblem(error));
    const description = 'The logout token is not valid. The log of auth-svc has the reason.';
    response.status(400).json({ error: 'invalid_request', error_description: description });
  }
}

function providerOf({ params }: Request, { identityProviders }: PageTools): SignInProvider {
  const provider = identityProviders.find(String(params['provider']));
  if (provider) return provider;
  throw new GatewayError('not_found', 'There is no such identity provider here. Start again from the sign-in page.');
}
