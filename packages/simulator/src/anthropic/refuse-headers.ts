import { type ArrivedRequest, bearerOf, isAcceptedKey } from '@tallyport/sandbox';
import { type AnthropicError, anthropicInvalid, unauthorized } from './errors.ts';
import { anthropicVersions } from './strictness.ts';

/** The error for headers without an accepted key or a known version. */
export function refuseHeaders(
  headers: ArrivedRequest['headers'],
  apiKeys: readonly string[],
): AnthropicError | undefined {
  const key = headers['x-api-key'] ?? bearerOf(headers);
  if (typeof key !== 'string') return unauthorized('x-api-key header is required');
  if (!isAcceptedKey(key, apiKeys)) return unauthorized('invalid x-api-key');
  const version = headers['anthropic-version'];
  if (version === undefined) return anthropicInvalid('anthropic-version: header is required');
  return anthropicVersions.includes(String(version))
    ? undefined
    : anthropicInvalid(`anthropic-version: "${String(version)}" is not a valid version`);
}
