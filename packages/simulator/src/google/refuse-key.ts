import { type ArrivedRequest, isAcceptedKey } from '@tallyport/sandbox';
import { type GoogleError, googleMissingKey, googleWrongKey } from './errors.ts';

/** `undefined` if the key may be used. */
export function refuseGoogleKey(
  { headers, query }: ArrivedRequest,
  apiKeys: readonly string[],
): GoogleError | undefined {
  const key = headers['x-goog-api-key'] ?? new URLSearchParams(query).get('key') ?? '';
  if (key === '') return googleMissingKey;
  return isAcceptedKey(key, apiKeys) ? undefined : googleWrongKey;
}
