import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { type FirstSteps, firstSteps } from './first-steps.ts';

const fresh: FirstSteps = {
  base: '/dashboard/acme',
  publicUrl: 'https://gateway.example.com',
  model: undefined,
  hasKey: false,
  hasBudget: false,
  isAdmin: true,
  isOperator: true,
};

const linksOf = (changes: Partial<FirstSteps>): (string | undefined)[] =>
  [...render(firstSteps({ ...fresh, ...changes })).matchAll(/href="([^"]+)"/g)].map(([, href]) => href);

test('each open step leads to where it is done, and a step that is done to nothing', () => {
  const [provider, key, budget] = ['provider-keys/new', 'keys/new', 'account'].map((path) => `/dashboard/acme/${path}`);
  expect(linksOf({})).toEqual([provider, key, budget]);
  expect(linksOf({ model: 'small' })).toEqual([key, budget]);
  expect(linksOf({ model: 'small', hasKey: true })).toEqual([budget]);
  expect(linksOf({ model: 'small', hasKey: true, hasBudget: true })).toEqual([]);
});

test('a step that the user may not do says who may, or is left out', () => {
  expect(linksOf({ isAdmin: false, isOperator: false })).toEqual(['/dashboard/acme/keys/new']);
  expect(render(firstSteps({ ...fresh, isAdmin: false }))).toContain('Ask an admin of the account');
});

test('the first request names a model that can be called', () => {
  expect(render(firstSteps({ ...fresh, model: 'small' }))).toContain('{&quot;model&quot;:&quot;small&quot;,');
});
