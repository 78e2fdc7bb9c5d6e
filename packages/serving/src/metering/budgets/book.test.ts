import { expect, test } from 'vitest';
import { createBooks, owe } from './book.ts';
import { budgetRules } from './rules.ts';

const openBook = () => {
  const budgets = { key: { amount: '1', period: 'month' } } as const;
  const [rule] = budgetRules({ accountId: 'account', keyId: 'key', budgets }, new Date());
  if (rule === undefined) throw new Error('There is no budget.');
  return createBooks().of(rule);
};
const settlement = (id: string, slot = 7) => ({ id, slot, reserved: 2, spent: 1, hour: 3, mayRepeat: false });

test('settlements that may have been sent keep their ids, up to a thousand; others are summed by slot and hour with a new id', () => {
  const book = openBook();
  const [sent, unsent] = [{ maybeSent: true }, { maybeSent: false }];
  owe(book, settlement('a'), unsent);
  for (let n = 1; n < 1_000; n++) owe(book, settlement(`id ${n}`), sent);
  expect([book.owed.size, book.owed.get('id 999')]).toEqual([1_000, settlement('id 999')]);
  owe(book, settlement('b'), sent);
  owe(book, settlement('c'), unsent);
  owe(book, settlement('d', 8), sent);
  expect([book.owed.size, book.owed.get('7:3'), book.owed.get('8:3')]).toEqual([
    1_001,
    { id: 'sum c', slot: 7, reserved: 6, spent: 3, hour: 3, mayRepeat: false },
    settlement('d', 8),
  ]);
});
