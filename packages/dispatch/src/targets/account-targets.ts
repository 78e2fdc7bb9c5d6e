import type { Target, Targets } from './targets.ts';
import type { OwnKeys } from './own-keys.ts';

/** How providers are reached for one account: with its own keys, and after them the service's where it wants that. */
export interface AccountTargets extends Pick<Targets, 'all' | 'obstacle'> {
  /** The account's own key is tried first there. */
  hasOwnKey(providerId: string): boolean;
}

/**
 * `targets` as an account with keys of its own sees them. Give it to the plan as `ground.account`: the plan carries it to
 * the attempts, whatever is asked for, so that chats and images need nothing else.
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
    obstacle(providerId) {
      if (usable(providerId).length > 0) return undefined;
      if (mode === 'own_first') return targets.obstacle(providerId);
      const reason = own(providerId).find((each) => typeof each === 'string');
      return reason ?? `add a key of your own for ${providerId}: this account uses no others`;
    },
  };
}
