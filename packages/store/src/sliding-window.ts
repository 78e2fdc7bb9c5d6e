import type { SpendResult, SpendRule } from './store.ts';

/** Counts by time slot. */
export type SlidingWindow = Map<number, number>;

/** Number of slots per window. A count leaves the window at most one slot late, never early. */
export const slotsPerWindow = 120;

/** The same arithmetic as `redis/spend.ts`; a shared suite tests both. */
export function spendFrom(window: SlidingWindow, rule: SpendRule, nowMs: number): SpendResult {
  const { limit, windowMs, wanted, least = wanted, owed = 0, owedAt } = rule;
  const slotMs = windowMs / slotsPerWindow;
  const slot = Math.floor(nowMs / slotMs);
  dropOld(window, slot);
  owe(window, { slot, owed, owedAt });
  const used = countedIn(window);
  const fits = Math.max(0, Math.min(wanted, Math.floor(limit - used)));
  const granted = fits >= least ? fits : 0;
  if (granted > 0) window.set(slot, (window.get(slot) ?? 0) + granted);
  const lacking = granted > 0 || wanted === 0 ? 1 : used + least - limit;
  const leaving = slotThatFrees(window, slot, lacking);
  const comesBackMs = leaving === undefined ? 0 : Math.ceil((leaving + 1) * slotMs + windowMs - nowMs);
  return { granted, used: used + granted, comesBackMs, slot };
}

function countedIn(window: SlidingWindow): number {
  let sum = 0;
  for (const count of window.values()) sum += count;
  return sum;
}

/** Keeps slots that overlap the window. Slots in the future, left by a clock that went back, are dropped too. */
function dropOld(window: SlidingWindow, slot: number): void {
  for (const each of window.keys()) if (each < slot - slotsPerWindow || each > slot + 1) window.delete(each);
}

interface Debt {
  slot: number;
  owed: number;
  owedAt: number | undefined;
}

/**
 * A debt is counted in its own slot, or now if that has left the window. A refund is dropped once its slot has left.
 */
function owe(window: SlidingWindow, { slot, owed, owedAt }: Debt): void {
  const at = owedAt !== undefined && window.has(owedAt) ? owedAt : slot;
  if (owed === 0 || (owed < 0 && at !== owedAt)) return;
  window.set(at, Math.max(0, (window.get(at) ?? 0) + owed));
}

/** The slot with whose expiry at least `lacking` is freed, or the last one; `undefined` when nothing is counted. */
function slotThatFrees(window: SlidingWindow, slot: number, lacking: number): number | undefined {
  let freed = 0;
  let last: number | undefined;
  for (let each = slot - slotsPerWindow; each <= slot + 1 && freed < lacking; each += 1) {
    const count = window.get(each) ?? 0;
    if (count === 0) continue;
    freed += count;
    last = each;
  }
  return last;
}
