import { GatewayError } from '@tallyport/contracts';
import type { ItemReference } from '@tallyport/dialects';

const whyNotStored = 'It has expired or was deleted, or its store member was false.';

/** The same for an id that never existed, has expired, was deleted or belongs to another account. */
export const responseNotFound = (): GatewayError =>
  new GatewayError('not_found', `No response with this id is stored. ${whyNotStored}`);

/** The same for a request that continues it. Clients know the code, and send their whole conversation. */
export const previousResponseNotFound = (id: string): GatewayError =>
  new GatewayError(
    'previous_response_not_found',
    `Previous response with id '${id.slice(0, 64)}' not found. ${whyNotStored}`,
    { param: 'previous_response_id' },
  );

export const storeUnavailable = (): GatewayError =>
  new GatewayError(
    'unavailable',
    'Stored responses cannot be read right now, because their store is unavailable. Try again in a second.',
    { retryAfterMs: 1_000 },
  );

/** For a request that continues a response. */
export const cannotContinue = (): GatewayError =>
  new GatewayError(
    'previous_response_not_found',
    'previous_response_id: this gateway stores no responses (RESPONSES_DAYS is 0). Send the whole conversation as input.',
    { param: 'previous_response_id' },
  );

/** For a request for a stored response. */
export const nothingStored = (): GatewayError =>
  new GatewayError('not_found', 'This gateway stores no responses (RESPONSES_DAYS is 0).');

/** Its items are in the conversation only, and no response has those before it. */
export const belongsToConversation = (id: string): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `previous_response_id: the response is a turn of the conversation '${id}'. Send conversation instead.`,
    { param: 'previous_response_id' },
  );

/** Of a socket, with `generate: false`. */
export const cannotPrepareTurn = (): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    'conversation: a response that is only prepared (generate is false) is no turn of a conversation. Leave one of them out.',
    { param: 'conversation' },
  );

export const conversationTooLong = (most: number): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `previous_response_id: the conversation has ${most} responses, the most that can be continued. Send its items as input to begin a new one.`,
    { param: 'previous_response_id' },
  );

export const conversationTooLarge = (limit: number, param?: string): GatewayError =>
  new GatewayError(
    'request_too_large',
    `The conversation is larger than ${limit} bytes (MAX_BODY_BYTES). Begin a new one.`,
    param === undefined ? {} : { param },
  );

/** The same for an item that never existed, or whose response has expired, was deleted or belongs to another account. */
export const itemNotFound = ({ id, at }: ItemReference): GatewayError =>
  new GatewayError('not_found', `Item with id '${id.slice(0, 64)}' not found.`, { param: `input[${at}].id` });

export const tooManyReferences = (most: number): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `input: its references name items of more than ${most} responses. Send some of the items themselves.`,
    { param: 'input' },
  );

export const referencesTooLarge = (limit: number): GatewayError =>
  new GatewayError(
    'request_too_large',
    `The responses that the references of input name are larger than ${limit} bytes (MAX_BODY_BYTES).`,
    { param: 'input' },
  );

export const mustBeStored = (): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    'store: a background response is stored until it is fetched. Leave store out.',
    {
      param: 'store',
    },
  );

/** Of a background response. */
export const notStored = (): GatewayError =>
  new GatewayError(
    'internal_error',
    'The response was made and paid for, but could not be stored: it is too large (RESPONSES_MAX_BYTES), the account has stored too much (RESPONSES_ACCOUNT_MAX_BYTES), or the store was unavailable.',
  );

export const notEnded = (): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    'The input items of a background response can be listed once it has completed.',
  );

export const badPosition = (): GatewayError =>
  new GatewayError('invalid_parameters', 'starting_after must be the sequence_number of an event.', {
    param: 'starting_after',
  });

export const cannotCancel = (): GatewayError =>
  new GatewayError('invalid_parameters', 'Cannot cancel a synchronous response. Close its connection to stop it.');

export const cannotStreamAgain = (): GatewayError =>
  new GatewayError('invalid_parameters', 'stream: only background responses are streamed again. Leave it out.', {
    param: 'stream',
  });
