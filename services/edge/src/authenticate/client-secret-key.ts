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
  const [path = '', ...query] = (request.url ?? '').split('?');
  if (request.headers.upgrade?.toLowerCase() !== 'websocket' || !paths.has(path)) throw elsewhere;
  if (!isFor(secret, new URLSearchParams(query.join('?')))) throw otherSession(secret);
  return secret.keyHash;
}

/** A session that transcribes has no model in its address, and a secret has one. */
function isFor({ type, model }: ClientSecret, query: URLSearchParams): boolean {
  const transcribes = query.get('intent') === 'transcription';
  const named = query.get('model') ?? (transcribes ? model : undefined);
  return named === model && transcribes === (type === 'transcription');
}

/** A model's name in another path may end like them. */
const paths: ReadonlySet<string> = new Set(['/v1/realtime', '/openai/v1/realtime']);

/** Shared instances, for the reason given in credentials.ts. */
const unknown = new GatewayError('invalid_api_key', 'This client secret was not made here. Make another one.');
const expired = new GatewayError('invalid_api_key', 'This client secret has expired. Make another one.');
const elsewhere = new GatewayError('invalid_api_key', 'A client secret only opens /v1/realtime as a WebSocket.');

function otherSession({ type, model }: ClientSecret): GatewayError {
  const query = type === 'transcription' ? 'intent=transcription' : `model=${model}`;
  return new GatewayError('permission_denied', `This client secret is for /v1/realtime?${query} only.`, {
    param: 'model',
  });
}
