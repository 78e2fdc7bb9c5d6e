import type { ErrorCode } from '@tallyport/contracts';

/** Of the endpoints of files and batches, which belong to the account of the key. */
export const accountFailures: readonly ErrorCode[] = [
  'invalid_api_key',
  'rate_limit_exceeded',
  'permission_denied',
  'unavailable',
];

export const accountItemFailures: readonly ErrorCode[] = [...accountFailures, 'not_found'];
