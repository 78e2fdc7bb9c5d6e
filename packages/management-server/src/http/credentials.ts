import type { Request } from 'express';
import { type ApiCredentials, checkKey, GatewayError, hashKey, looksLikeKey } from '@tallyport/contracts';
import type { ApiCaller } from '../api/caller.ts';
import type { TokenCookie } from './cookie.ts';

/**
 * Identifies the caller. Throws if the credentials are invalid or insufficient; resolves with `undefined` if there are
 * none. `origin` is the public origin of this gateway.
 */
export type Identify = (credentials: ApiCredentials, origin: string) => Promise<ApiCaller | undefined>;

const maxKeyLength = 512;

/** `account` is the account to act in unless a header names one. */
export function credentialsOf(request: Request, cookie: TokenCookie, account: string | undefined): ApiCredentials {
  const key = keyOf(request);
  return {
    keyHash: key === undefined ? undefined : hashKey(key),
    sessionToken: key === undefined ? cookie.read(request.headers.cookie) : undefined,
    account: request.get('x-tallyport-account') ?? account,
    address: request.ip ?? '',
    origin: {
      origin: request.get('origin'),
      secFetchSite: request.get('sec-fetch-site'),
      csrfToken: request.get('x-csrf-token'),
    },
    changes: request.method !== 'GET' && request.method !== 'HEAD',
  };
}

function keyOf(request: Request): string | undefined {
  const authorization = request.get('authorization');
  const key = request.get('x-api-key') ?? /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if ((key === undefined && authorization !== undefined) || (key?.length ?? 0) > maxKeyLength) {
    throw new GatewayError('invalid_api_key', 'Send the key as "Authorization: Bearer <key>", or in x-api-key.');
  }
  if (key !== undefined && looksLikeKey(key) && !checkKey(key)) {
    throw new GatewayError('invalid_api_key', 'This API key is mistyped: its checksum does not match. Copy it again.');
  }
  return key;
}
