import type { GatewayError } from '@tallyport/contracts';
import { type Book, type Books, keepMs } from './book.ts';
import type { ReconcileContext } from './reconcile.ts';
import { budgetExceeded, budgetUnknown } from './refusal.ts';
import type { BudgetRule } from './rules.ts';
import { limitNow, stepKnown } from './take.ts';

/** What a batch keeps of its budgets for its lines that have not ended. */
export interface BatchHold {
  /** That of the batch: a hold is set, not added, so that a repeat changes nothing. */
  id: string;
  /** In billionths of a dollar; 0 releases it. */
  amount: number;
  /** It is released this long after it was last set. */
  ttlMs: number;
  /** It must fit into what is left. Otherwise it did, and is only set again. */
  isNew: boolean;
}

interface HoldingContext extends ReconcileContext {
  books: Books;
}

/** Sets a hold in all of these budgets. If one does not allow a new hold, none has it, and the error says why. */
export async function holdIn(
  context: HoldingContext,
  rules: readonly BudgetRule[],
  hold: BatchHold,
): Promise<GatewayError | undefined> {
  const set: Book[] = [];
  let refusal: GatewayError | undefined;
  for (const rule of rules) {
    const book = context.books.of(rule);
    const error = await setHold(context, book, hold);
    refusal ??= error;
    if (error === undefined) set.push(book);
    else if (hold.isNew) break;
  }
  if (refusal === undefined || !hold.isNew) return refusal;
  for (const book of set) await setHold(context, book, { ...hold, amount: 0, isNew: false });
  return refusal;
}

async function setHold(context: HoldingContext, book: Book, hold: BatchHold): Promise<GatewayError | undefined> {
  const { store, now } = context;
  const { isNew, ...held } = hold;
  const state = await stepKnown(context, book, () => {
    const limit = isNew ? limitNow(book) : Number.MAX_SAFE_INTEGER;
    return store.purse(book.rule.name, { kind: 'hold', ...held, limit, since: book.since }, keepMs);
  });
  if (state === undefined) return budgetUnknown(book.rule);
  if (state.granted) return undefined;
  return budgetExceeded(book.rule, state, { isBatch: true, wanted: hold.amount, now: now() });
}
