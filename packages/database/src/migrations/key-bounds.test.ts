import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase } from '../open-database.ts';
import { createTestDatabase } from '../testing/index.ts';
import { keyBounds } from './0010-key-bounds.ts';

it('takes the bounds of existing keys from audit entries of users other than the creator', async () => {
  const { url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  const database = await openDatabase({ url });
  await database.migrate();
  const { kysely } = database;
  await sql`alter table api_keys drop column bounds`.execute(kysely);
  await kysely.insertInto('accounts').values({ id: 'acme', name: 'Acme' }).execute();
  await kysely.insertInto('users').values({ id: 'u1', email: 'a@example.com', password_hash: '' }).execute();
  const changed = (subject: string, actor: string, detail: object) =>
    kysely
      .insertInto('audit_log')
      .values({ account_id: 'acme', action: 'key.changed', subject, actor, detail: JSON.stringify(detail) })
      .execute();
  const expires_at = new Date('2031-02-03T04:05:06.789Z');
  for (const [index, user_id] of ['u1', 'u1', null].entries()) {
    const id = `k${index}`;
    await sql`insert into api_keys (id, account_id, name, prefix, key_hash, user_id, expires_at, limits, budget)
      values (${id}, 'acme', 'k', 'p', ${String(index).repeat(64)}, ${user_id}, ${expires_at},
        '{"concurrency": 3}', '{"amount": "1", "period": "day"}')`.execute(kysely);
  }
  await changed('k0', 'key:k9', {
    limits: { concurrency: 9 },
    expiresAt: '2031-02-03T04:05:06.789Z',
    allowedModels: ['a'],
  });
  await changed('k0', 'user:u1', { budget: { amount: '1', period: 'day' } });
  await changed('k0', 'user:u2', { budget: null, name: 'x' });
  await changed('k1', 'user:u1', { limits: { concurrency: 3 } });
  await changed('k2', 'user:u2', { limits: { concurrency: 3 } });

  await keyBounds.up(kysely);
  const rows = await kysely.selectFrom('api_keys').select(['id', 'bounds']).orderBy('id').execute();
  expect(rows).toEqual([
    { id: 'k0', bounds: { limits: { concurrency: 3 }, expiresAt: '2031-02-03T04:05:06.789Z' } },
    { id: 'k1', bounds: null },
    { id: 'k2', bounds: null },
  ]);
  await database.close();
  await drop();
});
