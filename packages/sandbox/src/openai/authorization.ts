import type { IncomingHttpHeaders } from 'node:http';
import { invalidRequest, type ApiError } from './errors.ts';

/** The key in `Authorization: Bearer`. */
export const bearerOf = ({ authorization = '' }: IncomingHttpHeaders): string | undefined =>
  /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];

/** Any key is accepted unless keys were configured. */
export const isAcceptedKey = (key: unknown, apiKeys: readonly string[]): boolean =>
  typeof key === 'string' && (apiKeys.length === 0 || apiKeys.includes(key));

/** The error for a missing or wrong bearer key; `undefined` if no key is required. */
export function refuseOpenAiKey(headers: IncomingHttpHeaders, apiKeys: readonly string[]): ApiError | undefined {
  if (apiKeys.length === 0) return undefined;
  const key = bearerOf(headers);
  if (key === undefined) return { ...invalidRequest(missingKey, null), status: 401 };
  if (apiKeys.includes(key)) return undefined;
  return { ...invalidRequest(wrongKey(key), null, 'invalid_api_key'), status: 401 };
}

const missingKey =
  "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).";

const wrongKey = (key: string) => `Incorrect API key provided: ${key.slice(0, 3)}***${key.slice(-4)}.`;
