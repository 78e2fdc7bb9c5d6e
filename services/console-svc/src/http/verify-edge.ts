import {
  clockDifferenceError,
  GatewayError,
  readVisitorToken,
  type Visitor,
  visitorTokenHeader,
} from '@tallyport/contracts';
import type { Request, RequestHandler } from 'express';

/**
 * Any client that reaches this port could claim any address and host, so only values that edge signed are used. They
 * replace the request's `X-Forwarded-*` headers, which express reads. Requests without a valid signature are refused.
 */
export const verifyEdge =
  (secrets: readonly string[]): RequestHandler =>
  (request, response, next) => {
    const visitor = visitorOf(request, secrets);
    // An unread body is not waited for: the connection closes after the response.
    if (visitor instanceof GatewayError) response.set('connection', 'close');
    else replaceClaims(request, visitor);
    next(visitor instanceof GatewayError ? visitor : undefined);
  };

function visitorOf(request: Request, secrets: readonly string[]): Visitor | GatewayError {
  const token = request.get(visitorTokenHeader) ?? '';
  const visitor = readVisitorToken(token, { requestId: request.get('x-request-id'), secrets });
  if (visitor === 'too_old') return clockDifferenceError('console-svc');
  return visitor ?? unsigned();
}

function replaceClaims({ headers }: Request, { address, publicOrigin }: Visitor): void {
  const { protocol, host } = new URL(publicOrigin);
  headers['x-forwarded-for'] = address;
  headers['x-forwarded-host'] = host;
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
}

const unsigned = (): GatewayError =>
  new GatewayError(
    'permission_denied',
    'This server only accepts requests from the gateway. Use its public address; operators: set the same INTERNAL_SECRET at edge and console-svc.',
  );
