import {
  fieldOf,
  messagePage,
  publicOriginOf,
  readForm,
  sendPage,
  sendRedirect,
  signInAddress,
} from '@tallyport/pages';
import { type Request, type Response, Router } from 'express';
import type { Interaction, InteractionResults, Provider } from '../../oauth/library.ts';
import { allow, type ConsentDetails, readConsentDetails } from '../../oauth/consent.ts';
import { consentPage } from '../../pages/consent.ts';
import type { SignedInUser } from '../../sessions/find-session.ts';
import { checkOwnForm, type PageTools, signedInOf } from './tools.ts';

const path = '/oauth/interaction/:uid';

/** The pages on which users decide whether an application may act for them. */
export function consentRoutes(tools: PageTools): Router {
  const router = Router({ caseSensitive: true });
  router.get(path, (request, response) => show(request, response, tools));
  router.post(path, readForm(), (request, response) => decide(request, response, tools));
  return router;
}

/** A pending consent decision of a signed-in user. */
interface ConsentRequest {
  provider: Provider;
  interaction: Interaction;
  details: ConsentDetails;
  signedIn: SignedInUser;
}

async function show(request: Request, response: Response, tools: PageTools): Promise<void> {
  const consent = await findConsentRequest(request, response, tools);
  if (consent === undefined) return;
  const { details, signedIn } = consent;
  const { email, csrfToken, memberships } = signedIn;
  const accounts = memberships.map(({ accountId: id, accountName: name }) => ({ id, name }));
  const page = consentPage({ details, action: request.path, email, csrfToken, accounts });
  sendPage(response, page, { formTargets: [details.redirectSource] });
}

async function decide(request: Request, response: Response, tools: PageTools): Promise<void> {
  const consent = await findConsentRequest(request, response, tools);
  if (consent === undefined) return;
  checkOwnForm(request, consent.signedIn);
  await finish(request, response, { provider: consent.provider, result: await resultOf(request, consent) });
}

async function resultOf(
  request: Request,
  { provider, interaction, signedIn }: ConsentRequest,
): Promise<InteractionResults> {
  const accountId = fieldOf(request, 'account');
  const mayAct = signedIn.memberships.some((membership) => membership.accountId === accountId);
  if (fieldOf(request, 'decision') !== 'allow' || !mayAct) {
    return { error: 'access_denied', error_description: 'the user did not allow it' };
  }
  return allow(provider, interaction, { userId: signedIn.userId, accountId });
}

/** Resolves with `undefined` if a response has been sent already: a redirect to sign in, or an error page. */
async function findConsentRequest(
  request: Request,
  response: Response,
  tools: PageTools,
): Promise<ConsentRequest | undefined> {
  const provider = await tools.oauth.provider(publicOriginOf(request));
  const interaction = await provider.interactionDetails(request, response).catch(undefinedWhenGone);
  if (interaction === undefined || interaction.uid !== request.params['uid'])
    return void sendPage(response, gonePage, { status: 400 });
  const signedIn = await signedInOf(request, tools);
  if (signedIn === undefined) return void sendRedirect(response, signInAddress(request.path));
  if (signedIn.memberships.length === 0) return void sendPage(response, noAccountPage, { status: 403 });
  const details = await readConsentDetails(provider, interaction);
  if (details) return { provider, interaction, details, signedIn };
  const result = { error: 'invalid_scope', error_description: 'none of the requested scopes exists' };
  await finish(request, response, { provider, result });
  return undefined;
}

const finish = (
  request: Request,
  response: Response,
  { provider, result }: { provider: Provider; result: InteractionResults },
): Promise<void> => provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });

function undefinedWhenGone(error: unknown): undefined {
  if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
  throw error;
}

const gonePage = messagePage({
  title: 'This request has expired',
  text: 'Go back to the application and start connecting again.',
});

const noAccountPage = messagePage({
  title: 'You are not a member of any account',
  text: 'Ask the operator of this gateway to invite you, then start again in the application.',
});
