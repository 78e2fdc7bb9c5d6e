import { GatewayError } from '@switchyard/contracts';
import { type Request, type Response, Router, urlencoded } from 'express';
import type { Invitations, OpenInvitation } from '../../accounts/accept-invitation.ts';
import type { Html } from '../../pages/html.ts';
import { newPasswordPage } from '../../pages/new-password.ts';
import { checkSameOrigin } from '../../sessions/csrf.ts';
import type { SessionToken } from '../../sessions/token.ts';
import type { FirstOwner } from '../../users/first-owner.ts';
import { shortestPassword } from '../../users/passwords.ts';
import type { PasswordLinks } from '../../users/use-password-link.ts';
import { sendPage } from '../send-page.ts';
import { fieldOf, formOptions, home, originOf, type PageTools, sendRedirect } from './tools.ts';

export interface LinkTools extends PageTools {
  firstOwner: FirstOwner;
  invitations: Invitations;
  passwordLinks: PasswordLinks;
}

interface Link {
  token: string;
  address: string;
}

/** Links that work once: the one that makes the first owner, those people are invited with, those that forgive a password. */
export function linkRoutes(tools: LinkTools): Router {
  const router = Router({ caseSensitive: true });
  const form = urlencoded(formOptions);
  router.get('/setup/:token', (request, response) => showSetUp(request, response, tools));
  router.post('/setup/:token', form, (request, response) => setUp(request, response, tools));
  const { invitations, passwordLinks } = tools;
  const invitation = { find: invitations.find, use: invitations.accept, page: invitationPage };
  router.get('/invitations/:token', (request, response) => showChoice(request, response, invitation));
  router.post('/invitations/:token', form, (request, response) => choose(request, response, { ...invitation, tools }));
  const forgotten = { find: passwordLinks.find, use: passwordLinks.use, page: forgottenPage };
  router.get('/passwords/:token', (request, response) => showChoice(request, response, forgotten));
  router.post('/passwords/:token', form, (request, response) => choose(request, response, { ...forgotten, tools }));
  return router;
}

async function showSetUp(request: Request, response: Response, { firstOwner }: LinkTools): Promise<void> {
  if (!(await firstOwner.isOpen(linkOf(request)))) throw spent();
  sendPage(response, setUpPage(request));
}

async function setUp(request: Request, response: Response, tools: LinkTools): Promise<void> {
  checkSameOrigin(originOf(request), tools.publicOrigin);
  const email = fieldOf(request, 'email').slice(0, 254);
  const claim = { ...linkOf(request), email, password: fieldOf(request, 'password') };
  const session = await orMessage(() => tools.firstOwner.claim(claim));
  if (session instanceof GatewayError) {
    return sendPage(response, setUpPage(request, { email, message: session.message }), { status: session.status });
  }
  welcomeIn(response, tools, session);
}

const setUpPage = ({ path: action }: Request, given: { email?: string; message?: string } = {}) =>
  newPasswordPage({
    title: 'Set up this gateway',
    button: 'Become the owner',
    action,
    shortestPassword,
    ...given,
    text: 'You will own it: invite others, hand out keys, set limits.',
  });

/** A link under which whoever has it chooses a password, or gives theirs. */
interface Choice<Found> {
  find(link: Link): Promise<Found | undefined>;
  use(choice: Link & { password: string }): Promise<SessionToken>;
  page(request: Request, found: Found, message?: string): Html;
}

async function showChoice<Found>(request: Request, response: Response, { find, page }: Choice<Found>): Promise<void> {
  const found = await find(linkOf(request));
  if (found === undefined) throw spent();
  sendPage(response, page(request, found));
}

async function choose<Found>(
  request: Request,
  response: Response,
  { find, use, page, tools }: Choice<Found> & { tools: LinkTools },
): Promise<void> {
  checkSameOrigin(originOf(request), tools.publicOrigin);
  const link = linkOf(request);
  const found = await find(link);
  if (found === undefined) throw spent();
  const session = await orMessage(() => use({ ...link, password: fieldOf(request, 'password') }));
  if (session instanceof GatewayError) {
    return sendPage(response, page(request, found, session.message), { status: session.status });
  }
  welcomeIn(response, tools, session);
}

const invitationPage = ({ path: action }: Request, { accountName, email, known }: OpenInvitation, message?: string) =>
  newPasswordPage({
    title: `Join ${accountName}`,
    button: 'Join',
    action,
    knownEmail: email,
    known,
    shortestPassword,
    message,
    text: known
      ? 'You have been here before: sign in to join.'
      : 'You were invited. Choose a password to sign in with.',
  });

const forgottenPage = ({ path: action }: Request, { email }: { email: string }, message?: string) =>
  newPasswordPage({
    title: 'Choose a new password',
    button: 'Save and sign in',
    action,
    knownEmail: email,
    shortestPassword,
    message,
    text: 'You will be signed out everywhere else.',
  });

/** What the person can mend themselves is said in the form; everything else has a page of its own. */
async function orMessage<Result>(work: () => Promise<Result>): Promise<Result | GatewayError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayError && error.status < 500 && error.status !== 404) return error;
    throw error;
  }
}

function welcomeIn(response: Response, { cookie }: LinkTools, { token, expiresAt }: SessionToken): void {
  response.append('set-cookie', cookie.write(token, expiresAt));
  sendRedirect(response, home);
}

const linkOf = (request: Request): Link => ({
  token: String(request.params['token']).slice(0, 200),
  address: request.ip ?? '',
});

const spent = (): GatewayError =>
  new GatewayError('not_found', 'This link has been used, has been taken back or is too old. Ask for a new one.');
