import { mostRoutes } from '@tallyport/contracts';
import type { RouteRecord } from '@tallyport/management';
import { expect, test } from 'vitest';
import { describeStep } from '../describe-changes.ts';
import { readGatewayDocument } from '../read-gateway-document.ts';
import { emptyAccount, testedAt as createdAt } from '../testing/account-state.ts';
import { planRoutes } from './plan-routes.ts';

const targets = [{ model: 'gpt-5.4-mini' }];

const documentOf = (routes: unknown) =>
  readGatewayDocument(
    'gateway.yaml',
    JSON.stringify({ apiVersion: 'tallyport/v1', kind: 'Gateway', accounts: { Search: { routes } } }),
  ).document.accounts['Search']?.routes ?? {};

const record = (name: string, changes: Partial<RouteRecord> = {}): RouteRecord => ({
  name,
  targets: [{ model: 'gpt-5.4-mini', weight: 1 }],
  then: [],
  when: [],
  onContentFilter: 'stop',
  createdAt,
  updatedAt: createdAt,
  ...changes,
});

function plan(entry: unknown, routes: RouteRecord[] = []) {
  const part = { account: 'Search', entry: documentOf(entry), state: { ...emptyAccount, routes } };
  const { steps, extra, problems, unchanged } = planRoutes(part);
  return { steps: steps.map(describeStep), extra: extra.map(describeStep), problems, unchanged };
}

test('routes are created, changed as a whole, left as they are, and deleted only on request', () => {
  const when = [{ if: 'request.stream', use: ['claude-haiku-4-5'] }];
  const existing = [record('same'), record('changed', { description: 'by hand', then: ['o4'] }), record('by-hand')];
  expect(plan({ same: { targets }, changed: { targets, when }, new: { targets } }, existing)).toEqual({
    steps: [
      'change  route "changed": description by hand → none, then ["o4"] → [], when [] → [{"if":"request.stream","use":["claude-haiku-4-5"]}]',
      'create  route "new": targets [{"model":"gpt-5.4-mini","weight":1}], then [], when [], onContentFilter stop',
    ],
    extra: ['delete  route "by-hand"'],
    problems: [],
    unchanged: 1,
  });
});

test('a target that is named twice and a condition that is wrong are problems with their places', () => {
  const entry = { fast: { targets: [...targets, ...targets], when: [{ if: '1 +', use: ['o4'] }] } };
  const at = ['accounts', 'Search', 'routes', 'fast'];
  expect(plan(entry).problems).toEqual([
    { path: [...at, 'targets', 1, 'model'], message: "'gpt-5.4-mini' is a target already" },
    { path: [...at, 'when', 0, 'if'], message: expect.any(String) },
  ]);
});

test('a route that names another route is a problem, and one that names a model with a route of its name is none', () => {
  const entry = {
    'gpt-5.4-mini': { targets },
    fast: { targets: [{ model: 'other' }], then: ['gpt-5.4-mini'], when: [{ if: 'request.stream', use: ['o4'] }] },
    other: { targets: [{ model: 'o4' }] },
  };
  const at = ['accounts', 'Search', 'routes', 'fast'];
  const message = (name: string) =>
    `'${name}' is a route, and a route names models. Name a model, or one at a provider: openai/gpt-6-luna`;
  expect(plan(entry).problems).toEqual([{ path: [...at, 'targets', 0, 'model'], message: message('other') }]);
});

test('an empty section is managed', () => {
  expect(plan(null, [record('by-hand')])).toEqual({
    steps: [],
    extra: ['delete  route "by-hand"'],
    problems: [],
    unchanged: 0,
  });
});

test.each<[string, object, string]>([
  ['without targets', { fast: { targets: [] } }, 'accounts.Search.routes.fast.targets must not be empty'],
  ['whose targets have no weight', { fast: { targets: [{ model: 'o4', weight: 0 }] } }, 'above 0'],
  ['with a wrong member', { fast: { targets, than: ['o4'] } }, 'than'],
  ['with a space in its name', { 'my fast': { targets } }, 'must be 1 to 64 letters'],
  [
    'too many',
    Object.fromEntries(Array.from({ length: mostRoutes + 1 }, (_, at) => [`r${at}`, { targets }])),
    'accounts.Search.routes must be 100 routes at most',
  ],
])('a route %s is refused', (_what, entry, problem) => {
  expect(() => documentOf(entry)).toThrow(problem);
});
