import { type ApiCredentials, GatewayError } from '@tallyport/contracts';
import {
  type ApiOperation,
  checkAccess,
  expressPath,
  managementOperations,
  revisionHeader,
  revisionSchema,
} from '@tallyport/management';
import { checkSameOrigin, publicOriginOf, readJson } from '@tallyport/pages';
import { createPathGuide } from '@tallyport/service-kit';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountTurns } from '../api/account-turns.ts';
import type { ApiCaller } from '../api/caller.ts';
import type { AnyApiEndpoint, ApiRequest } from '../api/operation.ts';
import { parseInput } from '../api/parse-input.ts';
import type { PlannedChanges } from '../revision/planned-changes.ts';
import { sessionCookie } from './cookie.ts';
import { credentialsOf, type Identify } from './credentials.ts';
import { sendApiError } from './send-api-error.ts';

interface ManagementApiTools {
  endpoints: readonly AnyApiEndpoint[];
  turns: AccountTurns;
  identify: Identify;
  /** Absent where no operation is part of a gateway document. */
  planned?: Pick<PlannedChanges, 'change'>;
  /** Called for errors that are not the caller's fault. */
  onFailure: (error: GatewayError, operation: string) => void;
}

const usualBodyBytes = 64 * 1024;

/** Builds the router of `/api/v1`: one route per endpoint, and API errors for all other requests. */
export function managementApi(tools: ManagementApiTools): Router {
  const router = Router({ caseSensitive: true });
  router.use(noStore);
  router.use(refuseOtherTypes);
  // A body that was read is not read again.
  for (const { operation } of tools.endpoints) {
    const { method, path, maxBodyBytes } = operation;
    if (maxBodyBytes !== undefined) router[lowerCase[method]](expressPath(path), readJson(maxBodyBytes));
  }
  router.use(readJson(usualBodyBytes));
  const methods = methodsByPath(tools.endpoints);
  for (const [path, allowed] of methods) router.all(path, refuseOthers(allowed));
  for (const endpoint of tools.endpoints) {
    const { method, path } = endpoint.operation;
    const handler = answer(endpoint, tools);
    router[lowerCase[method]](expressPath(path), handler);
  }
  router.use(refuseWrongAddress);
  router.use(apiErrorHandler(tools));
  return router;
}

const lowerCase = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

const noStore: RequestHandler = (_request, response, next) => {
  response.set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  next();
};

/** Proxies may announce a body that does not exist, so a missing content type is accepted. */
const refuseOtherTypes: RequestHandler = (request, _response, next) => {
  if (request.get('content-type') !== undefined && request.is('application/json') === false) {
    throw new GatewayError('unsupported_media_type', 'Send the body as JSON, with "Content-Type: application/json".');
  }
  next();
};

function answer(endpoint: AnyApiEndpoint, tools: ManagementApiTools): RequestHandler {
  const { operation } = endpoint;
  return async (request, response) => {
    // Requests with a session must come from this origin.
    const origin = publicOriginOf(request);
    const cookie = sessionCookie(new URL(origin));
    const credentials = credentialsOf(request, cookie, accountInLink(operation, request));
    const { address, sessionToken } = credentials;
    const setSession: ApiRequest['setSession'] = (session) =>
      void response.append('set-cookie', session ? cookie.write(session.token, session.expiresAt) : cookie.clear());
    const caller = await allowedCaller(operation, credentials, { identify: tools.identify, origin });
    const input = inputOf(request);
    if ('stream' in endpoint) {
      const wanted = withoutAccount(input);
      const pieces = tools.turns.stream(caller, () => endpoint.stream(wanted, caller));
      return sendFile(response, { pieces, type: operation.contentType, name: () => endpoint.fileName(wanted) });
    }
    const asked = { address, sessionToken, setSession };
    const run = () => tools.turns.run(caller, () => endpoint.run(input, caller, asked));
    const output = await onRevision(run, { request, response, planned: tools.planned });
    await nextTurn();
    response.status(operation.status ?? 200).json(output);
  };
}

