import { GatewayError, type ManageAnswer, type ManageRequest } from '@tallyport/contracts';
import { checkAccess } from '@tallyport/management';
import { askedFrom } from '../../audit/asked-from.ts';
import { sessionCookie } from '../../sessions/cookie.ts';
import { checkForm } from '../../sessions/csrf.ts';
import type { SignedInUser } from '../../sessions/find-session.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { AccountTurns } from '../../api/account-turns.ts';
import type { ApiCaller } from '../../api/caller.ts';
import { endpointsByName } from '../../api/endpoints-by-name.ts';
import { type AnyApiEndpoint, type ApiRequest, notSignedIn } from '../../api/operation.ts';

export interface ManageTools {
  endpoints: readonly AnyApiEndpoint[];
  turns: AccountTurns;
  sessions: Sessions;
  callerOf(signedIn: SignedInUser, account: string | undefined): Promise<ApiCaller>;
  /** Resolves with `true` the first time a form token is sent, and with `false` afterwards. */
  firstTime(form: string): Promise<boolean>;
}

export type Manage = (request: ManageRequest) => Promise<ManageAnswer>;

/** The management API for services with pages, called over the bus with the session of a browser. */
export function createManage(tools: ManageTools): Manage {
  const endpoints = endpointsByName(tools.endpoints);
  return async (request) => {
    const endpoint = endpoints.get(request.operation);
    if (endpoint === undefined) throw noSuchOperation(request.operation);
    const { access, method } = endpoint.operation;
    const cookie = sessionCookie(new URL(request.publicOrigin));
    const sessionToken = cookie.read(request.cookie);
    const signedIn = sessionToken === undefined ? undefined : await tools.sessions.find(sessionToken);
    if (signedIn === undefined) throw notSignedIn();
    if (method !== 'GET') await checkSentForm(request, signedIn, tools);

    const caller = access === 'anyone' ? undefined : await tools.callerOf(signedIn, request.account);
    if (caller && access !== 'anyone') checkAccess(caller, access);
    const setCookie: string[] = [];
    const apiRequest: ApiRequest = {
      address: request.address,
      sessionToken,
      setSession: (session) =>
        void setCookie.push(session ? cookie.write(session.token, session.expiresAt) : cookie.clear()),
    };
    const output = await tools.turns.run(caller, () =>
      askedFrom(request.address, () => endpoint.run(request.input, caller, apiRequest)),
    );
    return { output, ...(caller && { caller: rightsOf(caller) }), setCookie };
  };
}

const rightsOf = ({ accountId, role, operator }: ApiCaller): ManageAnswer['caller'] => ({ accountId, role, operator });

async function checkSentForm(
  { form = {}, publicOrigin }: ManageRequest,
  { userId, csrfToken }: SignedInUser,
  { firstTime }: Pick<ManageTools, 'firstTime'>,
): Promise<void> {
  checkForm(form, { origin: publicOrigin, csrfToken });
  if (form.once !== undefined && !(await firstTime(`${userId} ${form.once}`))) throw alreadySent();
}

const noSuchOperation = (name: string): GatewayError =>
  new GatewayError('not_found', `There is no operation ${name.slice(0, 100)} for pages.`, {
    detail: 'The service with the page may be of a newer release than auth-svc.',
  });

const alreadySent = (): GatewayError =>
  new GatewayError('conflict', 'This form was already sent and processed. Open the page again to send it once more.');
