import type { Store } from '@switchyard/store';
import { keepMs, note, owe, type Running } from './book.ts';

export interface SpentAt {
  spent: number;
  hour: number;
}

/** Settles a reservation where it was made; only the first call counts. What the store does not confirm stays owed. */
export async function settleRunning(store: Store, running: Running, { spent, hour }: SpentAt): Promise<void> {
  const { book, amount: reserved, slot } = running;
  if (slot === undefined) {
    if (!book.local.delete(running)) return;
    book.spentLocally += spent;
    if (spent > 0) owe(book, { slot: 0, reserved: 0, spent, hour });
    return;
  }
  if (!book.running.delete(running)) return;
  const { since } = book;
  const owed = { slot, reserved, spent, hour };
  const state = await store.purse(book.rule.name, { kind: 'settle', ...owed, since }, keepMs);
  if (state?.granted === true) note(book, state);
  else owe(book, owed);
}
