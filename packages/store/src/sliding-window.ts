import type { SpendResult, SpendRule } from './store.ts';

/** What was counted, by the slot of time it was counted in. */
export type SlidingWindow = Map<number, number>;

/** A window is looked at in so many parts: what is counted leaves at most one part late, never early. */
export const slotsPerWindow = 120;

/** The same arithmetic as `redis/spend.ts`; one suite holds them together. */
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

export function countedIn(window: SlidingWindow): number {
  let sum = 0;
  for (const count of window.values()) sum += count;
  return sum;
}

/** A slot is kept as long as any moment of it lies within the window. What a clock that went back left ahead goes too. */
function dropOld(window: SlidingWindow, slot: number): void {
  for (const each of window.keys()) if (each < slot - slotsPerWindow || each > slot + 1) window.delete(each);
}

interface Debt {
  slot: number;
  owed: number;
  owedAt: number | undefined;
}

/** A debt is counted where it was made; what is given back counts nowhere once that has left the window. */
function owe(window: SlidingWindow, { slot, owed, owedAt }: Debt): void {
  const at = owedAt !== undefined && window.has(owedAt) ? owedAt : slot;
  if (owed === 0 || (owed < 0 && at !== owedAt)) return;
  window.set(at, Math.max(0, (window.get(at) ?? 0) + owed));
}

/** The slot with whose leaving so much has left, or the last one; `undefined` when nothing is counted. */
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
