import type { Database } from '@tallyport/database';
import { openMigrated } from '@tallyport/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identitySchema } from '../document/identity-schema.ts';
import { missingPlaces } from './missing-places.ts';

let close: () => Promise<void>;
let database: Database;
beforeAll(async () => {
  ({ database, close } = await openMigrated());
  const { kysely } = database;
  await kysely.insertInto('accounts').values({ id: 'research', name: 'Research' }).execute();
  await kysely.insertInto('accounts').values({ id: 'sales', name: 'Sales' }).execute();
  await kysely.insertInto('projects').values({ id: 'project_1', account_id: 'research', name: 'Ranking' }).execute();
});
afterAll(() => close());

const provider = (...access: object[]) => ({
  id: 'acme',
  name: 'Acme',
  issuer: 'https://acme.example',
  clientId: 'client',
  access: access.map((rule) => ({ everyone: true, role: 'member', ...rule })),
});
const workload = (rule: object) => ({
  id: 'bots',
  issuer: 'https://acme.example',
  audience: 'gateway',
  subject: 'bot',
  ...rule,
});

async function problems(document: object): Promise<string[]> {
  const { providers, workloads } = identitySchema.parse(document);
  return missingPlaces(database, {
    providers: providers.map((each) => ({ ...each, clientSecret: undefined })),
    workloads: workloads.map((each) => ({ ...each, jwks: undefined })),
  });
}

test('accounts, and projects by name or id, that exist are no problem', async () => {
  const rule = { account: 'research', project: 'ranking' };
  expect(await problems({})).toEqual([]);
  expect(
    await problems({
      providers: [provider({ account: 'sales' }, rule, { ...rule, project: 'project_1' })],
      workloads: [workload(rule)],
    }),
  ).toEqual([]);
});

test('what does not exist is named with its rule, once', async () => {
  const rule = { account: 'sales', project: 'ranking' };
  expect(
    await problems({
      providers: [provider(rule, rule, { account: 'gone', project: 'ranking' })],
      workloads: [workload(rule)],
    }),
  ).toEqual([
    'provider acme: the account "sales" has no project "ranking".',
    'provider acme: there is no account "gone".',
    'workload bots: the account "sales" has no project "ranking".',
  ]);
});
