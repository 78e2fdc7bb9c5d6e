import { hash } from 'node:crypto';

/** Demo rows are recognised by the start of their ids, which no generated id has. */
export const demoKeyPattern = String.raw`key\_demo\_%`;
export const demoUserPattern = String.raw`user\_demo\_%`;

export const demoKeyId = (accountId: string, name: string): string =>
  `key_demo_${hash('sha256', `${accountId} ${name}`).slice(0, 24)}`;

export const demoUserId = (name: string): string => `user_demo_${name}`;
