import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase } from '../open-database.ts';
import { createTestDatabase } from '../testing/index.ts';
import { alertAddresses } from './0039-alert-addresses.ts';

it('counts the addresses that alerts already have as confirmed, by account', async () => {
  const { url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  const database = await openDatabase({ url });
  await database.migrate();
  const { kysely } = database;
  await sql`drop table alert_addresses`.execute(kysely);
  const accounts = ['acme', 'other'].map((id) => ({ id, name: id }));
  await kysely.insertInto('accounts').values(accounts).execute();
  const alert = (id: string, account_id: string, emails: string[] | null) => ({
    id,
    account_id,
    name: id,
    condition: '{}',
    emails: emails && JSON.stringify(emails),
  });
  await kysely
    .insertInto('alerts')
    .values([
      alert('a1', 'acme', ['a@example.com', 'b@example.com']),
      alert('a2', 'acme', ['b@example.com']),
      alert('a3', 'acme', null),
      alert('o1', 'other', ['b@example.com']),
    ])
    .execute();

  await alertAddresses.up(kysely);
  const rows = await kysely.selectFrom('alert_addresses').selectAll().orderBy('account_id').orderBy('email').execute();
  const confirmed = { token_hash: null, sent_at: null, confirmed_at: expect.any(Date) };
  expect(rows).toEqual([
    { account_id: 'acme', email: 'a@example.com', ...confirmed },
    { account_id: 'acme', email: 'b@example.com', ...confirmed },
    { account_id: 'other', email: 'b@example.com', ...confirmed },
  ]);
  await database.close();
  await drop();
});
