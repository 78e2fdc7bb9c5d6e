import type OpenAI from 'openai';
import { expect, expectTypeOf, test } from 'vitest';
import { itemPage } from './item-page.ts';
import type { ListedItem } from './listed-items.ts';

const items: ListedItem[] = Array.from({ length: 102 }, (_, at) => ({ type: 'reasoning', id: `rs_${at}` }));
const page = (query: string, of: readonly ListedItem[] = items) => {
  const { data, ...rest } = itemPage(of, new URLSearchParams(query));
  return { ...rest, ids: data.map(({ id }) => id) };
};
const ids = (from: number, to: number) =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => `rs_${from < to ? from + at : from - at}`);

test.each<[string, string[], boolean]>([
  ['', ids(101, 82), true],
  ['order=asc', ids(0, 19), true],
  ['limit=100', ids(101, 2), true],
  ['limit=1&order=asc', ['rs_0'], true],
  ['after=rs_2', ids(1, 0), false],
  ['order=asc&after=rs_99&limit=2', ids(100, 101), false],
  ['order=asc&after=rs_98&limit=2', ids(99, 100), true],
])('?%s', (query, expected, more) => {
  expect(page(query)).toEqual({
    object: 'list',
    ids: expected,
    first_id: expected[0],
    last_id: expected.at(-1),
    has_more: more,
  });
});

test('an empty page has no ids', () => {
  const empty = { object: 'list', ids: [], first_id: null, last_id: null, has_more: false };
  expect([page('', []), page('after=rs_0')]).toEqual([empty, empty]);
});

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=1.5', 'limit'],
  ['limit=many', 'limit'],
  ['order=up', 'order'],
  ['after=rs_102', 'after'],
])('?%s is refused', (query, param) => {
  expect(() => page(query)).toThrow(expect.objectContaining({ code: 'invalid_parameters', param }));
});

test('a page has the members that OpenAI clients read', () => {
  expectTypeOf<keyof OpenAI.Responses.ResponseItemList>().toEqualTypeOf<keyof ReturnType<typeof itemPage>>();
});
