import { accountHash } from '../account-hash.ts';

/** Entries of the queue are names of runs. */
export const queueName = 'background';

/** Replicas that have runs listen to it: the payload is the name of a run that is to be cancelled. */
export const cancelChannel = 'background:cancel';

export const runName = (accountId: string, id: string): string => `background:${accountHash(accountId, id)}`;

export const keyName = (key: string): string => `background:key:${key}`;
export const requestName = (name: string): string => `${name}:request`;
export const endingName = (name: string): string => `${name}:ending`;
export const cancelName = (name: string): string => `${name}:cancel`;
export const followerName = (name: string): string => `${name}:follower`;
export const logName = (name: string): string => `${name}:events`;
