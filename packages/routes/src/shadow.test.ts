import { routeSchema } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { openRouteCompiler } from './compile.ts';
import { shadowOf } from './shadow.ts';

const compile = openRouteCompiler();
const routeWith = (shadow?: object) =>
  compile('fast', routeSchema.parse({ targets: [{ model: 'a' }], ...(shadow && { shadow }) }));
const shadowed = (percent: number) => routeWith({ model: 'b', percent, project: 'trial' });

function drawn(percent: number, requests = 100_000): number {
  const route = shadowed(percent);
  let count = 0;
  for (let at = 0; at < requests; at += 1) if (shadowOf(route, `req_${at}`) !== undefined) count += 1;
  return count;
}

test.each([
  [100, 100_000, 100_000],
  [5, 4_800, 5_200],
  [0.01, 1, 25],
])('%s %% of the requests are drawn', (percent, least, most) => {
  const count = drawn(percent);
  expect(count).toBeGreaterThanOrEqual(least);
  expect(count).toBeLessThanOrEqual(most);
});

test('a request is drawn again, and also in a larger share', () => {
  const ids = Array.from({ length: 1_000 }, (_, at) => `req_${at}`);
  const drawnIn = (percent: number) => ids.filter((id) => shadowOf(shadowed(percent), id) !== undefined);
  expect(drawnIn(20)).toEqual(drawnIn(20));
  expect(drawnIn(30)).toEqual(expect.arrayContaining(drawnIn(20)));
});

test('a route without a shadow draws none', () => expect(shadowOf(routeWith(), 'req_1')).toBeUndefined());
