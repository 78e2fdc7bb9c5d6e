import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, isUnavailable } from './index.ts';
import { migrations } from './migrations/index.ts';

interface OpenedDatabase {
  database: Database;
  /** Closes the database and deletes it. */
  remove(): Promise<void>;
}

const hashOf = (digit: string): string => digit.repeat(64);

const key = (id: string, hash: string) => ({ id, account_id: 'acme', name: id, prefix: 'sk-tp-abc', key_hash: hash });

/** The behaviour required of Postgres and of the embedded database. */
export function describeDatabase(name: string, open: () => Promise<OpenedDatabase>): void {
  describe(name, () => {
    let opened: OpenedDatabase;
    let database: Database;

    beforeAll(async () => {
      opened = await open();
      database = opened.database;
      await database.migrate();
      await database.kysely.insertInto('accounts').values({ id: 'acme', name: 'Acme' }).execute();
    });
    afterAll(() => opened.remove());

    const namesOfAccounts = async () => {
      const rows = await database.kysely.selectFrom('accounts').select('name').orderBy('name').execute();
      return rows.map((row) => row.name);
    };

    it('is connected', async () => {
      expect(await database.check(2_000)).toEqual({ connected: true });
    });

    it('has nothing to do when the schema is up to date', async () => {
      await database.migrate();
      const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database.kysely);
      expect(rows.map((row) => row.name)).toEqual(Object.keys(migrations));
    });

    it('stores a key unchanged', async () => {
      const expiresAt = new Date('2031-02-03T04:05:06.789Z');
      await database.kysely
        .insertInto('api_keys')
        .values({
          ...key('whole', hashOf('1')),
          name: 'Zoë\'s \u{1F511} "key" \\ $1',
          expires_at: expiresAt,
          allowed_models: JSON.stringify(['a', 'b/c']),
          allowed_providers: JSON.stringify([]),
        })
        .execute();
      const row = await database.kysely.selectFrom('api_keys').selectAll().where('id', '=', 'whole').executeTakeFirst();
      expect(row).toEqual({
        id: 'whole',
        account_id: 'acme',
        name: 'Zoë\'s \u{1F511} "key" \\ $1',
        prefix: 'sk-tp-abc',
        key_hash: hashOf('1'),
        created_at: expect.any(Date),
        expires_at: expiresAt,
        revoked_at: null,
        last_used_at: null,
        allowed_models: ['a', 'b/c'],
        allowed_providers: [],
        allowed_tiers: null,
        user_id: null,
        project_id: null,
        is_admin: false,
        allowed_addresses: null,
        limits: null,
        budget: null,
        end_user_budget: null,
        cache_ttl_seconds: null,
        prompt_caching: null,
        allowed_mcp_tools: null,
        previous_hash: null,
        previous_until: null,
        bounds: null,
        guardrails: null,
      });
    });

    it.each([
      ['the hash of another key', { ...key('double', hashOf('2')) }, '23505'],
      ['a hash one character short', key('short', '0'.repeat(63)), '23514'],
      ['a hash one character long', key('long', '0'.repeat(65)), '23514'],
      ['the key itself instead of its hash', key('text', 'sk-tp-secret'), '23514'],
      ['an account that is not there', { ...key('nobody', hashOf('3')), account_id: 'nobody' }, '23503'],
    ])('refuses a key with %s, which does not count as unavailable', async (_what, values, code) => {
      const first = { ...key('first', hashOf('2')) };
      await database.kysely
        .insertInto('api_keys')
        .values(first)
        .onConflict((on) => on.doNothing())
        .execute();
      const error: unknown = await database.kysely
        .insertInto('api_keys')
        .values(values)
        .execute()
        .catch((e) => e);
      expect(error).toMatchObject({ code });
      expect(isUnavailable(error)).toBe(false);
    });

    it.each([[{ pricing: { prompt: '0.1' } }], [[1, 'x']], [null]])(
      'keeps the override %j as it was given',
      async (value) => {
        const name = { kind: 'model', id: 'acme/large "1"' };
        const stored = { ...name, value: JSON.stringify(value) };
        await database.kysely.insertInto('catalogue_overrides').values(stored).execute();
        const rows = await database.kysely.selectFrom('catalogue_overrides').selectAll().execute();
        expect(rows).toEqual([{ ...name, value, updated_at: expect.any(Date) }]);
        const again = database.kysely.insertInto('catalogue_overrides').values(stored).execute();
        await expect(again).rejects.toMatchObject({ code: '23505' });
        await database.kysely.deleteFrom('catalogue_overrides').execute();
      },
    );

    it('allows only inserts into the audit log', async () => {
      const entry = { account_id: 'acme', actor: 'operator', action: 'key.created', subject: 'key_1' };
      const id = await database.kysely.insertInto('audit_log').values(entry).returning('id').executeTakeFirst();
      const changes = [
        sql`update audit_log set actor = 'somebody else'`,
        sql`delete from audit_log`,
        sql`truncate audit_log`,
        sql`insert into audit_log (id, account_id, actor, action, subject) values (7, 'acme', 'a', 'b', 'c')`,
      ];
      for (const change of changes) await expect(change.execute(database.kysely)).rejects.toThrow();
      const rows = await database.kysely.selectFrom('audit_log').selectAll().execute();
      expect(rows).toEqual([{ ...id, ...entry, at: expect.any(Date), detail: null }]);
    });

    it('rolls back a transaction as a whole and keeps concurrent changes', async () => {
      const entered = Promise.withResolvers<void>();
      const transaction = database.kysely.transaction().execute(async (inside) => {
        await inside.insertInto('accounts').values({ id: 'inside', name: 'Inside' }).execute();
        entered.resolve();
        throw new Error('changed my mind');
      });
      const refused = transaction.catch((error: unknown) => error);
      await entered.promise;
      await database.kysely.insertInto('accounts').values({ id: 'outside', name: 'Outside' }).execute();
      expect(await refused).toEqual(new Error('changed my mind'));
      expect(await namesOfAccounts()).toEqual(['Acme', 'Outside']);
      await database.kysely.deleteFrom('accounts').where('id', '=', 'outside').execute();
    });

    it('continues after a statement has failed inside a transaction', async () => {
      const transaction = database.kysely.transaction().execute(async (inside) => {
        await inside.insertInto('accounts').values({ id: 'inside', name: 'Inside' }).execute();
        await inside.insertInto('accounts').values({ id: 'acme', name: 'Again' }).execute();
      });
      await expect(transaction).rejects.toMatchObject({ code: '23505' });
      expect(await namesOfAccounts()).toEqual(['Acme']);
    });

    it('isolates concurrent transactions', async () => {
      await sql`create table counters (id int primary key, value int not null)`.execute(database.kysely);
      await sql`insert into counters values (1, 0)`.execute(database.kysely);
      const addOne = () =>
        database.kysely.transaction().execute(async (inside) => {
          const { rows } = await sql<{ value: number }>`select value from counters for update`.execute(inside);
          await sql`update counters set value = ${(rows[0]?.value ?? 0) + 1}`.execute(inside);
        });
      await Promise.all(Array.from({ length: 25 }, addOne));
      const { rows } = await sql`select value from counters`.execute(database.kysely);
      expect(rows).toEqual([{ value: 25 }]);
    });

    it('runs more concurrent queries than it has connections', async () => {
      const ask = async (number: number) => {
        const { rows } = await sql<{ number: number }>`select ${number}::int as number`.execute(database.kysely);
        return rows[0]?.number;
      };
      const numbers = Array.from({ length: 200 }, (_, number) => number);
      expect(await Promise.all(numbers.map(ask))).toEqual(numbers);
    });

    it('works with a schema that a newer version has extended', async () => {
      await sql`insert into kysely_migration values ('9999-from-the-future', '2999-01-01')`.execute(database.kysely);
      await sql`alter table accounts add column added_later text`.execute(database.kysely);
      await database.migrate();
      const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database.kysely);
      expect(rows.map((row) => row.name)).toEqual([...Object.keys(migrations), '9999-from-the-future']);
      await sql`alter table accounts drop column added_later`.execute(database.kysely);
      await sql`delete from kysely_migration where name like '9999%'`.execute(database.kysely);
    });

    it('refuses a schema that a newer version has changed incompatibly, without touching it', async () => {
      await sql`insert into kysely_migration values ('9999-future-breaking', '2999-01-01')`.execute(database.kysely);
      await expect(database.migrate()).rejects.toThrow(
        'The database was upgraded by a newer Tallyport (migration 9999-future-breaking). Start that version again, or restore a backup made before the upgrade.',
      );
      await sql`delete from kysely_migration where name like '9999%'`.execute(database.kysely);
      await database.migrate();
    });
  });

  describe(`${name}, closed`, () => {
    it('may be closed twice, and answers nothing afterwards', async () => {
      const { database, remove } = await open();
      await database.check(2_000);
      await Promise.all([database.close(), database.close()]);
      await database.close();
      expect(await database.check(500)).toEqual({ connected: false, error: expect.any(String) });
      await remove();
    });
  });
}
