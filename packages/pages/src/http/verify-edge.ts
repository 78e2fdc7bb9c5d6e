import {
  clockDifferenceError,
  GatewayError,
  internalTokenHeader,
  readVisitorToken,
  type Visitor,
} from '@tallyport/contracts';
import type { Request, RequestHandler } from 'express';

export interface VerifyEdge {
  /** The internal secrets. Requests without a valid signature of edge are refused. */
  secrets: readonly string[];
  /** The service that verifies, for its errors. */
  service: string;
}

/**
 * Any client that reaches this port could claim any address and host, so only values that edge signed are used. They
 * replace the request's `X-Forwarded-*` headers, which express and the OAuth library read.
 */
export const verifyEdge =
  (options: VerifyEdge): RequestHandler =>
  (request, response, next) => {
    const visitor = visitorOf(request, options);
    // An unread body is not waited for: the connection closes after the response.
    if (visitor instanceof GatewayError) response.set('connection', 'close');
    else replaceClaims(request, visitor);
    next(visitor instanceof GatewayError ? visitor : undefined);
  };

function visitorOf(request: Request, { secrets, service }: VerifyEdge): Visitor | GatewayError {
  const token = request.get(internalTokenHeader) ?? '';
  const visitor = readVisitorToken(token, { requestId: request.get('x-request-id'), secrets });
  if (visitor === 'too_old') return clockDifferenceError(service);
  return visitor ?? unsigned(service);
}

function replaceClaims({ headers }: Request, { address, publicOrigin }: Visitor): void {
  const { protocol, host } = new URL(publicOrigin);
  headers['x-forwarded-for'] = address;
  headers['x-forwarded-host'] = host;
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
}

const unsigned = (service: string): GatewayError =>
  new GatewayError(
    'permission_denied',
    `This server only accepts requests from the gateway. Use its public address; operators: set the same INTERNAL_SECRET at edge and ${service}.`,
  );
