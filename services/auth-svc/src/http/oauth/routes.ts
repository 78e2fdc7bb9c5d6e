import { GatewayError } from '@tallyport/contracts';
import { publicOriginOf, readForm, readJson } from '@tallyport/pages';
import { toUnavailable } from '@tallyport/management-server';
import { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { oauthPaths } from '../../oauth/provider.ts';
import { authorizeUrlWithScope, checkResponseMode, tokenRequestWithScope } from '../../oauth/normalise-request.ts';
import type { PageTools } from '../pages/tools.ts';
import { register, type RegisterTools } from './register.ts';
import { type TokenExchangeTools, tokenExchange } from './token-exchange.ts';

type OAuthAttempt = 'oauth_authorize' | 'oauth_inspect' | 'oauth_register' | 'oauth_token';

export interface OAuthRoutesTools extends Pick<PageTools, 'oauth'>, RegisterTools, TokenExchangeTools {
  /** Throws `rate_limit_exceeded` if this address sent too many requests. */
  countOAuth(kind: OAuthAttempt, address: string): Promise<void>;
}

const wellKnown = '/.well-known/oauth-authorization-server';
/** Only exactly these: the library would also answer `/oauth/REGISTER`, for which the steps below are not taken. */
const forLibrary = [
  ...Object.values(oauthPaths),
  `${oauthPaths.authorization}/:uid`,
  wellKnown,
  '/.well-known/openid-configuration',
];

/** The routes of the OAuth server. They adapt requests of real clients to what the library accepts. */
export function oauthRoutes(tools: OAuthRoutesTools): Router {
  const router = Router({ caseSensitive: true });
  const { countOAuth } = tools;
  for (const [path, methods] of Object.entries(methodsOf)) router.all(path, refuseOtherThan(methods));
  router.all(['/oauth/authorize', '/oauth/authorize/*rest'], limited('oauth_authorize', countOAuth));
  router.all(['/oauth/introspect', '/oauth/revoke'], limited('oauth_inspect', countOAuth));
  router.get('/oauth/authorize', (request, _response, next) => {
    checkResponseMode(request.url);
    request.url = authorizeUrlWithScope(request.url);
    next();
  });
  router.options('/oauth/register', answerPreflight);
  router.post('/oauth/register', allowPages, limited('oauth_register', countOAuth), readJson(maxRegistrationBytes));
  router.post('/oauth/register', register(tools));
  router.post('/oauth/token', limited('oauth_token', countOAuth), readForm(), tokenExchange(tools));
  router.post('/oauth/token', (request, _response, next) => {
    request.body = tokenRequestWithScope(request.body ?? {});
    next();
  });
  router.get([`${wellKnown}/*rest`, '/.well-known/openid-configuration/*rest'], (request, _response, next) => {
    request.url = request.url.split('/').slice(0, 3).join('/');
    next();
  });
  router.post('/oauth/*rest', readForm());
  router.all(forLibrary, async (request, response) => {
    // The library needs the URL as the client sent it, even if a router has changed it.
    const handle = await tools.oauth.handler(publicOriginOf(request));
    await handle(request, response);
  });
  router.use(['/oauth', '/.well-known'], oauthErrorHandler);
  return router;
}

const readMethods = ['GET', 'HEAD', 'OPTIONS'];
const postMethods = ['POST', 'OPTIONS'];

const methodsOf: Readonly<Record<string, readonly string[]>> = {
  [oauthPaths.authorization]: readMethods,
  [oauthPaths.token]: postMethods,
  [oauthPaths.registration]: postMethods,
  [oauthPaths.revocation]: postMethods,
  [oauthPaths.introspection]: postMethods,
  [oauthPaths.jwks]: readMethods,
  [wellKnown]: readMethods,
};

/** Also in browsers as JSON: these addresses are for programs. */
const refuseOtherThan =
  (methods: readonly string[]): RequestHandler =>
  (request, response, next) => {
    if (methods.includes(request.method)) return next();
    const description = `${request.path} does not support ${request.method}. Use ${methods[0]}.`;
    response.set('allow', methods.join(', ')).status(405);
    response.json({ error: 'invalid_request', error_description: description });
  };

const maxRegistrationBytes = 32 * 1024;

const allowPages: RequestHandler = (_request, response, next) => {
  response.set({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
  next();
};

const answerPreflight: RequestHandler = (_request, response) => {
  response.set({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
    'access-control-max-age': '3600',
  });
  response.sendStatus(204);
};

const limited =
  (kind: OAuthAttempt, count: OAuthRoutesTools['countOAuth']): RequestHandler =>
  async (request, _response, next) => {
    await count(kind, request.ip ?? '');
    next();
  };

/** Errors use OAuth's envelope, the only one its clients read. */
// oxlint-disable-next-line max-params -- express knows an error handler by its four parameters
const oauthErrorHandler: ErrorRequestHandler = (thrown, request, response, next) => {
  if (response.headersSent || (request.method === 'GET' && request.accepts(['json', 'html']) === 'html')) {
    return next(thrown);
  }
  const error = toUnavailable(thrown);
  if (error instanceof GatewayError) {
    const { status, message, retryAfterMs } = error;
    if (retryAfterMs !== undefined) response.set('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
    response.status(status).json({ error: oauthCodes[error.code] ?? 'server_error', error_description: message });
  } else if (isClientFault(thrown)) {
    response.status(thrown.status).json({ error: 'invalid_request', error_description: 'the body cannot be read' });
  } else next(thrown);
};

const oauthCodes: Readonly<Record<string, string>> = {
  invalid_api_key: 'invalid_token',
  invalid_parameters: 'invalid_request',
  permission_denied: 'access_denied',
  rate_limit_exceeded: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
};

const isClientFault = (thrown: unknown): thrown is { status: number } =>
  thrown instanceof Error && 'status' in thrown && typeof thrown.status === 'number' && thrown.status < 500;
