import { hashKey } from '@tallyport/contracts';
import { type Database, openDatabase, sql } from '@tallyport/database';
import { createTestDatabase, type TestDatabase } from '@tallyport/database/testing';
import type { Adapter } from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordsFor } from './records.ts';
import { sweepOAuthRecords } from './sweep.ts';

describe('the records of the OAuth server', () => {
  let place: TestDatabase;
  let database: Database;
  let ended: string[];
  beforeAll(async () => {
    place = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
    database = await openDatabase({ url: place.url });
    await database.migrate();
  });
  afterAll(async () => {
    await database.close();
    await place.drop();
  });

  const adapter = (model: string): Adapter => {
    ended = [];
    return recordsFor({ database, onTokenEnded: (hash) => ended.push(hash) })(model);
  };

  test('are returned unchanged, without the secret in the database', async () => {
    const codes = adapter('AuthorizationCode');
    await codes.upsert('the-code', { jti: 'the-code', clientId: 'c', scope: 'mcp:tools' }, 60);
    expect(await codes.find('the-code')).toEqual({ jti: 'the-code', clientId: 'c', scope: 'mcp:tools' });
    const rows = await database.kysely.selectFrom('oauth_records').selectAll().execute();
    expect(rows.map(({ id }) => id)).toEqual([hashKey('the-code')]);
    expect(JSON.stringify(rows)).not.toContain('the-code');
  });

  test("expire by the database's clock, whatever the clock of the writing process", async () => {
    const codes = adapter('AuthorizationCode');
    const now = Math.floor(Date.now() / 1000);
    await codes.upsert('behind', { jti: 'behind', exp: now - 60 }, 60);
    await codes.upsert('ahead', { jti: 'ahead', exp: now + 3600 }, 60);
    for (const code of ['behind', 'ahead']) {
      const { exp = 0 } = (await codes.find(code)) ?? {};
      expect(exp).toBeGreaterThan(now + 30);
      expect(exp).toBeLessThan(now + 90);
    }
  });

  test('can be consumed once, even concurrently', async () => {
    const codes = adapter('AuthorizationCode');
    await codes.upsert('raced', { jti: 'raced' }, 60);
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => codes.consume('raced')));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await codes.find('raced')).toEqual({ jti: 'raced', consumed: expect.any(Number) });
  });

  test('of a refresh token work again for 20 seconds after their first use', async () => {
    const tokens = adapter('RefreshToken');
    await tokens.upsert('renewed', { jti: 'renewed' }, 60);
    const useFirstAgo = (seconds: number) =>
      sql`update oauth_records set consumed_at = now() - make_interval(secs => ${seconds}::float8)
        where id = ${hashKey('renewed')}`.execute(database.kysely);
    const uses = await Promise.allSettled([1, 2, 3].map(() => tokens.consume('renewed')));
    expect(uses.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    await useFirstAgo(19);
    expect(await tokens.find('renewed')).toEqual({ jti: 'renewed' });
    await tokens.consume('renewed');
    // Repeated use does not extend the period.
    await sql`update oauth_records set consumed_at = consumed_at - interval '1 second'`.execute(database.kysely);
    expect(await tokens.find('renewed')).toEqual({ jti: 'renewed', consumed: expect.any(Number) });
    await expect(tokens.consume('renewed')).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('end with their grant, and report access tokens by hash', async () => {
    const tokens = adapter('AccessToken');
    await tokens.upsert('one', { jti: 'one', grantId: 'g' }, 60);
    await tokens.upsert('two', { jti: 'two', grantId: 'h' }, 60);
    await tokens.revokeByGrantId('g');
    expect(ended).toEqual([hashKey('one')]);
    expect([await tokens.find('one'), await tokens.find('two')]).toEqual([undefined, { jti: 'two', grantId: 'h' }]);
    await tokens.destroy('two');
    expect(ended).toEqual([hashKey('one'), hashKey('two')]);
    await adapter('RefreshToken').upsert('three', { jti: 'three', grantId: 'g' }, 60);
    await adapter('RefreshToken').revokeByGrantId('g');
    expect(ended).toEqual([]);
  });

  test('are limited to a hundred clients per account, even if registered concurrently', async () => {
    const { kysely } = database;
    await kysely.insertInto('accounts').values({ id: 'acme', name: 'Acme' }).execute();
    await sql`insert into oauth_records (model, id, account_id, payload)
      select 'Client', number::text, 'acme', '{}' from generate_series(1, 98) number`.execute(kysely);
    const clients = adapter('Client');
    const register = (client_id: string) =>
      clients.upsert(client_id, {
        client_id,
        client_name: 'Robot',
        redirect_uris: [],
        client_secret: 'a-secret',
        account_id: 'acme',
        registered_by: 'key:key_1',
      });
    const tries = await Promise.allSettled(['a', 'b', 'c', 'd'].map(register));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const error_description = 'An account can have at most 100 OAuth clients. Delete one that is not used.';
    await expect(register('e')).rejects.toMatchObject({ error: 'access_denied', error_description });
    const rows = await kysely.selectFrom('oauth_records').selectAll().where('account_id', '=', 'acme').execute();
    expect(rows).toHaveLength(100);
    expect(JSON.stringify(rows)).not.toContain('a-secret');
    const audit = await kysely.selectFrom('audit_log').selectAll().where('account_id', '=', 'acme').execute();
    const entry = { actor: 'key:key_1', action: 'oauth_client.created', detail: { name: 'Robot', redirectUris: [] } };
    expect(audit).toMatchObject([entry, entry]);
    await kysely.deleteFrom('oauth_records').where('account_id', '=', 'acme').execute();
  });

  test('include no sessions: our own sessions determine who is signed in', async () => {
    const sessions = adapter('Session');
    await sessions.upsert('s', { jti: 's', accountId: 'user_1:default' }, 60);
    expect(await sessions.find('s')).toBe(undefined);
  });

  test('are not found after they expire, and are deleted in batches', async () => {
    const codes = adapter('AuthorizationCode');
    await codes.upsert('old', { jti: 'old' }, 60);
    await sql`update oauth_records set expires_at = now() - interval '1 second'`.execute(database.kysely);
    expect(await codes.find('old')).toBe(undefined);
    await codes.upsert('fresh', { jti: 'fresh' }, 60);
    await sql`insert into oauth_records (model, id, payload, expires_at)
      select 'AccessToken', number::text, '{}', now() - interval '1 second' from generate_series(1, 1200) number`.execute(
      database.kysely,
    );
    const removed = await Promise.all([sweepOAuthRecords(database), sweepOAuthRecords(database)]);
    expect(removed[0] + removed[1]).toBeGreaterThan(1_200);
    const left = await database.kysely.selectFrom('oauth_records').select('id').execute();
    expect(left).toEqual([{ id: hashKey('fresh') }]);
  });

  test('report an unreachable database', async () => {
    const away = await openDatabase({ url: 'postgres://127.0.0.1:1/nowhere' });
    const codes = recordsFor({ database: away, onTokenEnded: () => {} })('AuthorizationCode');
    await expect(codes.find('any')).rejects.toMatchObject({ error: 'temporarily_unavailable', statusCode: 503 });
    await away.close();
  });
});
