import { expect, test } from 'vitest';
import { accountGroups } from './view.ts';

const fieldsOf = (isOperator: boolean) =>
  accountGroups(isOperator).flatMap(({ fields }) => fields.map(({ name }) => name));

test('only operators have fields for the name, the limits and the budget of an account', () => {
  const [own, all] = [fieldsOf(false), fieldsOf(true)];
  expect([own.length, own.includes('name'), all[0], all.length > own.length + 5]).toEqual([4, false, 'name', true]);
});
