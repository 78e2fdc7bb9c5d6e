import { randomBytes } from 'node:crypto';
import { GatewayError } from '@tallyport/contracts';
import { checkAccess } from '@tallyport/management';
import {
  checkSameOrigin,
  type FieldValues,
  publicOriginOf,
  readForm,
  sendPage,
  sendRedirect,
  sentFormOf,
  signInAddress,
} from '@tallyport/pages';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { gatewayApiFor, type GatewayApiSources } from '../gateway/gateway-api.ts';
import { withoutDetails, managementFor, type Management, type ManagementClients } from '../management.ts';
import { noAccountPage } from '../profile/no-account.ts';
import { type FiringCounts, openFiringCounts } from '../screen/firing-counts.ts';
import type { LimitDefaults } from '../screen/limit-fields.ts';
import type { DashboardRequest, DashboardRoute, DashboardUser } from '../screen/route.ts';
import { sectionNames, type SectionName, sections } from '../screen/sections.ts';
import { sessionEndedPage } from '../screen/session-ended.ts';
import { viewerOf } from '../time-zone/cookie.ts';
import { dashboardHome as home, type PageFailed, sendAnswer } from './send-answer.ts';

export interface DashboardTools {
  clients: ManagementClients;
  /** The endpoints that pages read for their user. */
  gateway: GatewayApiSources;
  limitDefaults: LimitDefaults;
  /** Returns a model that a key can call now. */
  modelFor(key: string): Promise<string | undefined>;
  /** Receives failures of pages whose frame has been sent. */
  onFailure: PageFailed;
}

/** Enough for the longest lists of models and addresses. */
const usualForm = { bytes: 64 * 1024, fields: 60 };

/** The dashboard pages, for signed-in users. */
export function dashboardRouter(routes: readonly DashboardRoute[], tools: DashboardTools): Router {
  const router = Router({ caseSensitive: true });
  const firing = openFiringCounts();
  router.get(home, (request, response) => redirectToFirstAccount(request, response, tools));
  for (const route of routes) {
    const form = readForm({ ...usualForm, bytes: route.maxFormBytes ?? usualForm.bytes });
    router[route.method](`${home}/:account${route.path}`, form, handlerOf(route, { ...tools, firing }));
  }
  return router;
}

async function redirectToFirstAccount(
  request: Request,
  response: Response,
  { clients }: DashboardTools,
): Promise<void> {
  const signedIn = await signedInBy(manageFor(request, response, clients));
  if (signedIn === undefined) return sendRedirect(response, signInAddress(request.originalUrl));
  const [first] = signedIn.accounts;
  if (first === undefined) return sendPage(response, noAccountPage(signedIn));
  sendRedirect(response, `${home}/${first.accountId}/${sectionOf(request)}`);
}

/** A link from outside the dashboard may name a section: `/dashboard?section=playground`. */
const sectionOf = ({ query }: Request): SectionName =>
  sectionNames.find((name) => name === query['section']) ?? 'overview';

const handlerOf =
  (
    route: DashboardRoute,
    { clients, gateway, onFailure, firing, ...tools }: DashboardTools & { firing: FiringCounts },
  ): RequestHandler =>
  async (request, response) => {
    response.locals['section'] = route.section;
    const manage = manageFor(request, response, clients);
    // Both at once. Without a session both fail, and the page asks to sign in.
    const [session, account] = [signedInBy(manage), readAccount(manage)];
    account.catch(() => undefined);
    const signedIn = await session;
    if (signedIn === undefined) return askToSignIn(request, response);
    const dashboardRequest = dashboardRequestOf(request, {
      manage,
      signedIn,
      found: await account.catch(orUnknown),
      api: gatewayApiFor(gateway, { ...browserOf(request), form: formOf(request) }),
      ...tools,
    });
    if (route.section) checkAccess(dashboardRequest.caller, route.access ?? sections[route.section].access);
    const place = { dashboardRequest, route, firing: firing.of(dashboardRequest), onFailure };
    await sendAnswer(response, await route.answer(dashboardRequest), place);
  };

function askToSignIn(request: Request, response: Response): void {
  if (request.method === 'GET') return sendRedirect(response, signInAddress(request.originalUrl));
  // Browsers send no cookie with a form of another site, whose fields are not what the person entered.
  checkSameOrigin(sentFormOf(request), publicOriginOf(request));
  sendPage(response, sessionEndedPage({ action: request.path, fields: textsOf(request.body) }), { status: 401 });
}

const manageFor = (request: Request, response: Response, clients: ManagementClients): Management =>
  managementFor(clients, {
    ...browserOf(request),
    address: request.ip ?? '',
    form: formOf(request),
    setCookie: (headers) => headers.forEach((header) => response.append('set-cookie', header)),
  });

const formOf = (request: Request) => (request.method === 'POST' ? sentFormOf(request) : undefined);

const browserOf = (request: Request) => ({
  cookie: request.headers.cookie ?? '',
  account: textsOf(request.params)['account'],
  publicOrigin: publicOriginOf(request),
  requestId: String(request.headers['x-request-id']),
});

async function signedInBy(manage: Management): Promise<DashboardUser | undefined> {
  try {
    return (await manage('readSession')).output;
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_api_key') return undefined;
    throw error;
  }
}

type FoundAccount = Awaited<ReturnType<typeof readAccount>>;

/** An account of others is none. */
function orUnknown(error: unknown): never {
  if (!(error instanceof GatewayError) || error.code !== 'not_found') throw error;
  const message =
    'This account does not exist, or you are not a member of it. Ask one of its owners to invite you, or open an account of your own.';
  throw new GatewayError('not_found', message, { cause: error });
}

const readAccount = (manage: Management) => manage('readAccount');

function dashboardRequestOf(
  request: Request,
  {
    manage,
    signedIn,
    found: { output: account, caller },
    ...tools
  }: { manage: Management; found: FoundAccount } & Pick<
    DashboardRequest,
    'signedIn' | 'api' | 'limitDefaults' | 'modelFor'
  >,
): DashboardRequest {
  if (caller === undefined) throw new TypeError('Reading an account needs rights in it.');
  const fields = textsOf(request.body);
  return {
    caller,
    signedIn,
    account,
    ask: withoutDetails(manage),
    ...tools,
    publicUrl: publicOriginOf(request),
    viewer: viewerOf(request.headers.cookie),
    params: textsOf(request.params),
    base: `${home}/${account.id}`,
    place: request.path,
    query: textsOf(request.query),
    fields,
    isFromEarlierSession: request.method === 'POST' && sentFormOf(request).csrfToken !== signedIn.csrfToken,
    once: randomBytes(16).toString('base64url'),
  };
}

const textsOf = (from: unknown): FieldValues =>
  typeof from === 'object' && from !== null
    ? Object.fromEntries(Object.entries(from).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
    : {};
