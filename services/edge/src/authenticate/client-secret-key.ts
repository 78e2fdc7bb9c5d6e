import type { IncomingMessage } from 'node:http';
import { GatewayError } from '@tallyport/contracts';
import type { ClientSecret } from './client-secrets.ts';

interface PresentedSecret {
  request: Pick<IncomingMessage, 'url' | 'headers'>;
  /** In milliseconds. */
  now: number;
}

/** The hash of the key behind a client secret. Throws unless the request opens a session that it was made for. */
export function keyBehind(secret: ClientSecret | undefined, { request, now }: PresentedSecret): string {
  if (secret === undefined) throw unknown;
  if (secret.expiresAt * 1000 <= now) throw expired;
  const [path = '', query = ''] = (request.url ?? '').split('?');
  if (request.headers.upgrade === undefined || !path.endsWith('/v1/realtime')) throw elsewhere;
  if (new URLSearchParams(query).get('model') !== secret.model) throw otherModel(secret.model);
  return secret.keyHash;
}

/** Shared instances, for the reason given in credentials.ts. */
const unknown = new GatewayError('invalid_api_key', 'This client secret was not made here. Make another one.');
const expired = new GatewayError('invalid_api_key', 'This client secret has expired. Make another one.');
const elsewhere = new GatewayError('invalid_api_key', 'A client secret only opens /v1/realtime as a WebSocket.');

const otherModel = (model: string): GatewayError =>
  new GatewayError('permission_denied', `This client secret is for /v1/realtime?model=${model} only.`, {
    param: 'model',
  });
