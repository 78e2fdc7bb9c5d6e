import { randomUUID } from 'node:crypto';
import type { Store } from '@tallyport/store';
import { type Book, type Books, isBehind, keepMs } from './book.ts';
import { ledgerSpending } from './ledger-spending.ts';
import { reconcile, type ReconcileContext } from './reconcile.ts';
import type { BudgetRule } from './rules.ts';

/** The maximum number of budgets that are compared at once, and as many of end users. */
const maxCompared = 200;
/** The maximum number of budgets in one query of the ledger, which returns up to 73 sums for each. */
const maxQueried = 50;

interface ComparingContext extends ReconcileContext {
  books: Books;
  /** Called when budgets could not be compared with the ledger. */
  onNotCompared(error: unknown): void;
}

/** Compares recently used budgets with the ledger and corrects them. One replica does it for each budget. */
export async function compare(context: ComparingContext, everyMs: number): Promise<void> {
  const { store, readLedger, books, now, onNotCompared } = context;
  const rules: BudgetRule[] = [];
  const room = { others: maxCompared, endUsers: maxCompared };
  for (const each of books.all()) {
    const kind = each.rule.endUser === undefined ? 'others' : 'endUsers';
    if (!each.used || room[kind] === 0) continue;
    each.used = false;
    const mine = await store.setIfAbsent(`compared:${each.rule.name}`, new Uint8Array(1), Math.ceil(everyMs * 0.8));
    if (mine !== 'stored') continue;
    rules.push(each.rule);
    room[kind] -= 1;
  }
  try {
    for (let from = 0; from < rules.length; from += maxQueried) {
      const some = rules.slice(from, from + maxQueried);
      const steps = await ledgerSpending(readLedger, some, now());
      await Promise.all(steps.map(async (step, at) => step && store.purse(some[at]?.name ?? '', step, keepMs)));
    }
  } catch (error) {
    onNotCompared(error);
  }
}

const recentMs = 120_000;
/** Reconciled in parallel. */
const maxReconciled = 100;
const epochKey = 'budgets:epoch';

/** Detects by one key whether the store has lost its data, and reconciles all budgets that it may not know. */
export function createLossCheck(context: ComparingContext): () => Promise<void> {
  let epoch: string | undefined;
  return async () => {
    const found = await readEpoch(context.store);
    if (found === undefined) return;
    const isLost = epoch !== undefined && epoch !== found;
    epoch = found;
    const oldest = performance.now() - recentMs;
    const isAffected = (book: Book): boolean =>
      isBehind(book) || (isLost && (book.usedAt >= oldest || book.running.size > 0));
    const affected = [...context.books.all()].filter(isAffected);
    for (let at = 0; at < affected.length; at += maxReconciled) {
      await Promise.all(affected.slice(at, at + maxReconciled).map((book) => reconcile(context, book)));
    }
  };
}

async function readEpoch(store: Store): Promise<string | undefined> {
  const fresh = randomUUID();
  const found = await store.setIfAbsent(epochKey, Buffer.from(fresh), keepMs);
  if (found === 'stored') return fresh;
  return typeof found === 'string' ? undefined : Buffer.from(found.present).toString();
}
