import { type Database, openDatabase } from '@tallyport/database';
import { createTestDatabase } from '@tallyport/database/testing';
import { expect, onTestFinished, test } from 'vitest';
import { recordAudit } from '../audit/audit.ts';
import { ensureDefaultAccount } from '../database/ensure-default-account.ts';
import { createPlannedChanges } from './planned-changes.ts';
import { readRevision } from './read-revision.ts';

const replicaOf = (database: Database) => ({
  database,
  record: (action: 'key.created' | 'session.started') =>
    recordAudit(database.kysely, { accountId: 'default', actor: 'operator', action, subject: 'x' }),
  planned: createPlannedChanges({ database, isShared: true }),
  revision: () => readRevision(database.kysely),
});

/** Two replicas of a service. */
async function openReplicas() {
  const { url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  const databases = [await openDatabase({ url }), await openDatabase({ url })] as const;
  onTestFinished(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await drop();
  });
  const [one, other] = [replicaOf(databases[0]), replicaOf(databases[1])];
  await ensureDefaultAccount(one.database);
  return { one, other };
}

test('of changes that were planned on one revision, in two replicas, one is made', async () => {
  const { one, other } = await openReplicas();
  const before = await one.revision();
  const changes = Array.from({ length: 10 }, (_, at) => {
    const { planned, record } = at % 2 === 0 ? one : other;
    return planned.change(before, () => record('key.created'));
  });
  const ended = await Promise.allSettled(changes);
  expect(ended.filter(({ status }) => status === 'fulfilled')).toEqual([
    { status: 'fulfilled', value: { result: undefined, revision: await one.revision() } },
  ]);
  const refusals = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason.code, each.reason.param] : []));
  expect(refusals).toEqual(Array.from({ length: 9 }, () => ['conflict', 'x-tallyport-revision']).flat());
});

test('a sign-in makes no revision, and a change makes a later one', async () => {
  const { one } = await openReplicas();
  const before = await one.revision();
  await one.record('session.started');
  expect(await one.revision()).toBe(before);
  await one.record('key.created');
  expect(Number(await one.revision())).toBeGreaterThan(Number(before));
});

test('a change that fails ends its turn', async () => {
  const { one, other } = await openReplicas();
  const failed = one.planned.alone(() => Promise.reject(new Error('failed')));
  await expect(failed).rejects.toThrow('failed');
  expect(await other.planned.alone(async () => 'next')).toBe('next');
});
