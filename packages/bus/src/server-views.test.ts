import { expect, test } from 'vitest';
import { bestServers, type ServerView, richerView } from './server-views.ts';
import { servicesNeededBy } from './needed-services.ts';

const view = (serverId: string, linked: string, heard: ServerView['heard'] = new Set()): ServerView => ({
  serverId,
  linked: new Set(linked),
  heard,
});

test.each([
  ['a whole cluster', [view('a', 'bc'), view('b', 'ac'), view('c', 'ab')], 'abc'],
  ['one server cut off', [view('c', ''), view('a', ''), view('b', 'c'), view('c', 'b')], 'bc'],
  ['all links cut', [view('c', ''), view('b', ''), view('a', '')], 'a'],
  ['two halves', [view('d', 'c'), view('c', 'd'), view('b', 'a'), view('a', 'b')], 'ab'],
  ['one link cut', [view('a', 'b'), view('b', 'ac'), view('c', 'b')], 'b'],
  ['one server', [view('a', '')], 'a'],
])('the best servers of %s', (_, views, best) => {
  expect([...bestServers(views)].join('')).toBe(best);
});

test('a server is richer if more services are heard there', () => {
  const [auth, catalog, chat] = servicesNeededBy(['edge']);
  const here = view('a', '', new Set([auth!]));
  const other = view('b', '', new Set([catalog!]));
  const rich = view('c', '', new Set([catalog!, chat!]));
  expect(richerView([here, other], here)).toBeUndefined();
  expect(richerView([here, other, rich], here)).toBe(rich);
  expect(richerView([here, other, rich], rich)).toBeUndefined();
});
