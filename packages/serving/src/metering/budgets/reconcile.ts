import type { PurseState, Store } from '@tallyport/store';
import { amountOf, type Book, isBehind, keepMs, note, type Owed, type Running } from './book.ts';
import { type ReadLedger, ledgerSpending } from './ledger-spending.ts';
import { hourNumber } from './rules.ts';
import { sendSettlement, settleRunning } from './settle.ts';

export interface ReconcileContext {
  store: Store;
  readLedger: ReadLedger;
  now(): Date;
}

/**
 * Reconciles a budget's book with the store's purse. A lost purse starts again with the figures of the ledger, or with
 * those of this replica if they are higher. Resolves with `false` while the amount spent cannot be determined.
 */
export async function reconcile(context: ReconcileContext, book: Book): Promise<boolean> {
  book.reconciling ??= reconcileOnce(context, book).finally(() => (book.reconciling = undefined));
  return book.reconciling;
}

async function reconcileOnce(context: ReconcileContext, book: Book): Promise<boolean> {
  const state = await purseOf(context, book);
  if (state === undefined) return false;
  if (book.since === 0) book.since = state.since;
  if (state.since !== book.since && !(await recall(context, book, state))) return false;
  if (!(await payOwed(context, book))) return false;
  return carryLocal(context, book);
}

async function purseOf({ store, readLedger, now }: ReconcileContext, { rule }: Book): Promise<PurseState | undefined> {
  const state = await store.purse(rule.name, { kind: 'reserve', amount: 0, limit: 0, ttlMs: 1 }, keepMs);
  if (state === undefined || state.known) return state;
  const [step] = await ledgerSpending(readLedger, [rule], now()).catch(() => []);
  return step && (await store.purse(rule.name, step, keepMs));
}

/** Restores the purse that this replica knew after the store has lost it. */
async function recall({ store, now }: ReconcileContext, book: Book, { since }: PurseState): Promise<boolean> {
  const owed = [...book.owed.values()];
  const spent = owed.reduce((sum, each) => sum + each.spent, 0);
  const others = Math.max(0, book.held - amountOf(book.running));
  book.owed.clear();
  const step = {
    kind: 'recall',
    seen: book.spent,
    owed: spent,
    hour: hourNumber(now()),
    held: heldBySlot(book.running),
  } as const;
  const state = await store.purse(book.rule.name, step, keepMs);
  if (state === undefined) {
    for (const each of owed) book.owed.set(each.id, each);
    return false;
  }
  Object.assign(book, { since, others, metAt: performance.now() });
  note(book, state);
  return true;
}

function heldBySlot(running: ReadonlySet<Running>): { slot: number; amount: number }[] {
  const held = new Map<number, number>();
  for (const { slot, amount } of running) {
    if (slot !== undefined) held.set(slot, (held.get(slot) ?? 0) + amount);
  }
  return [...held].map(([slot, amount]) => ({ slot, amount }));
}

/** Settlements that are sent at once. */
const paidAtOnce = 50;

async function payOwed({ store }: ReconcileContext, book: Book): Promise<boolean> {
  while (book.owed.size > 0) {
    const some = [...book.owed].slice(0, paidAtOnce);
    for (const [name] of some) book.owed.delete(name);
    const paid = await Promise.all(some.map(([, owed]) => pay(store, book, owed)));
    if (paid.includes(false)) return false;
  }
  book.spentLocally = 0;
  return true;
}

async function pay(store: Store, book: Book, owed: Owed): Promise<boolean> {
  const state = await sendSettlement(store, book, { owed, since: 0 });
  if (state === undefined) book.owed.set(owed.id, owed);
  else note(book, state);
  return state !== undefined;
}

/** Reports the requests that this replica allowed on its own. They count even above the limit. */
async function carryLocal({ store, now }: ReconcileContext, book: Book): Promise<boolean> {
  const carried = [...book.local];
  if (carried.length === 0) return true;
  const amount = amountOf(book.local);
  const ttlMs = Math.max(...carried.map((each) => each.ttlMs));
  const step = { kind: 'reserve', amount, limit: Number.MAX_SAFE_INTEGER, ttlMs } as const;
  const state = await store.purse(book.rule.name, step, keepMs);
  if (!state?.granted) return false;
  note(book, state);
  for (const running of carried) {
    running.slot = state.slot;
    book.running.add(running);
    const hasEnded = !book.local.delete(running);
    // Its spending is among the unconfirmed settlements, so nothing is added here.
    if (hasEnded) await settleRunning(store, running, { spent: 0, hour: hourNumber(now()) });
  }
  return !isBehind(book);
}
