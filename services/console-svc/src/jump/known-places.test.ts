import { expect, test } from 'vitest';
import { dashboard } from '../dashboard.ts';
import { sections } from '../screen/sections.ts';
import { knownPlaces } from './known-places.ts';

test.each(knownPlaces)('$text leads to a page that needs the same access', ({ path, access }) => {
  const route = dashboard.find((each) => each.method === 'get' && each.path === path);
  const ofSection = route?.section === undefined ? 'member' : sections[route.section].access;
  expect(route && (route.access ?? ofSection)).toBe(access);
});
