import { GatewayError } from '@tallyport/contracts';

const prefix = 'playground_';

/** Ids of users have a fixed format, so no two pairs have the same id. */
export const playgroundKeyId = ({ accountId, userId }: { accountId: string; userId: string }): string =>
  `${prefix}${accountId}_${userId}`;

export const isPlaygroundKey = (id: string): boolean => id.startsWith(prefix);

/** It has no text that could be replaced, and its owner could make a revoked one again. */
export function refusePlaygroundKey(id: string): void {
  if (!isPlaygroundKey(id)) return;
  throw new GatewayError(
    'conflict',
    'The key of a playground can be neither rotated nor revoked. To turn it off, set when it expires; to limit it, set a budget or models.',
  );
}
