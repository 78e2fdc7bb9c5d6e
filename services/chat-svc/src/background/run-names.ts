import { createHash } from 'node:crypto';

/** Entries of the queue are names of runs. */
export const queueName = 'background';

/** Replicas that have runs listen to it: the payload is the name of a run that is to be cancelled. */
export const cancelChannel = 'background:cancel';

/** Includes the account, so that accounts cannot read each other's. */
export const runName = (accountId: string, id: string): string =>
  `background:${createHash('sha256').update(`${accountId}\n${id}`).digest('base64url')}`;

export const requestName = (name: string): string => `${name}:request`;
export const endingName = (name: string): string => `${name}:ending`;
export const cancelName = (name: string): string => `${name}:cancel`;
export const logName = (name: string): string => `${name}:events`;
