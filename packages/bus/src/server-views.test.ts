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

test('a server is richer if more services are heard there that no installation runs without', () => {
  const needs = servicesNeededBy(['edge']);
  const heard = (...names: string[]) => new Set(needs.filter(({ name }) => names.includes(name)));
  const here = view('a', '', heard('auth-svc'));
  const other = view('b', '', heard('catalog-svc', 'batch-svc', 'image-svc', 'mcp-svc'));
  const rich = view('c', '', heard('catalog-svc', 'chat-svc'));
  expect(richerView([here, other], here)).toBeUndefined();
  expect(richerView([here, other, rich], here)).toBe(rich);
  expect(richerView([here, other, rich], rich)).toBeUndefined();
});
