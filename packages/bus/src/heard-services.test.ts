import { namesOf, uses } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { HeardServices } from './heard-services.ts';
import { servicesNeededBy } from './needed-services.ts';

test('what a process needs follows from its use of the contracts', () => {
  const needs = (...processes: string[]) =>
    servicesNeededBy(processes).map(({ name, isOptional }) => `${name}${isOptional ? '?' : ''}`);
  expect(needs('edge')).toEqual([
    'auth-svc',
    'batch-svc?',
    'catalog-svc',
    'chat-svc',
    'image-svc?',
    'ledger-svc',
    'mcp-svc?',
  ]);
  expect(needs('chat-svc')).toEqual(['auth-svc', 'catalog-svc', 'ledger-svc', 'batch-svc?']);
  expect(needs('batch-svc')).toEqual(['auth-svc', 'chat-svc', 'image-svc?']);
  expect(needs('catalog-svc')).toEqual(['auth-svc']);
  expect(needs('tallyport')).toEqual([]);
  expect(needs('edge', 'chat-svc', 'image-svc', 'catalog-svc')).toEqual([
    'auth-svc',
    'batch-svc?',
    'ledger-svc',
    'mcp-svc?',
  ]);
  expect(needs(...namesOf(uses))).toEqual([]);
  expect(servicesNeededBy(['chat-svc']).map(({ operation }) => operation)).toEqual([
    'tp.s.auth.guardWebhooks',
    'tp.s.catalog.snapshot',
    'tp.s.ledger.budgetsSpent',
    'tp.s.batch.fileContent',
  ]);
});

test('a service is served from its first answer until it was silent for three seconds', () => {
  const [auth, catalog] = servicesNeededBy(['chat-svc']);
  const needs = [auth!, catalog!];
  const services = new HeardServices(needs, 0);
  const unheard = () => services.unheard().map(({ name, isAway }) => `${name}${isAway ? ' away' : ''}`);
  expect([services.missed(2_999), unheard()]).toEqual([[], ['auth-svc', 'catalog-svc']]);
  services.hear(auth!, 2_999);
  services.hear(catalog!, 2_999);
  expect([services.missed(5_998), unheard()]).toEqual([[], []]);
  services.hear(auth!, 5_998);
  expect([services.missed(5_999), unheard()]).toEqual([[catalog], ['catalog-svc']]);
  services.noteAway(() => true);
  expect(unheard()).toEqual(['catalog-svc away']);
  services.hear(catalog!, 6_000);
  expect(unheard()).toEqual([]);
});

test('silence while the process was disconnected does not count, but what was missed before is still missed', () => {
  const needs = servicesNeededBy(['catalog-svc']);
  const services = new HeardServices(needs, 0);
  services.hear(needs[0]!, 0);
  services.trustFrom(10_000);
  expect([services.missed(12_999), services.unheard()]).toEqual([[], []]);
  expect([services.missed(13_000), services.unheard().length]).toEqual([needs, 1]);
  services.trustFrom(14_000);
  expect([services.missed(15_000), services.unheard().length]).toEqual([[], 1]);
});
