import { fieldOf } from '@tallyport/pages';
import type { Request, RequestHandler } from 'express';
import type { WorkloadKey } from '../../identity/workload/exchange-token.ts';
import { tokenExchangeGrant } from '../../oauth/token-exchange-grant.ts';

export interface TokenExchangeTools {
  /** Returns a key for the token of a workload; `undefined` if no rule accepts it. */
  exchangeToken(token: string): Promise<WorkloadKey | undefined>;
}

const jwt = 'urn:ietf:params:oauth:token-type:jwt';
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';

/** RFC 8693: exchanges the token of a workload for a key. The OAuth library answers every other grant. */
export const tokenExchange =
  ({ exchangeToken }: TokenExchangeTools): RequestHandler =>
  async (request, response, next) => {
    if (fieldOf(request, 'grant_type') !== tokenExchangeGrant) return next();
    response.set('cache-control', 'no-store');
    const problem = problemOf(request);
    if (problem) return void response.status(400).json(problem);
    const issued = await exchangeToken(fieldOf(request, 'subject_token'));
    if (issued === undefined) return void response.status(400).json(notAccepted);
    response.json({
      access_token: issued.key,
      issued_token_type: accessToken,
      token_type: 'Bearer',
      expires_in: issued.expiresInSeconds,
    });
  };

interface OAuthProblem {
  error: 'invalid_request' | 'invalid_target';
  error_description: string;
}

const invalid = (error_description: string): OAuthProblem => ({ error: 'invalid_request', error_description });

const notAccepted = invalid(
  'No rule of this gateway accepts the token. Check its issuer, audience, subject and claims, and that it has not expired.',
);

function problemOf(request: Request): OAuthProblem | undefined {
  const given = (name: string): boolean => fieldOf(request, name) !== '';
  if (!given('subject_token')) return invalid('subject_token is missing. Send the token of the workload.');
  if (fieldOf(request, 'subject_token_type') !== jwt) return invalid(`subject_token_type must be ${jwt}.`);
  if (given('actor_token')) return invalid('actor_token is not supported. Leave it out.');
  if (given('requested_token_type') && fieldOf(request, 'requested_token_type') !== accessToken)
    return invalid(`requested_token_type must be ${accessToken}, or omitted.`);
  if (given('scope')) return invalid('scope is not supported: the rule decides what the key may do. Leave it out.');
  if (given('audience') || given('resource'))
    return {
      error: 'invalid_target',
      error_description: 'The key is for this gateway. Leave audience and resource out.',
    };
  return undefined;
}
