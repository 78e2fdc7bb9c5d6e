import { createHash } from 'node:crypto';
import type { Target } from './targets.ts';

const digits = 32;

/** Names the key of a target, and whether it is the account's own, without showing it. */
export function targetKey({ origin, pathPrefix, headers, ownKey }: Target): string {
  const print = createHash('sha256').update(JSON.stringify([origin, pathPrefix, headers]));
  return `${ownershipOf(ownKey)}-${print.digest('hex').slice(0, digits)}`;
}

const ownershipOf = (ownKey: Target['ownKey']): string => (ownKey === true ? 'own' : 'service');

/** The target with this key, or another one of the same owner: a new key of the vendor's account reads what an old one made. */
export const targetByKey = (targets: readonly Target[], key: string): Target | undefined =>
  targets.find((each) => targetKey(each) === key) ??
  targets.find(({ ownKey }) => key.startsWith(`${ownershipOf(ownKey)}-`));
