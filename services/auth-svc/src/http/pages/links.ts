import { GatewayError } from '@tallyport/contracts';
import { shortestPassword } from '@tallyport/management';
import {
  checkSameOrigin,
  fieldOf,
  type Html,
  publicOriginOf,
  readForm,
  sendPage,
  sendRedirect,
  sentFormOf,
} from '@tallyport/pages';
import { linkOf, type OpenedLink, type SessionToken } from '@tallyport/management-server';
import { type Request, type Response, Router } from 'express';
import type { Invitations, OpenInvitation } from '../../accounts/accept-invitation.ts';
import { newPasswordPage } from '../../pages/new-password.ts';
import { noOwnerPage } from '../../pages/no-owner.ts';

import type { FirstOwner } from '../../enrolment/first-owner.ts';
import type { PasswordLinks } from '../../enrolment/use-password-link.ts';
import { home, type PageTools, startSession } from './tools.ts';

export interface LinkTools extends PageTools {
  firstOwner: FirstOwner;
  invitations: Invitations;
  passwordLinks: PasswordLinks;
}

/**
 * The pages of links that work once: to create the first owner, to join by invitation, and to choose a new password.
 */
export function linkRoutes(tools: LinkTools): Router {
  const router = Router({ caseSensitive: true });
  const form = readForm();
  router.get('/setup/:token', (request, response) => showSetUp(request, response, tools));
  router.post('/setup/:token', form, (request, response) => setUp(request, response, tools));
  const { invitations, passwordLinks } = tools;
  const invitation: Choice<OpenInvitation> = {
    find: invitations.find,
    use: (choice, request) => invitations.accept({ ...choice, hasPassword: saysHasPassword(request) }),
    page: invitationPage,
  };
  router.get('/invitations/:token', (request, response) => showChoice(request, response, invitation));
  router.post('/invitations/:token', form, (request, response) => choose(request, response, { ...invitation, tools }));
  const passwordLink: Choice<{ email: string }> = {
    find: passwordLinks.find,
    use: (choice, request) =>
      passwordLinks.use({ ...choice, disconnectApplications: fieldOf(request, 'disconnect') !== '' }),
    page: passwordLinkPage,
  };
  router.get('/passwords/:token', (request, response) => showChoice(request, response, passwordLink));
  router.post('/passwords/:token', form, (request, response) => choose(request, response, { ...passwordLink, tools }));
  return router;
}

async function showSetUp(request: Request, response: Response, { firstOwner }: LinkTools): Promise<void> {
  if (await firstOwner.isOpen(linkOf(request))) return sendPage(response, setUpPage(request));
  if (await firstOwner.exists()) throw owned();
  sendPage(response, noOwnerPage, { status: 404 });
}

async function setUp(request: Request, response: Response, tools: LinkTools): Promise<void> {
  checkSameOrigin(sentFormOf(request), publicOriginOf(request));
  const email = fieldOf(request, 'email').slice(0, 254);
  const claim = { ...linkOf(request), email, password: fieldOf(request, 'password') };
  const session = await orMessage(() => tools.firstOwner.claim(claim));
  if (session instanceof GatewayError) {
    return sendPage(response, setUpPage(request, { email, message: session.message }), { status: session.status });
  }
  await startSession(response, tools, session);
  sendRedirect(response, home);
}

const setUpPage = ({ path: action }: Request, given: { email?: string; message?: string } = {}) =>
  newPasswordPage({
    title: 'Set up this gateway',
    button: 'Become the owner',
    action,
    shortestPassword,
    ...given,
    text: 'As the owner you can invite others, create keys and set limits.',
  });

/** A link whose page asks for a new or an existing password. */
interface Choice<Found> {
  find(link: OpenedLink): Promise<Found | undefined>;
  use(choice: OpenedLink & { password: string }, request: Request): Promise<SessionToken>;
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
  checkSameOrigin(sentFormOf(request), publicOriginOf(request));
  const link = linkOf(request);
  const found = await find(link);
  if (found === undefined) throw spent();
  const session = await orMessage(() => use({ ...link, password: fieldOf(request, 'password') }, request));
  if (session instanceof GatewayError) {
    return sendPage(response, page(request, found, session.message), { status: session.status });
  }
  await startSession(response, tools, session);
  sendRedirect(response, home);
}

/** The same page for every e-mail address: whether others have users with it is not shown. */
function invitationPage(request: Request, { accountName, email }: OpenInvitation, message?: string): Html {
  const { path } = request;
  const asKnown = `${path}?${withPassword}`;
  const page = { title: `Join ${accountName}`, button: 'Join', knownEmail: email, shortestPassword, message };
  if (saysHasPassword(request)) {
    const text = 'You were invited. Enter the password with which you sign in here.';
    const other = { href: path, text: 'I have no password here yet' };
    return newPasswordPage({ ...page, action: asKnown, known: true, text, other });
  }
  const text = 'You were invited. Choose a password to sign in with.';
  return newPasswordPage({
    ...page,
    action: path,
    text,
    other: { href: asKnown, text: 'I have a password here already' },
  });
}

const withPassword = 'password=known';

const saysHasPassword = ({ query }: Request): boolean => query['password'] === 'known';

const passwordLinkPage = ({ path: action }: Request, { email }: { email: string }, message?: string) =>
  newPasswordPage({
    title: 'Choose a new password',
    button: 'Save and sign in',
    action,
    knownEmail: email,
    shortestPassword,
    message,
    text: 'You will be signed out everywhere else.',
    offersDisconnect: true,
  });

/** Errors that the user can correct are shown in the form; others get a separate page. */
async function orMessage<Result>(work: () => Promise<Result>): Promise<Result | GatewayError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayError && error.status < 500 && error.status !== 404) return error;
    throw error;
  }
}

const owned = (): GatewayError =>
  new GatewayError(
    'not_found',
    'This link was used: the gateway has an owner. Sign in, or ask the owner to invite you.',
  );

const spent = (): GatewayError =>
  new GatewayError('not_found', 'This link was used or withdrawn, or it has expired. Ask for a new one.');
