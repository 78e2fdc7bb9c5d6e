import type { ShareResult, ShareRule } from './store.ts';

/** The share of each holder, and when it expires unless renewed. */
export type Shares = Map<string, { count: number; untilMs: number }>;

/** The same arithmetic as `redis/share.ts`; a shared suite tests both. */
export function shareOut(shares: Shares, rule: ShareRule, nowMs: number): ShareResult {
  const { holder, needed, wanted, limit, ttlMs } = rule;
  let others = 0;
  for (const [name, share] of shares) {
    if (share.untilMs <= nowMs) shares.delete(name);
    else if (name !== holder) others += share.count;
  }
  const held = Math.max(needed, Math.min(wanted, limit - others));
  if (held > 0) shares.set(holder, { count: held, untilMs: nowMs + ttlMs });
  else shares.delete(holder);
  return { held: Math.max(0, held), others, holders: shares.size };
}
