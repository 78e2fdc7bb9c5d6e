import { randomUUID } from 'node:crypto';
import type { PurseState, Store } from '@tallyport/store';
import { type Book, confirm, keepMs, note, type Owed, owe, type Running } from './book.ts';

interface SpentAt {
  spent: number;
  hour: number;
}

/** Settles a reservation where it was made; only the first call counts. What the store does not confirm stays owed. */
export async function settleRunning(store: Store, running: Running, { spent, hour }: SpentAt): Promise<void> {
  const { book, amount: reserved, slot, hold, mayRepeat } = running;
  if (slot === undefined) {
    if (!book.local.delete(running)) return;
    book.spentLocally += spent;
    const id = mayRepeat ? running.id : randomUUID();
    const owed = { id, slot: 0, reserved: 0, spent, hour, mayRepeat };
    if (spent > 0) owe(book, owed, { maybeSent: mayRepeat });
    return;
  }
  if (!book.running.delete(running)) return;
  const { since } = book;
  const owed = { id: running.id, slot, reserved, spent, hour, hold, mayRepeat };
  // Nothing is sent to a store that is away.
  const maybeSent = store.state().connected;
  const state = await sendSettlement(store, book, { owed, since });
  if (state?.granted === true) note(book, state);
  else owe(book, owed, { maybeSent });
}

/** Sends a settlement, with the ids of those that need not be remembered any more. `undefined` if it may not count yet. */
export async function sendSettlement(
  store: Store,
  book: Book,
  { owed, since }: { owed: Owed; since: number },
): Promise<PurseState | undefined> {
  const forget = book.confirmed.splice(0);
  const state = await store.purse(book.rule.name, { kind: 'settle', ...owed, forget, since }, keepMs);
  if (state?.granted === true) confirm(book, owed);
  else book.confirmed.push(...forget);
  return state;
}
