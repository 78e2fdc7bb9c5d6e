import { expect, test } from 'vitest';
import { inputOfView, listAddress, parametersOf, readableProblem, viewIn, withoutFilter } from './filters.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const view = (query: Record<string, string>) => viewIn(query, now);

test('reads the view in an address, without empty and unknown parameters', () => {
  const query = { period: '24h', model: ' gpt-6-luna ', provider: '', sort: 'cost', cursor: '1.a', other: 'x' };
  expect(parametersOf(view(query))).toEqual({ period: '24h', model: 'gpt-6-luna', sort: 'cost' });
  expect(view({ model: 'm'.repeat(501) }).filters).toEqual({ model: 'm'.repeat(500) });
});

test.each([
  [
    'a period that is open has no end, because new requests belong to it',
    { period: '24h' },
    { from: '2026-11-22T13:00:00.000Z' },
  ],
  [
    'a period that has ended has one',
    { period: 'last-month' },
    { from: '2026-10-01T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' },
  ],
  ['without a period there are thirty days', {}, { from: '2026-10-25T00:00:00.000Z' }],
  ['an id is searched at all times', { id: 'req_1' }, { id: 'req_1' }],
  ['unless a period is chosen', { id: 'req_1', period: '24h' }, { id: 'req_1', from: '2026-11-22T13:00:00.000Z' }],
  [
    'other filters are sent as they are',
    { error: 'any', cost_over: '0.5', period: '24h' },
    { error: 'any', cost_over: '0.5', from: '2026-11-22T13:00:00.000Z' },
  ],
])('%s', (_what, query, input) => {
  expect(inputOfView(view(query))).toEqual(input);
});

test('writes an address that has the view and the place in the list', () => {
  expect(listAddress('/dashboard/a', view({}))).toBe('/dashboard/a/requests');
  const sorted = view({ model: 'a/b&c', sort: 'cost', columns: 'time.cost', period: '7d' });
  expect(listAddress('/dashboard/a', sorted, '5.use_1')).toBe(
    '/dashboard/a/requests?period=7d&model=a%2Fb%26c&sort=cost&columns=time.cost&cursor=5.use_1',
  );
});

test('a filter is removed from a view', () => {
  expect(withoutFilter(view({ model: 'm', tried: 'a' }), 'model')).toEqual(view({ tried: 'a' }));
});

test.each([
  ['status must be a number.', 'HTTP status must be a number.'],
  [
    'sort must be one of "time"; cost_over must be an amount.',
    'Sorted by must be one of "time"; Cost over (USD) must be an amount.',
  ],
  ['constructor is wrong.', 'constructor is wrong.'],
])('the problem %s is read as %s', (message, text) => {
  expect(readableProblem(message)).toBe(text);
});
