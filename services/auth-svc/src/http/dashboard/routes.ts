import { randomBytes } from 'node:crypto';
import { GatewayError } from '@switchyard/contracts';
import { hasAccess } from '@switchyard/management';
import { type FieldValues, publicOriginOf, readForm, sendPage } from '@switchyard/pages';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { type ApiCaller, checkAccess } from '../../api/caller.ts';
import type { ManagementClient } from '../../api/management-client.ts';
import { framed } from '../../pages/dashboard/frame.ts';
import { sectionNames, sections } from '../../pages/dashboard/sections.ts';
import { noAccountPage } from '../../pages/no-account.ts';
import type { SignedInUser } from '../../sessions/find-session.ts';
import { checkOwnForm, home, type PageTools, sendRedirect, signedInOf } from '../pages/tools.ts';
import { signInAddress } from '../pages/sign-in.ts';
import { noticeOf } from './notices.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from './dashboard-route.ts';

export interface DashboardTools extends PageTools {
  management: ManagementClient;
  callerOf(signedIn: SignedInUser, account: string | undefined): Promise<ApiCaller>;
  /** Resolves with `true` the first time a form token is posted, and with `false` afterwards. */
  firstTime(form: string): Promise<boolean>;
}

/** Enough for the longest lists of models and addresses. */
const form = readForm({ bytes: 64 * 1024, fields: 60 });

/** The dashboard pages, for signed-in users. */
export function dashboardRoutes(routes: readonly DashboardRoute[], tools: DashboardTools): Router {
  const router = Router({ caseSensitive: true });
  router.get(home, (request, response) => redirectToFirstAccount(request, response, tools));
  for (const route of routes) router[route.method](`${home}/:account${route.path}`, form, handlerOf(route, tools));
  return router;
}

async function redirectToFirstAccount(request: Request, response: Response, tools: DashboardTools): Promise<void> {
  const signedIn = await signedInOf(request, tools);
  if (signedIn === undefined) return sendRedirect(response, signInAddress(home));
  const [first] = signedIn.memberships;
  if (first === undefined) return sendPage(response, noAccountPage(signedIn));
  sendRedirect(response, `${home}/${first.accountId}/keys`);
}

const handlerOf =
  (route: DashboardRoute, tools: DashboardTools): RequestHandler =>
  async (request, response) => {
    const signedIn = await signedInOf(request, tools);
    if (signedIn === undefined) return sendRedirect(response, signInAddress(placeOf(request)));
    const dashboardRequest = await readDashboardRequest(request, response, { tools, signedIn });
    if (route.section) checkAccess(dashboardRequest.caller, route.access ?? sections[route.section].access);
    if (route.method === 'post') {
      checkOwnForm(request, signedIn);
      const { once } = dashboardRequest.fields;
      if (once !== undefined && !(await tools.firstTime(`${signedIn.userId} ${once}`))) throw alreadySent();
    }
    send(response, await route.answer(dashboardRequest), { dashboardRequest, route });
  };

async function readDashboardRequest(
  request: Request,
  response: Response,
  { tools, signedIn }: { tools: DashboardTools; signedIn: SignedInUser },
): Promise<DashboardRequest> {
  const params = textsOf(request.params);
  const caller = await tools.callerOf(signedIn, params['account']);
  const { cookie, management } = tools;
  const ask = management(caller, {
    address: request.ip ?? '',
    sessionToken: cookie.read(request.headers.cookie),
    setSession: (session) =>
      void response.append('set-cookie', session ? cookie.write(session.token, session.expiresAt) : cookie.clear()),
  });
  const account = await ask('readAccount');
  return {
    caller,
    signedIn,
    account,
    ask,
    publicUrl: publicOriginOf(request),
    params,
    base: `${home}/${account.id}`,
    place: request.path,
    query: textsOf(request.query),
    fields: textsOf(request.body),
    once: randomBytes(16).toString('base64url'),
  };
}

function send(
  response: Response,
  answer: DashboardResponse,
  { dashboardRequest, route }: { dashboardRequest: DashboardRequest; route: DashboardRoute },
): void {
  const { base, signedIn, account, caller, query } = dashboardRequest;
  if ('home' in answer) return sendRedirect(response, home);
  if ('to' in answer) {
    return sendRedirect(response, `${base}${answer.to}${answer.notice === undefined ? '' : `?done=${answer.notice}`}`);
  }
  const own = signedIn.memberships.map(({ accountId: id, accountName: name }) => ({ id, name }));
  const page = framed({
    title: answer.title,
    body: answer.body,
    section: route.section,
    notice: noticeOf(query['done']),
    email: signedIn.email,
    csrfToken: signedIn.csrfToken,
    account: { id: account.id, name: account.name, role: caller.role, suspended: account.suspendedAt !== undefined },
    accounts: own.some(({ id }) => id === account.id) ? own : [account, ...own],
    sections: sectionNames
      .filter((name) => hasAccess(caller, sections[name].access))
      .map((name) => ({
        name,
        title: sections[name].title,
        href: `${base}/${name}`,
      })),
  });
  sendPage(response, page, { status: answer.status ?? 200 });
}

/** The page to return to after signing in; posted data is lost by then. */
const placeOf = ({ method, originalUrl }: Request): string => (method === 'GET' ? originalUrl : home);

const textsOf = (from: unknown): FieldValues =>
  typeof from === 'object' && from !== null
    ? Object.fromEntries(Object.entries(from).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
    : {};

const alreadySent = (): GatewayError =>
  new GatewayError('conflict', 'This form was already sent and processed. Open the page again to send it once more.');
