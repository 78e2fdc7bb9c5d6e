import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { checkKey, GatewayError, hashKey, looksLikeKey } from '@tallyport/contracts';
import { type ClientSecrets, looksLikeClientSecret } from './client-secrets.ts';
import { keyBehind } from './client-secret-key.ts';
import { keyInSubprotocols } from './subprotocol-key.ts';

const bearer = /^Bearer +(\S+) *$/i;
/** Longer than any generated key or key chosen by an operator. */
const maxKeyLength = 512;

/**
 * Returns the SHA-256 of the key in one of the documented headers, or `undefined` if there is none. Throws if the text
 * cannot be a key, so that typing errors cost no look-up.
 */
type KeyHashOf = (request: IncomingMessage) => string | undefined;

/**
 * Remembers the last key of each connection: nearly all clients send the same one in every request, and hashing it is a
 * twentieth of edge's work for a request. The text of a key is not kept longer than its connection. What a client secret
 * opens is checked for each request, so it is remembered for that one only, whose socket may outlive it.
 */
export function createKeyHashes(secrets: Pick<ClientSecrets, 'open'>): KeyHashOf {
  const lastKeys = new WeakMap<Socket | IncomingMessage, { key: string; hash: string }>();

  return (request) => {
    const key = keyIn(request.headers);
    if (key === undefined) return undefined;
    // Node removes the socket from a request that was aborted.
    const { socket }: { socket: Socket | null } = request;
    const isSecret = looksLikeClientSecret(key);
    const holder = isSecret ? request : socket;
    const last = holder ? lastKeys.get(holder) : undefined;
    if (last?.key === key) return last.hash;
    const hash = isSecret ? keyBehind(secrets.open(key), { request, now: Date.now() }) : checkedHash(key);
    if (holder) lastKeys.set(holder, { key, hash });
    return hash;
  };
}

/** The headers of SDKs that send no `Authorization`: Anthropic's, Google's and Azure's. */
const keyHeaders = ['x-api-key', 'x-goog-api-key', 'api-key'] as const;

/** Headers that identify a client. A service that gets the principal instead must not see them. */
export const credentialHeaders: ReadonlySet<string> = new Set([
  ...keyHeaders,
  'authorization',
  'cookie',
  'proxy-authorization',
  'sec-websocket-protocol',
]);

/** The text of the key in one of the documented headers. */
export function keyIn(headers: IncomingHttpHeaders): string | undefined {
  const { authorization } = headers;
  const key = ownKeyIn(headers) || bearer.exec(authorization ?? '')?.[1];
  return key ?? refuseOtherSchemes(authorization) ?? keyInSubprotocols(headers);
}

function ownKeyIn(headers: IncomingHttpHeaders): string {
  for (const name of keyHeaders) {
    const key = textOf(headers[name]);
    if (key !== '') return key;
  }
  return '';
}

/** Whether the request has a key or token, valid or not. */
export const sendsKey = (headers: IncomingHttpHeaders): boolean =>
  ownKeyIn(headers) !== '' || Boolean(headers.authorization);

function checkedHash(key: string): string {
  if (key.length > maxKeyLength) throw tooLong;
  if (looksLikeKey(key) && !checkKey(key)) throw mistyped;
  return hashKey(key);
}

const textOf = (header: string | string[] | undefined): string => (typeof header === 'string' ? header : '');

const secretParameter = /(?:^|&)(?:x[-_])?(?:api[-_]?key|key|access[-_]?token|token|authorization|bearer)=[^&]/i;

/** URLs end up in logs, browser histories and proxies, so a key in the query is refused even if it is valid. */
export function refuseKeyInQuery(query: string): void {
  if (query !== '' && secretParameter.test(query)) throw keyInQuery;
}

function refuseOtherSchemes(authorization: string | undefined): undefined {
  if (authorization) throw otherScheme;
}

/**
 * Shared instances: during a flood, capturing a stack trace for each refusal would cost more than the rest of the
 * request.
 */
const wrongKey = (message: string): GatewayError => new GatewayError('invalid_api_key', message);
const tooLong = wrongKey('This API key is too long. Check what you copied.');
const mistyped = wrongKey('This API key is mistyped: its checksum does not match. Copy it again.');
const otherScheme = wrongKey(
  'The Authorization header must be "Bearer <key>". You can also send the key in x-api-key.',
);
const keyInQuery = wrongKey(
  'Do not send a key in the URL: it ends up in logs. Replace this key, and send it as "Authorization: Bearer <key>" or "x-api-key: <key>".',
);
const noKey = wrongKey('An API key is required. Send it as "Authorization: Bearer <key>" or "x-api-key: <key>".');

export const missingApiKey = (): GatewayError => noKey;
