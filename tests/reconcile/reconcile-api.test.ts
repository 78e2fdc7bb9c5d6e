import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Database, openDatabase, sql } from '@tallyport/database';
import { createTestDatabase, type TestDatabase } from '@tallyport/database/testing';
import type { StoredReconciliation } from '@tallyport/management';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilPasses } from '../support/probe.ts';
import { createKey, operator } from '../../services/auth-svc/src/keys/create-key.ts';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { adminKey, hostileName, map, startBilledGateway, today } from './billed-gateway.ts';

/** Accepts every request and answers none. */
const silent = createServer(() => undefined);

let place: TestDatabase;
let database: Database;
let billed: Awaited<ReturnType<typeof startBilledGateway<Gateway>>>;
let ofOperator: string;
let ofOther: string;

beforeAll(async () => {
  place = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  database = await openDatabase({ url: place.url });
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  billed = await startBilledGateway(startGateway, {
    DATABASE_URL: place.url,
    SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
  });
  await database.kysely.insertInto('accounts').values({ id: 'other', name: 'Other' }).execute();
  const made = { name: 'admin', admin: true };
  ofOperator = (await createKey(database, operator, made)).key;
  ofOther = (await createKey(database, { ...operator, accountId: 'other' }, made)).key;
  await untilPasses(async () => expect(await countOfRecords()).toBe(2));
});

afterAll(async () => {
  silent.close();
  silent.closeAllConnections();
  await billed?.stop();
  await database?.close();
  await place?.drop();
});

const countOfRecords = async (): Promise<number> => {
  const { rows } = await sql<{ count: string }>`select count(*) from usage_records`.execute(database.kysely);
  return Number(rows[0]?.count);
};

async function call(key: string, path: string, body?: object) {
  const response = await fetch(`${billed.gateway.baseUrl}/api/v1/reconciliations${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(text).not.toContain(adminKey);
  return { status: response.status, body: JSON.parse(text) as StoredReconciliation & { error: { code: string } } };
}

const period = { from: today, to: today };
const ofInstallation = { vendor: 'openai', ...period, scope: 'installation', adminKey, map };

test('an operator compares the installation with the report of a vendor', async () => {
  const { status, body } = await call(ofOperator, '', ofInstallation);
  expect([status, body.scope, body.vendor]).toEqual([201, 'installation', 'openai']);
  const { outside_gateway: outside, unknown_tier: tier, ...others } = body.reasons;
  expect([outside, Number(tier) > 0, others]).toEqual(['0.373456789', true, {}]);
  expect(body.rows.map(({ model }) => model).filter((model) => model === hostileName)).toEqual([hostileName]);
  expect((await call(ofOperator, `/${body.id}`)).body).toEqual(body);
});

test('an account compares what it paid itself, and sees no other results', async () => {
  const { body: shared } = await call(ofOperator, '', ofInstallation);
  expect(await call(ofOther, '', ofInstallation)).toMatchObject({ status: 403 });
  const { scope: _scope, ...ofAccount } = ofInstallation;
  const { status, body: own } = await call(ofOther, '', ofAccount);
  expect([status, own.scope, own.ours]).toEqual([201, 'account', '0']);
  expect(await call(ofOther, `/${own.id}`)).toMatchObject({ status: 200 });
  for (const [key, { id }] of [
    [ofOther, shared],
    [ofOperator, own],
  ] as const)
    expect(await call(key, `/${id}`)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
});

test('a key of the gateway that is no admin key may not compare', async () => {
  expect(await call(billed.gateway.apiKey, '', ofInstallation)).toMatchObject({ status: 403 });
});

test('a vendor that never answers is given up, and only its account waits', async () => {
  const unanswered = call(ofOperator, '', { ...ofInstallation, vendor: 'anthropic' });
  await once(silent, 'request');
  expect(await call(ofOperator, '', ofInstallation)).toMatchObject({ status: 409 });
  expect(await call(ofOther, '', { ...ofInstallation, scope: 'account' })).toMatchObject({ status: 201 });
  expect(await unanswered).toMatchObject({ status: 504, body: { error: { code: 'upstream_timeout' } } });
  expect(await call(ofOperator, '', ofInstallation)).toMatchObject({ status: 201 });
});

const columns = { day: 'Day', model: 'Model', amount: 'Cost' };

/** A bill of one line with so many characters. */
const csvOf = (length: number): string => `Day,Model,Cost\n${today},m,1\n`.padEnd(length, '\n');

test('a bill as CSV has at most 524,288 characters', async () => {
  const bill = { vendor: 'some-cloud', ...period, map: { columns } };
  const largest = await call(ofOperator, '', { ...bill, csv: csvOf(524_288) });
  expect([largest.status, largest.body.theirs]).toEqual([201, '1']);
  const larger = await call(ofOperator, '', { ...bill, csv: csvOf(524_289) });
  expect([larger.status, larger.body.error.code]).toEqual([400, 'invalid_parameters']);
});

test('a body of 100 MB is refused at both addresses', async () => {
  const body = Buffer.alloc(100 * 1024 * 1024, 'x');
  for (const path of ['/api/v1/reconciliations', '/dashboard/default/reconciliations/new']) {
    const status = await fetch(billed.gateway.baseUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${ofOperator}`, 'content-type': 'application/json' },
      body,
    }).then(
      (response) => response.status,
      () => 'ended before the body was sent',
    );
    expect([413, 'ended before the body was sent']).toContain(status);
  }
  expect(await call(ofOperator, '', ofInstallation)).toMatchObject({ status: 201 });
});

test('the admin key is in no output and no table', async () => {
  expect(billed.gateway.output()).not.toContain(adminKey);
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`.execute(database.kysely);
  for (const { name } of tables) {
    const { rows } = await sql`select 1 from ${sql.raw(name)} as row where row::text like ${`%${adminKey}%`}`.execute(
      database.kysely,
    );
    expect([name, rows]).toEqual([name, []]);
  }
});
