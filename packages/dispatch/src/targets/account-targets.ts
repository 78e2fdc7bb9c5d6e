import { obstacleFor, type Target, type Targets } from './targets.ts';
import type { OwnKeys } from './own-keys.ts';

/** How an account reaches providers: with its own keys, then, if it allows that, with the service's. */
export interface AccountTargets extends Pick<Targets, 'all' | 'obstacle'> {
  /** The account's own key is tried first at this provider. */
  hasOwnKey(providerId: string): boolean;
}

/**
 * Restricts `targets` to an account with its own keys. Pass it to the plan as `ground.account`; the plan passes it on
 * to the attempts, for chats and images alike.
 */
export function accountTargets(
  targets: Pick<Targets, 'all' | 'obstacle' | 'withOwnKey'>,
  { mode, keys }: OwnKeys,
): AccountTargets {
  const own = (providerId: string): (Target | string)[] =>
    keys.filter(({ provider }) => provider === providerId).map((key) => targets.withOwnKey(key));
  const usable = (providerId: string): Target[] => own(providerId).filter((each) => typeof each !== 'string');
  return {
    hasOwnKey: (providerId) => usable(providerId).length > 0,
    all: (providerId) => [...usable(providerId), ...(mode === 'own_first' ? targets.all(providerId) : [])],
    obstacle(providerId, principal) {
      if (usable(providerId).length > 0) return undefined;
      if (mode === 'own_first') return targets.obstacle(providerId, principal);
      const obstacle = own(providerId).find((each) => typeof each === 'string');
      if (obstacle !== undefined) return obstacleFor(principal, { providerId, obstacle });
      return `add your own key for ${providerId}: this account uses only its own keys`;
    },
  };
}
