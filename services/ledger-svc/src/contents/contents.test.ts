import type { KeptContent, KeptTexts } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { type ApiCaller, Secret } from '@tallyport/management-server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databasesWithSecrets, type OpenedWithSecrets } from '../../../auth-svc/src/testing/databases-with-secrets.ts';
import { type ContentKeys, createContentKeys } from './content-keys.ts';
import { afterTurnOf, dayMs } from '../../../../tests/support/turn-of.ts';
import { deleteContents } from './delete-contents.ts';
import { expiryDay } from './expiry-days.ts';
import { readContent } from './read-content.ts';
import { createContentStore, type StoreContents } from './store-contents.ts';
import { sweepContents } from './sweep-contents.ts';

const content: KeptTexts = {
  prompt: { parts: [{ role: 'user', kind: 'text', text: 'Where is the treasure?' }], cut: false },
  answer: { parts: [{ kind: 'text', text: 'Below the palm.' }], cut: false },
};
const kept = (id: string, accountId = 'default'): KeptContent => ({ id, accountId, content });
const admin: ApiCaller = { role: 'admin', operator: false, actor: 'user:ada', accountId: 'default' };

describe.each(databasesWithSecrets)('contents in %s', (_name, open) => {
  let opened: OpenedWithSecrets;
  let contentKeys: ContentKeys;
  let store: StoreContents;
  const read = (id: string, caller = admin) =>
    readContent({ database: opened.tools.database, contentKeys }, caller, id);
  const queries = () => opened.tools.database.kysely;
  const rows = () => queries().selectFrom('request_contents').select(['id', 'sealed']).orderBy('id').execute();
  const keep = (days: number | null, id = 'default') =>
    queries()
      .updateTable('accounts')
      .set({ content_log: days === null ? null : JSON.stringify({ days, maxBytes: 4_096 }) })
      .where('id', '=', id)
      .execute();
  const audited = async () =>
    (await queries().selectFrom('audit_log').select(['actor', 'action', 'subject']).orderBy('id').execute()).slice(-1);

  beforeAll(async () => {
    opened = await open();
    contentKeys = createContentKeys(opened.tools.secrets);
    store = createContentStore(opened.tools.database, contentKeys);
    await queries().insertInto('accounts').values({ id: 'other', name: 'Other' }).execute();
  });
  beforeEach(async () => {
    await keep(30);
    await queries().deleteFrom('request_contents').execute();
  });
  afterAll(() => opened.close());

  test('are stored encrypted, once, and each read is audited', async () => {
    await store([kept('use_1')]);
    await store([kept('use_1')]);
    const stored = await rows();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toMatch(/treasure|palm/);
    expect(await read('use_1')).toEqual(content);
    expect(await audited()).toEqual([{ actor: 'user:ada', action: 'content.read', subject: 'use_1' }]);
  });

  test('are ignored for an account that keeps none', async () => {
    await keep(null);
    await store([kept('use_1'), kept('use_2', 'other'), kept('use_3', 'unknown')]);
    expect(await rows()).toEqual([]);
  });

  test('of another account are not found', async () => {
    await store([kept('use_1')]);
    const reading = read('use_1', { ...admin, accountId: 'other' });
    await expect(reading).rejects.toMatchObject({ code: 'not_found' });
  });

  test('moved to another account or request are not decrypted', async () => {
    await keep(30, 'other');
    await store([kept('use_1'), kept('use_2'), kept('use_3', 'other')]);
    await queries().updateTable('request_contents').set({ id: 'use_9' }).where('id', '=', 'use_1').execute();
    await expect(read('use_9')).rejects.toMatchObject({ code: 'unavailable' });
    await queries().updateTable('request_contents').set({ account_id: 'default' }).where('id', '=', 'use_3').execute();
    await expect(read('use_3')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await read('use_2')).toEqual(content);
  });

  test('are all deleted for one account, which is audited', async () => {
    await keep(30, 'other');
    await store([kept('use_1'), kept('use_2'), kept('use_3', 'other')]);
    expect(await deleteContents(opened.tools.database, admin)).toBe(2);
    expect((await rows()).map(({ id }) => id)).toEqual(['use_3']);
    expect(await audited()).toEqual([{ actor: 'user:ada', action: 'content.deleted', subject: 'default' }]);
  });

  test('expire on the day after the last one on which they are kept', async () => {
    await afterTurnOf(dayMs);
    await store([kept('use_today')]);
    for (const [id, day] of [
      ['use_expired', expiryDay(new Date(), -1)],
      ['use_last_day', expiryDay(new Date(), 0)],
    ] as const) {
      await sql`create table if not exists ${sql.table(`request_contents_${day.replaceAll('-', '_')}`)}
        partition of request_contents for values from (${sql.lit(day)}) to (${sql.lit(expiryDay(new Date(day), 1))})`.execute(
        queries(),
      );
      const row = { id, account_id: 'default', expires_on: day, content_key: 'key', sealed: 'text' };
      await queries().insertInto('request_contents').values(row).execute();
    }
    await sweepContents(opened.tools.database);
    expect((await rows()).map(({ id }) => id)).toEqual(['use_last_day', 'use_today']);
  });

  test('expire earlier once their account keeps them for fewer days', async () => {
    await store([kept('use_new'), kept('use_old')]);
    await sql`update request_contents set at = now() - interval '3 days 1 minute' where id = 'use_old'`.execute(
      queries(),
    );
    await keep(3);
    await sweepContents(opened.tools.database);
    expect((await rows()).map(({ id }) => id)).toEqual(['use_new', 'use_old']);
    await keep(2);
    await sweepContents(opened.tools.database);
    expect((await rows()).map(({ id }) => id)).toEqual(['use_new']);
  });

  test('lose their keys once all of a month must have expired', async () => {
    const { secrets } = opened.tools;
    await afterTurnOf(dayMs);
    for (const month of ['2020-01', new Date().toISOString().slice(0, 7)]) {
      const place = { id: `content_swept_${month}`, purpose: 'content-key', accountId: 'default' };
      await secrets.keepFirst(queries(), place, new Secret('key'));
    }
    await sweepContents(opened.tools.database);
    const left = await queries().selectFrom('secrets').select('id').where('id', 'like', 'content_swept_%').execute();
    expect(left.map(({ id }) => id)).toEqual([`content_swept_${new Date().toISOString().slice(0, 7)}`]);
  });
});
