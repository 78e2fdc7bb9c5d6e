import { randomUUID } from 'node:crypto';
import type { GatewayError } from '@tallyport/contracts';
import type { PurseState } from '@tallyport/store';
import { amountOf, type Book, isBehind, keepMs, note, type Running } from './book.ts';
import { ledgerSpending } from './ledger-spending.ts';
import { reconcile, type ReconcileContext } from './reconcile.ts';
import { budgetExceeded, budgetUnknown } from './refusal.ts';
import type { GrantResult } from './waiting-queue.ts';

export interface TakingContext extends ReconcileContext {
  whenAway: 'allow' | 'deny';
  replicas(): number;
}

interface WantedAmount {
  amount: number;
  ttlMs: number;
  hold: string | undefined;
  settledAs: string | undefined;
}

/** By this time the other replicas have noticed that the store lost its purses. */
const othersKnowAfterMs = 3_000;

/** Reserves an amount of one budget: in the store's purse or, while that is unknown, in this replica's share. */
export async function take(context: TakingContext, book: Book, wanted: WantedAmount): Promise<GrantResult<Running>> {
  const state = await stepKnown(context, book, () => reserve(context, book, wanted));
  if (state === undefined) return takeLocally(context, book, wanted);
  if (state.granted)
    return {
      kind: 'granted',
      granted: setAside(book.running, runningOf(book, wanted, state.slot)),
    };
  const error = refusal(context, book, wanted);
  const mayFit = state.held + othersHeld(book) > 0 && state.spent + wanted.amount <= book.rule.limit;
  return { kind: mayFit ? 'busy' : 'refused', error };
}

/** The state of the store's purse after a step of a budget; `undefined` while the purse is unknown. */
export async function stepKnown(
  context: ReconcileContext,
  book: Book,
  step: () => Promise<PurseState | undefined>,
): Promise<PurseState | undefined> {
  if (isBehind(book) && !(await reconcile(context, book))) return undefined;
  let state = await step();
  if (state !== undefined && !isKnown(book, state)) {
    if (!(await reconcile(context, book))) return undefined;
    state = await step();
  }
  if (state === undefined || !isKnown(book, state)) return undefined;
  book.since = state.since;
  note(book, state);
  return state;
}

/** A reservation of nothing, whose settlement is counted here until the store knows it. */
export const owedLocally = (book: Book, settledAs: string | undefined): Running =>
  setAside(book.local, runningOf(book, { amount: 0, ttlMs: 0, hold: undefined, settledAs }, undefined));

const runningOf = (book: Book, { settledAs, ...wanted }: WantedAmount, slot: number | undefined): Running => ({
  id: settledAs ?? randomUUID(),
  mayRepeat: settledAs !== undefined,
  book,
  ...wanted,
  slot,
});

/** Whether this is the purse that this replica has counted in so far. */
const isKnown = (book: Book, { known, since }: PurseState): boolean =>
  known && (book.since === 0 || book.since === since);

function reserve({ store }: TakingContext, book: Book, wanted: WantedAmount): Promise<PurseState | undefined> {
  const { amount, ttlMs, hold } = wanted;
  const step = { kind: 'reserve', amount, ttlMs, hold, limit: limitNow(book), since: book.since } as const;
  return store.purse(book.rule.name, step, keepMs);
}

/** What may be granted of a budget, as long as other replicas have not reported again what they reserved. */
export const limitNow = (book: Book): number => Math.max(0, book.rule.limit - othersHeld(book));

const othersHeld = ({ others, metAt }: Book): number =>
  others > 0 && performance.now() - metAt < othersKnowAfterMs ? others : 0;

/** Each replica may spend its share of the last known remainder. */
async function takeLocally(context: TakingContext, book: Book, wanted: WantedAmount): Promise<GrantResult<Running>> {
  const { whenAway, replicas } = context;
  if (whenAway === 'deny') return { kind: 'refused', error: budgetUnknown(book.rule) };
  if (!book.isReported) await readLedger(context, book);
  const left = Math.max(0, book.rule.limit - book.spent - book.held);
  const part = Math.ceil(left / Math.max(1, replicas()));
  const held = amountOf(book.local);
  if (book.spentLocally + held + wanted.amount <= part) {
    return { kind: 'granted', granted: setAside(book.local, runningOf(book, wanted, undefined)) };
  }
  const mayFit = held > 0 && book.spentLocally + wanted.amount <= part;
  return { kind: mayFit ? 'busy' : 'refused', error: refusal(context, book, wanted) };
}

/** A replica that has no figures yet reads them from the ledger, which may be available. */
async function readLedger({ readLedger, now }: TakingContext, book: Book): Promise<void> {
  const [step] = await ledgerSpending(readLedger, [book.rule], now()).catch(() => []);
  if (step?.kind !== 'know') return;
  const spent = step.hours.reduce((sum, { amount }) => sum + amount, step.before);
  if (!book.isReported) note(book, { spent, held: 0 });
}

function setAside(where: Set<Running>, running: Running): Running {
  where.add(running);
  return running;
}

function refusal({ now }: TakingContext, book: Book, { amount }: WantedAmount): GatewayError {
  const spent = book.spent + book.spentLocally;
  const held = book.held + amountOf(book.local);
  return budgetExceeded(book.rule, { spent, held }, { wanted: amount, now: now() });
}
