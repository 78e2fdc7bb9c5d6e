import { GatewayError } from '@tallyport/contracts';

export const summariesUnavailable = (): GatewayError =>
  new GatewayError(
    'unavailable',
    'Compacted conversations cannot be read or made right now, because their store is unavailable. Try again in a second.',
    { retryAfterMs: 1_000 },
  );

/** The same for one of another account or project, one that was changed, and one whose key has expired. */
export const cannotOpen = (param: string): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `${param}: this compaction was made for another account or project, was changed, or is too old. Send the items that it stands for, or compact them again.`,
    { param },
  );

export const tooManyCompactions = (most: number): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `input: it has more than ${most} compactions. Send the last one, and the items after it.`,
    { param: 'input' },
  );
