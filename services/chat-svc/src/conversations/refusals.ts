import { GatewayError } from '@tallyport/contracts';

/** The same for an id that never existed, has expired, was deleted or belongs to another account or project. */
export const conversationNotFound = (param?: string): GatewayError =>
  new GatewayError(
    'not_found',
    'No conversation with this id is stored. It has expired or was deleted. Create one with POST /v1/conversations.',
    param === undefined ? {} : { param },
  );

export const conversationItemNotFound = (): GatewayError =>
  new GatewayError('not_found', 'The conversation has no item with this id.');

export const noConversationsStored = (param?: string): GatewayError =>
  new GatewayError(
    'not_found',
    'This gateway stores no conversations (RESPONSES_DAYS is 0). Send the whole conversation as input.',
    param === undefined ? {} : { param },
  );

export const conversationsUnavailable = (): GatewayError =>
  new GatewayError(
    'unavailable',
    'Conversations cannot be read or changed right now, because their store is unavailable. Try again in a second.',
    { retryAfterMs: 1_000 },
  );

export const changedTooOften = (): GatewayError =>
  new GatewayError('conflict', 'The conversation is changed by too many requests at once. Try again.', {
    retryAfterMs: 1_000,
  });

export const conversationFull = (limit: number, param?: string): GatewayError =>
  new GatewayError(
    'request_too_large',
    `The conversation is larger than ${limit} bytes (RESPONSES_MAX_BYTES). Delete items of it, or compact them and begin a new one.`,
    param === undefined ? {} : { param },
  );

export const accountFull = (): GatewayError =>
  new GatewayError(
    'request_too_large',
    'The account stores as many responses and conversations as it may (RESPONSES_ACCOUNT_MAX_BYTES). Delete some, or wait until older ones expire.',
  );