interface OnRevision extends Pick<ManagementApiTools, 'planned'> {
  request: Request;
  response: Response;
}

/** A request may name the revision that it was planned on. */
async function onRevision<Output>(
  run: () => Promise<Output>,
  { request, response, planned }: OnRevision,
): Promise<Output> {
  const named = request.get(revisionHeader);
  if (named === undefined || planned === undefined) return run();
  const { result, revision } = await planned.change(parseInput(revisionSchema, named, revisionHeader), run);
  response.set(revisionHeader, revision);
  return result;
}

interface SentFile {
  pieces: AsyncIterable<string>;
  type: string | undefined;
  name(): string;
}

/** Waits for the first piece before sending the status, so that an immediate failure is still answered as an error. */
async function sendFile(response: Response, { pieces, type = 'text/plain', name }: SentFile): Promise<void> {
  const source = Readable.from(pieces, { objectMode: false, encoding: 'utf8' });
  await once(source, 'readable');
  response.status(200).attachment(name()).type(type);
  await pipeline(source, response);
}

async function allowedCaller(
  { access }: ApiOperation,
  credentials: ApiCredentials,
  { identify, origin }: { identify: Identify; origin: string },
): Promise<ApiCaller | undefined> {
  if (access === 'anyone') {
    if (credentials.changes) checkSameOrigin(credentials.origin, origin);
    return undefined;
  }
  const caller = await identify(credentials, origin);
  if (caller) checkAccess(caller, access);
  return caller;
}

/** Downloads are links, which set no header: `account` in their address selects the account. */
function accountInLink({ contentType }: ApiOperation, { query }: Request): string | undefined {
  const { account } = query;
  return contentType !== undefined && typeof account === 'string' ? account : undefined;
}

/** Merges path, query or body into one object; path members take precedence. */
function inputOf({ method, body, query, params }: Request): Record<string, unknown> {
  const rest: unknown = method === 'GET' || method === 'DELETE' ? query : (body ?? {});
  if (typeof rest !== 'object' || rest === null || Array.isArray(rest)) {
    throw new GatewayError('invalid_parameters', 'The body must be a JSON object.');
  }
  return { ...rest, ...params };
}

const withoutAccount = ({ account: _account, ...input }: Record<string, unknown>): unknown => input;

function methodsByPath(endpoints: readonly AnyApiEndpoint[]): Map<string, string[]> {
  const byPath = new Map<string, string[]>();
  for (const { operation } of endpoints) {
    const path = expressPath(operation.path);
    byPath.set(path, [...(byPath.get(path) ?? []), operation.method]);
  }
  return byPath;
}

const refuseOthers =
  (allowed: readonly string[]): RequestHandler =>
  ({ method }, response, next) => {
    if (allowed.includes(method)) return next();
    response.set('allow', allowed.join(', '));
    throw new GatewayError('method_not_allowed', `This address only supports ${allowed.join(', ')}.`);
  };

/** Refuses a request that no operation takes, with the address that was probably meant, whichever service answers there. */
const refuseWrongAddress: RequestHandler = ({ method, path, baseUrl }) => {
  const meant = guide({ method, path })?.routes.slice(0, 3) ?? [];
  const names = meant.map((each) => `${each.route.method} ${baseUrl}${each.path}`);
  const hint =
    names.length > 0
      ? `Did you mean ${names.join(' or ')}?`
      : `The management API is below ${baseUrl} and that of models below /v1; /docs describes both.`;
  throw new GatewayError('not_found', `${method} ${baseUrl}${path.slice(0, 200)} does not exist. ${hint}`);
};

const guide = createPathGuide(Object.values(managementOperations).map(({ method, path }) => ({ method, path })));

function apiErrorHandler({ onFailure }: ManagementApiTools): ErrorRequestHandler {
  // oxlint-disable-next-line max-params -- express knows error handlers by their four parameters.
  return (thrown: unknown, request, response, next) => {
    if (response.headersSent) return next(thrown);
    const error = sendApiError(response, thrown);
    if (error.status >= 500) onFailure(error, `${request.method} ${request.route?.path ?? ''}`);
  };
}
