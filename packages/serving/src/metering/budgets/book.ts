import { entriesUpTo, type PurseState } from '@tallyport/store';
import { LRUCache } from 'lru-cache';
import type { BudgetRule } from './rules.ts';

/** Longer than any request. A purse not used for this long is read from the ledger again. */
export const keepMs = 35 * 86_400_000;
const maxBooks = 10_000;
/** Per budget. Further unconfirmed settlements are summed. */
const maxOwedApart = 1_000;
/** Settlements that another replica may repeat: more than run at once. The store remembers so many of each replica and budget. */
const maxRepeatable = 200;

/** The amount that one request has reserved of one budget. */
export interface Running {
  /** With this id, its settlement counts once, however often it is sent. */
  id: string;
  /** Another replica may settle it again, after this one has died. */
  mayRepeat: boolean;
  book: Book;
  amount: number;
  ttlMs: number;
  /** Its slot in the store's purse; absent for a reservation that the store does not know. */
  slot: number | undefined;
  /** The hold that it takes its amount from, if it fits. */
  hold: string | undefined;
}

/** What this replica knows of a budget, for the time when the store is unavailable or has lost its data. */
export interface Book {
  rule: BudgetRule;
  /** Used since the last comparison with the ledger. */
  used: boolean;
  usedAt: number;
  /** The generation of the purse that this replica knows; 0 before the first. */
  since: number;
  /** When this replica first saw that purse, by its own clock. */
  metAt: number;
  /** The last figures of the store for all replicas, or those of the ledger if the store has given none. */
  spent: number;
  held: number;
  isReported: boolean;
  /**
   * Reserved by other replicas when the lost purse was last seen: respected until they have reported it again
   * themselves.
   */
  others: number;
  /** Reservations of this replica in the store's purse. */
  running: Set<Running>;
  /** Reservations made while the store was unavailable. */
  local: Set<Running>;
  /** Settlements that the store has not confirmed. */
  owed: Map<string, Owed>;
  /** The ids of settlements that the store has confirmed, and need not remember any more. */
  confirmed: string[];
  /** Those of them that another replica may repeat: the last ones. */
  repeatable: string[];
  /** Spent of this replica's share while the store was unavailable. */
  spentLocally: number;
  /** Set while the book is reconciled with the store. */
  reconciling: Promise<boolean> | undefined;
}

export interface Owed {
  id: string;
  slot: number;
  reserved: number;
  spent: number;
  hour: number;
  hold?: string | undefined;
  mayRepeat: boolean;
}

export interface Books {
  of(rule: BudgetRule): Book;
  has(rule: BudgetRule): boolean;
  /** The most recently used first. */
  all(): Iterable<Book>;
}

export function createBooks(): Books {
  const ofAll = new LRUCache<string, Book>(entriesUpTo(maxBooks));
  // Clients can make up end users, whose books must not evict others.
  const ofEndUsers = new LRUCache<string, Book>(entriesUpTo(maxBooks));
  const booksFor = ({ endUser }: BudgetRule) => (endUser === undefined ? ofAll : ofEndUsers);
  return {
    of(rule) {
      const books = booksFor(rule);
      const book = books.get(rule.name) ?? openBook(rule);
      books.set(rule.name, book);
      book.rule = rule;
      book.used = true;
      book.usedAt = performance.now();
      return book;
    },
    has: (rule) => booksFor(rule).has(rule.name),
    *all() {
      yield* ofAll.values();
      yield* ofEndUsers.values();
    },
  };
}

const openBook = (rule: BudgetRule): Book => ({
  rule,
  used: true,
  usedAt: performance.now(),
  since: 0,
  metAt: 0,
  spent: 0,
  held: 0,
  others: 0,
  isReported: false,
  running: new Set(),
  local: new Set(),
  owed: new Map(),
  confirmed: [],
  repeatable: [],
  spentLocally: 0,
  reconciling: undefined,
});

export function note(book: Book, { spent, held }: Pick<PurseState, 'spent' | 'held'>): void {
  book.spent = spent;
  book.held = held;
  book.isReported = true;
}

/**
 * Remembers a settlement that the store has not confirmed. One that may have been sent keeps its id, so that it counts
 * once; others are summed by slot, hour and hold, so that they stay few while the store is away. A sum has an id that was never
 * sent: with that of a settlement that the store has counted, the others in the sum would not count.
 */
export function owe(book: Book, owed: Owed, { maybeSent }: { maybeSent: boolean }): void {
  if (maybeSent && book.owed.size < maxOwedApart) {
    book.owed.set(owed.id, owed);
    return;
  }
  const place = `${owed.slot}:${owed.hour}`;
  const name = owed.hold === undefined ? place : `${place}:${owed.hold}`;
  const sum = book.owed.get(name);
  book.owed.set(name, sum === undefined ? owed : summed(sum, owed));
}

const summed = (sum: Owed, more: Owed): Owed => ({
  ...more,
  id: `sum ${more.id}`,
  mayRepeat: false,
  reserved: sum.reserved + more.reserved,
  spent: sum.spent + more.spent,
});

/** The store has counted a settlement, and may forget it unless it may be repeated. */
export function confirm({ confirmed, repeatable }: Book, { id, mayRepeat }: Owed): void {
  if (!mayRepeat) return void confirmed.push(id);
  repeatable.push(id);
  confirmed.push(...repeatable.splice(0, Math.max(0, repeatable.length - maxRepeatable)));
}

export function amountOf(set: ReadonlySet<Running>): number {
  let sum = 0;
  for (const { amount } of set) sum += amount;
  return sum;
}

/** Whether there is something that the store does not know yet. */
export const isBehind = ({ owed, local, spentLocally }: Book): boolean =>
  owed.size > 0 || local.size > 0 || spentLocally > 0;
