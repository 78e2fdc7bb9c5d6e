import { GatewayError, type ManageAnswer, type ManageRequest } from '@tallyport/contracts';
import { type ApiOperation, checkAccess } from '@tallyport/management';
import { askedFrom } from '../audit/asked-from.ts';
import type { AccountTurns } from '../api/account-turns.ts';
import type { ApiCaller } from '../api/caller.ts';
import { endpointsByName } from '../api/endpoints-by-name.ts';
import type { AnyApiEndpoint, ApiRequest } from '../api/operation.ts';
import { sessionCookie } from './cookie.ts';

export interface ManageTools {
  endpoints: readonly AnyApiEndpoint[];
  turns: AccountTurns;
  /**
   * The signed-in person in an account; `undefined` for an operation that anyone may call. Throws without a valid session,
   * and for a change that no form of it asked for.
   */
  callerOf(request: ManageRequest, operation: ApiOperation): Promise<ApiCaller | undefined>;
}

export type Manage = (request: ManageRequest) => Promise<ManageAnswer>;

/** The management API for services with pages, called over the bus with the session of a browser. */
export function createManage(tools: ManageTools): Manage {
  const endpoints = endpointsByName(tools.endpoints);
  return async (request) => {
    const endpoint = endpoints.get(request.operation);
    if (endpoint === undefined) throw noSuchOperation(request.operation);
    const { access } = endpoint.operation;
    const caller = await tools.callerOf(request, endpoint.operation);
    if (caller && access !== 'anyone') checkAccess(caller, access);
    const cookie = sessionCookie(new URL(request.publicOrigin));
    const setCookie: string[] = [];
    const apiRequest: ApiRequest = {
      address: request.address,
      sessionToken: cookie.read(request.cookie),
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

const noSuchOperation = (name: string): GatewayError =>
  new GatewayError('not_found', `There is no operation ${name.slice(0, 100)} for pages.`, {
    detail: 'The service with the page may be of a newer release than this one.',
  });
