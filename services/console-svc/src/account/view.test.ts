import { expect, test } from 'vitest';
import { accountGroups } from './view.ts';

const fieldsOf = (isOperator: boolean) =>
  accountGroups(isOperator).flatMap(({ fields }) => fields.map(({ name }) => name));

test('only operators have fields for the name, the tags, the limits and the budget of an account', () => {
  const [own, all] = [fieldsOf(false), fieldsOf(true)];
  expect([
    own.length,
    own.includes('name'),
    own.includes('tags'),
    all.slice(0, 2),
    all.length > own.length + 6,
  ]).toEqual([4, false, false, ['name', 'tags'], true]);
});
