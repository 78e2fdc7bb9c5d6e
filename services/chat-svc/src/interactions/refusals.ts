import { GatewayError } from '@tallyport/contracts';

const notStored = 'It has expired or was deleted, or its store member was false.';

/** The same for an id that never existed, has expired, was deleted or belongs to another account. */
export const interactionNotFound = (): GatewayError =>
  new GatewayError('not_found', `No interaction with this id is stored. ${notStored}`);

/** The same for a request that continues it. */
export const previousInteractionNotFound = (id: string): GatewayError =>
  new GatewayError(
    'not_found',
    `previous_interaction_id: no interaction '${id.slice(0, 64)}' is stored. ${notStored}`,
    {
      param: 'previous_interaction_id',
    },
  );

/** For a request that continues an interaction. */
export const cannotContinueInteraction = (): GatewayError =>
  new GatewayError(
    'not_found',
    'previous_interaction_id: this gateway stores no interactions (RESPONSES_DAYS is 0). Send the whole conversation as input.',
    { param: 'previous_interaction_id' },
  );

/** For a request for a stored interaction. */
export const noInteractionsStored = (): GatewayError =>
  new GatewayError('not_found', 'This gateway stores no interactions (RESPONSES_DAYS is 0).');

export const cannotCancelInteraction = (): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    'Only background interactions can be cancelled. Close the connection to stop one.',
  );

export const cannotStreamInteractionAgain = (): GatewayError =>
  new GatewayError('invalid_parameters', 'stream: only background interactions are streamed again. Leave it out.', {
    param: 'stream',
  });

/** For a request with `background`. */
export const interactionMustBeStored = (): GatewayError =>
  new GatewayError('invalid_parameters', 'store: a background interaction is stored. Leave store out, or background.', {
    param: 'store',
  });

export const badEventId = (): GatewayError =>
  new GatewayError('invalid_parameters', 'last_event_id: must be the event_id of an event of this interaction.', {
    param: 'last_event_id',
  });
