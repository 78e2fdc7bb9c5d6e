import type { Concurrency } from './concurrency.ts';
import type { ConcurrencyRule } from './concurrency-rules.ts';
import type { Leave } from './held-share.ts';

/**
 * Enters all rules, of which the first is the narrowest. It is entered first, so that the requests it refuses take no room
 * from the others, and then the wider ones at once. If one of these refuses, all are left again.
 */
export function enterAll(
  concurrency: Pick<Concurrency, 'enter'>,
  [narrowest, ...wider]: readonly ConcurrencyRule[],
): Leave | Promise<Leave> {
  if (narrowest === undefined) return nothing;
  return wider.length === 0 ? concurrency.enter(narrowest) : enterWider(concurrency, narrowest, wider);
}

const nothing: Leave = () => {};

async function enterWider(
  concurrency: Pick<Concurrency, 'enter'>,
  narrowest: ConcurrencyRule,
  wider: readonly ConcurrencyRule[],
): Promise<Leave> {
  const first = await concurrency.enter(narrowest);
  const entered = await Promise.allSettled(wider.map(async (rule) => concurrency.enter(rule)));
  const leave: Leave = () => {
    first();
    for (const each of entered) if (each.status === 'fulfilled') each.value();
  };
  const refused = entered.find(({ status }) => status === 'rejected');
  if (refused?.status !== 'rejected') return leave;
  leave();
  throw refused.reason;
}
