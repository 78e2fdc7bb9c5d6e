import { hashKey, makeKey } from '@tallyport/contracts';
import { type Queries, sql } from '@tallyport/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticate } from '../../../keys/authenticate.ts';
import type { OpenedManagement } from './open-management.ts';

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

const everything = () => ({
  name: 'everything',
  expiresAt: inAnHour(),
  allowedModels: ['a', 'b/c'],
  allowedProviders: ['a'],
  allowedTiers: ['flex'],
  allowedMcpTools: ['docs', 'tickets__read'],
  allowedAddresses: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7/32'],
  limits: { requestsPerMinute: { chat: 100 }, tokensPerMinute: 5_000, concurrency: 3 },
  budget: { amount: '12.50', period: 'month' },
  cacheTtlSeconds: 10,
  promptCaching: 'auto',
  guardrails: { request: { maxCharacters: 9 }, answer: { detect: { email: 'redact' }, holdBack: 64 } },
});

export function describeKeys(open: () => Promise<OpenedManagement>): void {
  describe('keys', () => {
    let management: OpenedManagement;
    let admin: { key: string; record: { id: string } };
    beforeAll(async () => {
      management = await open();
      admin = await management.makeKey({ admin: true });
    });
    afterAll(() => management.close());

    const ask = (method: string, path: string, body?: unknown) =>
      management.ask(method, path, { key: admin.key, ...(body !== undefined && { body }) });
    const callerOf = (key: string) => authenticate(management.database, hashKey(key));
    const make = async (body: object) => {
      const made = await ask('POST', '/keys', body);
      expect(made.status).toBe(201);
      return made.body;
    };

    it('are created with all settings, which edge then receives', async () => {
      const wanted = everything();
      const { key, record } = await make(wanted);
      const generated = { id: expect.stringMatching(/^key_/), prefix: key.slice(0, 12), createdAt: expect.any(String) };
      expect(record).toEqual({ ...wanted, ...generated });
      expect((await ask('GET', `/keys/${record.id}`)).body).toEqual(record);
      expect(await callerOf(key)).toEqual({
        principal: {
          accountId: 'default',
          keyId: record.id,
          allowedModels: ['a', 'b/c'],
          allowedProviders: ['a'],
          allowedTiers: ['flex'],
          allowedMcpTools: ['docs', 'tickets__read'],
          tokensPerMinute: { key: 5_000 },
          budgets: { key: { amount: '12.50', period: 'month' } },
          cacheTtlSeconds: 10,
          promptCaching: 'auto',
          guardrails: [wanted.guardrails],
        },
        expiresAt: wanted.expiresAt,
        allowedAddresses: wanted.allowedAddresses,
        limits: { key: wanted.limits },
      });
    });

    it('are looked up with a single query', async () => {
      let queries = 0;
      const counting: Parameters<Queries['withPlugin']>[0] = {
        transformQuery({ node }) {
          queries++;
          return node;
        },
        transformResult: async ({ result }) => result,
      };
      const kysely = management.database.kysely.withPlugin(counting);
      const database = { ...management.database, kysely };
      expect(await authenticate(database, hashKey(admin.key))).not.toBe(null);
      expect(queries).toBe(1);
    });

    it('change, and null removes a setting', async () => {
      const { key, record } = await make(everything());
      management.notices.keys.length = 0;
      const { name: _name, ...settings } = everything();
      const nothing = Object.fromEntries(Object.keys(settings).map((member) => [member, null]));
      const changed = await ask('PATCH', `/keys/${record.id}`, { name: 'bare', ...nothing });
      const { id, prefix, createdAt } = record;
      expect(changed).toMatchObject({ status: 200, body: { id, prefix, createdAt, name: 'bare' } });
      expect(Object.keys(changed.body)).toEqual(['id', 'name', 'prefix', 'createdAt']);
      expect(await callerOf(key)).toEqual({ principal: { accountId: 'default', keyId: id }, limits: {} });
      await expect.poll(() => management.notices.keys).toEqual([hashKey(key)]);
      expect((await ask('PATCH', `/keys/${id}`, {})).body).toEqual(changed.body);
    });

    it('inherit settings of their account', async () => {
      const limits = { requestsPerMinute: { images: 5 }, tokensPerMinute: 0 };
      await ask('PATCH', '/account', { limits, cacheTtlSeconds: 0 });
      const { key, record } = await make({ name: 'heir' });
      expect(await callerOf(key)).toEqual({
        principal: { accountId: 'default', keyId: record.id, tokensPerMinute: { account: 0 }, cacheTtlSeconds: 0 },
        limits: { account: limits },
      });
      await ask('PATCH', '/account', { limits: null, cacheTtlSeconds: null });
      await ask('PATCH', '/account', { promptCaching: 'auto' });
      const { key: other } = await make({ name: 'other', promptCaching: 'off' });
      expect(await callerOf(key)).toMatchObject({ principal: { promptCaching: 'auto' } });
      expect(await callerOf(other)).not.toHaveProperty('principal.promptCaching');
      await ask('PATCH', '/account', { promptCaching: null });
      expect(await callerOf(key)).toEqual({ principal: { accountId: 'default', keyId: record.id }, limits: {} });
    });

    it('add their guardrails to those of the account', async () => {
      const ofAccount = { request: { detect: { email: 'redact' } } };
      const ofKey = { request: { patterns: [{ name: 'falcon', pattern: '(?i)falcon', action: 'block' }] } };
      expect((await ask('PATCH', '/account', { guardrails: ofAccount })).body.guardrails).toEqual(ofAccount);
      const { key, record } = await make({ name: 'guarded', guardrails: ofKey });
      expect(await callerOf(key)).toMatchObject({ principal: { guardrails: [ofAccount, ofKey] } });
      expect((await ask('PATCH', `/keys/${record.id}`, { guardrails: null })).status).toBe(200);
      expect(await callerOf(key)).toMatchObject({ principal: { guardrails: [ofAccount] } });
      await ask('PATCH', '/account', { guardrails: null });
      expect((await callerOf(key))?.principal).not.toHaveProperty('guardrails');
    });

    it.each([
      ['POST', '/keys', { name: 'k' }],
      ['PATCH', '/account', {}],
      ['PATCH', '/accounts/default', {}],
    ])('%s %s refuses a pattern that is not one of RE2, with its place', async (method, path, body) => {
      const patterns = [
        { name: 'fine', pattern: 'a', action: 'block' },
        { name: 'wrong', pattern: '(?=a)', action: 'block' },
      ];
      expect(await ask(method, path, { ...body, guardrails: { answer: { patterns } } })).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_parameters', param: 'guardrails.answer.patterns[1].pattern' } },
      });
    });

    it.each([
      [
        'patterns',
        { patterns: Array.from({ length: 21 }, (_, at) => ({ name: `p${at}`, pattern: 'a', action: 'block' })) },
      ],
      ['pattern', { patterns: [{ name: 'p', pattern: 'a'.repeat(201), action: 'block' }] }],
      ['name', { patterns: [{ name: 'A name', pattern: 'a', action: 'block' }] }],
      ['detect', { detect: { passwords: 'block' } }],
      ['holdBack', { holdBack: 63 }],
      ['holdBack', { holdBack: 4097 }],
    ])('refuse guardrails with a wrong member %s', async (member, answer) => {
      const made = await ask('POST', '/keys', { name: 'k', guardrails: { answer } });
      expect(made).toMatchObject({ status: 400, body: { error: { param: expect.stringContaining(member) } } });
    });

    it('accept guardrails at their limits', async () => {
      const patterns = Array.from({ length: 20 }, (_, at) => ({
        name: `p${at}`,
        pattern: 'a'.repeat(200),
        action: 'block',
      }));
      await make({ name: 'k', guardrails: { request: { patterns }, answer: { patterns, holdBack: 4096 } } });
      await make({ name: 'k', guardrails: { answer: { holdBack: 64 } } });
    });

    it('rotate: the new key works at once, the previous one until the overlap ends', async () => {
      const { key: first, record } = await make({ name: 'rotated' });
      const rotated = await ask('POST', `/keys/${record.id}/rotate`, { overlapMinutes: 10 });
      const { key: second } = rotated.body;
      const until = rotated.body.record.previousWorksUntil;
      expect(Date.parse(until) - Date.now()).toBeGreaterThan(590_000);
      expect(Date.parse(until) - Date.now()).toBeLessThan(610_000);
      expect(await callerOf(first)).toMatchObject({ principal: { keyId: record.id }, expiresAt: until });
      expect(await callerOf(second)).toEqual({ principal: { accountId: 'default', keyId: record.id }, limits: {} });

      const third = (await ask('POST', `/keys/${record.id}/rotate`, { overlapMinutes: 0 })).body.key;
      expect(await callerOf(first)).toBe(null);
      expect(await callerOf(second)).toBe(null);
      expect(await callerOf(third)).not.toBe(null);
    });

    it('can have a text that is already known, which no other key has had', async () => {
      const [first, second] = [makeKey(), makeKey()];
      const { key, record } = await make({ name: 'known', key: first });
      expect(key).toBe(first);
      expect(await callerOf(first)).toMatchObject({ principal: { keyId: record.id } });
      const rotated = await ask('POST', `/keys/${record.id}/rotate`, { key: second });
      expect(rotated).toMatchObject({ status: 200, body: { key: second } });
      expect(await callerOf(second)).toMatchObject({ principal: { keyId: record.id } });
      for (const taken of [first, second]) {
        const refused = { status: 409, body: { error: { code: 'conflict', param: 'key' } } };
        expect(await ask('POST', '/keys', { name: 'again', key: taken })).toMatchObject(refused);
        expect(await ask('POST', `/keys/${record.id}/rotate`, { key: taken })).toMatchObject(refused);
      }
      const misspelt = `${first.slice(0, -1)}${first.endsWith('0') ? '1' : '0'}`;
      for (const text of [misspelt, 'x'.repeat(44), '', 7]) {
        expect(await ask('POST', '/keys', { name: 'again', key: text })).toMatchObject({
          status: 400,
          body: { error: { param: 'key' } },
        });
      }
    });

    it('are revoked with their previous versions, on all replicas, for good', async () => {
      const { key: first, record } = await make({ name: 'ended' });
      const second = (await ask('POST', `/keys/${record.id}/rotate`, {})).body.key;
      management.notices.keys.length = 0;
      const ended = await ask('DELETE', `/keys/${record.id}`);
      expect(ended).toMatchObject({ status: 200, body: { id: record.id, revokedAt: expect.any(String) } });
      expect([await callerOf(first), await callerOf(second)]).toEqual([null, null]);
      await expect.poll(() => management.notices.keys).toEqual([hashKey(second), hashKey(first)]);
      expect((await ask('DELETE', `/keys/${record.id}`)).body).toEqual(ended.body);
      for (const [method, path] of [
        ['PATCH', ''],
        ['POST', '/rotate'],
      ] as const)
        expect((await ask(method, `/keys/${record.id}${path}`, {})).status).toBe(404);
    });

    it('are listed page by page, by search and by state', async () => {
      const { account } = (await ask('POST', '/accounts', { name: 'Paged' })).body;
      const inAccount = { key: admin.key, account: account.id };
      const made: { key: string; record: { id: string } }[] = [];
      for (const name of ['one', 'two', '100%', 'a_b', 'axb'])
        made.push((await management.ask('POST', '/keys', { ...inAccount, body: { name } })).body);
      await management.ask('DELETE', `/keys/${made[1]?.record.id}`, inAccount);
      const page = async (query: string) => {
        const { body } = await management.ask('GET', `/keys${query}`, inAccount);
        return { names: body.keys.map(({ name }: { name: string }) => name), next: body.nextCursor };
      };
      expect((await page('')).names).toEqual(['one', 'two', '100%', 'a_b', 'axb']);
      const first = await page('?order=newest&limit=2');
      expect(first.names).toEqual(['axb', 'a_b']);
      const second = await page(`?order=newest&limit=2&cursor=${first.next}`);
      expect(second.names).toEqual(['100%', 'two']);
      expect(await page(`?order=newest&limit=2&cursor=${second.next}`)).toEqual({ names: ['one'] });
      expect((await page(`?limit=3&cursor=${made[0]?.record.id}`)).names).toEqual(['two', '100%', 'a_b']);
      expect((await page('?state=working&limit=4')).names).toEqual(['one', '100%', 'a_b', 'axb']);
      expect(await page('?state=working&limit=4')).toEqual({ names: ['one', '100%', 'a_b', 'axb'] });
      expect((await page('?state=revoked')).names).toEqual(['two']);
      expect((await page('?search=O')).names).toEqual(['one', 'two']);
      expect((await page('?search=a_')).names).toEqual(['a_b']);
      expect((await page('?search=%25')).names).toEqual(['100%']);
      expect((await page(`?search=${made[4]?.key.slice(0, 12)}`)).names).toEqual(['axb']);
      expect((await page(`?cursor=${admin.record.id}`)).names).toEqual([]);
      // Of other accounts, none are listed by their ids either.
      const ids = [made[3], made[1], admin].map((each) => each?.record.id).join(',');
      expect(await page(`?ids=${ids}`)).toEqual({ names: ['two', 'a_b'] });
      expect(await page(`?ids=${ids}&state=working`)).toEqual({ names: ['a_b'] });
      const idsOf = (count: number) => `ids=${Array.from({ length: count }, (_, at) => `key_${at}`).join(',')}`;
      expect((await page(`?${idsOf(100)}`)).names).toEqual([]);
      for (const wrong of ['limit=0', 'limit=1001', 'order=name', 'state=x', 'search=', 'ids=', idsOf(101)])
        expect((await management.ask('GET', `/keys?${wrong}`, inAccount)).status).toBe(400);
    });

    it('are limited to 1,000 active ones per account', async () => {
      const { account } = (await ask('POST', '/accounts', { name: 'Many' })).body;
      const { kysely } = management.database;
      await sql`insert into api_keys (id, account_id, name, prefix, key_hash)
        select 'many_' || i, ${account.id}, 'k', 'p', lpad(i::text, 64, '0') from generate_series(1, 999) i`.execute(
        kysely,
      );
      const create = () =>
        management.ask('POST', '/keys', { key: admin.key, account: account.id, body: { name: 'k' } });
      const both = await Promise.all([create(), create()]);
      expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
      const options = { key: admin.key, account: account.id };
      expect((await management.ask('DELETE', '/keys/many_1', options)).status).toBe(200);
      expect((await create()).status).toBe(201);
    });

    it.each([2_000, 2_001])('are listed up to 2,000 at once: %s', async (count) => {
      const { account } = (await ask('POST', '/accounts', { name: `Listed ${count}` })).body;
      const { kysely } = management.database;
      await sql`insert into api_keys (id, account_id, name, prefix, key_hash, revoked_at)
        select ${account.id}::text || i, ${account.id}, 'k', 'p', encode(sha256((${account.id}::text || i)::bytea), 'hex'), now()
        from generate_series(1, ${sql.lit(count)}) i`.execute(kysely);
      const options = { key: admin.key, account: account.id };
      const { keys, nextCursor } = (await management.ask('GET', '/keys', options)).body;
      expect([keys.length, nextCursor !== undefined]).toEqual([2_000, count > 2_000]);
    });

    it('of the bootstrap setting cannot be rotated', async () => {
      expect(await ask('POST', '/keys/bootstrap/rotate', {})).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringContaining('BOOTSTRAP_API_KEY') } },
      });
    });

    it('can only manage from their allowed addresses', async () => {
      const { key } = await management.makeKey({ admin: true, allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'] });
      const statusFrom = async (from: string) => (await management.ask('GET', '/keys', { key, from })).status;
      expect(await statusFrom('203.0.113.255')).toBe(200);
      expect(await statusFrom('203.0.114.0')).toBe(403);
      expect(await statusFrom('::ffff:203.0.113.1')).toBe(200);
      expect(await statusFrom('2001:db8:ffff::1')).toBe(200);
      expect(await statusFrom('2001:db9::1')).toBe(403);
    });

    it('that are not admin keys cannot manage anything', async () => {
      const { key } = await make({ name: 'plain' });
      expect(await management.ask('GET', '/keys', { key })).toMatchObject({
        status: 403,
        body: { error: { code: 'permission_denied', message: expect.stringContaining('--admin') } },
      });
    });

    it('of other accounts are not visible', async () => {
      const { account } = (await ask('POST', '/accounts', { name: 'Other' })).body;
      const other = await management.makeKey({ accountId: account.id, admin: true });
      const { record } = await make({ name: 'ours' });
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/rotate'],
      ] as const) {
        const body = method === 'PATCH' || method === 'POST' ? { body: {} } : {};
        const answer = await management.ask(method, `/keys/${record.id}${path}`, { key: other.key, ...body });
        expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
      }
      const { keys } = (await management.ask('GET', '/keys', { key: other.key })).body;
      expect(keys.map(({ id }: { id: string }) => id)).toEqual([other.record.id]);
      expect((await management.ask('GET', '/accounts', { key: other.key })).status).toBe(403);
      expect((await management.ask('GET', '/keys', { key: other.key, account: 'default' })).status).toBe(404);
      const operated = await management.ask('GET', '/keys', { key: admin.key, account: account.id });
      expect(operated.body).toEqual({ keys });
    });

    it('of a suspended account stop working until it is resumed', async () => {
      const { account } = (await ask('POST', '/accounts', { name: 'Late payer' })).body;
      const { key } = await management.makeKey({ accountId: account.id, admin: true });
      management.notices.accounts.length = 0;
      const suspended = await ask('PATCH', `/accounts/${account.id}`, { suspended: true });
      expect(suspended.body).toEqual({ ...account, suspendedAt: expect.any(String) });
      expect(await callerOf(key)).toBe(null);
      expect((await management.ask('GET', '/account', { key })).status).toBe(401);
      await expect.poll(() => management.notices.accounts).toEqual([account.id]);
      await ask('PATCH', `/accounts/${account.id}`, { suspended: false });
      expect(await callerOf(key)).not.toBe(null);
      expect((await ask('PATCH', '/accounts/default', { suspended: true })).status).toBe(409);
    });

    it('of an account carry the tags that operators give to it', async () => {
      const { account } = (await ask('POST', '/accounts', { name: 'Tagged' })).body;
      const { key } = await management.makeKey({ accountId: account.id });
      management.notices.accounts.length = 0;
      const most = Array.from({ length: 16 }, (_, at) => `tag-${at}`);
      const tag = async (tags: unknown) => ask('PATCH', `/accounts/${account.id}`, { tags });
      expect((await tag(most)).body).toEqual({ ...account, tags: most });
      expect((await callerOf(key))?.principal.accountTags).toEqual(most);
      await expect.poll(() => management.notices.accounts).toEqual([account.id]);
      for (const wrong of [[...most, 'more'], ['a', 'a'], [''], ['a b'], ['x'.repeat(65)], [], 'a']) {
        const { status, body } = await tag(wrong);
        expect([wrong, status, body.error.param]).toEqual([wrong, 400, expect.stringMatching(/^tags/)]);
      }
      expect((await tag(null)).body).toEqual(account);
      expect((await callerOf(key))?.principal).not.toHaveProperty('accountTags');
    });

    it('of an account carry its weights of the score', async () => {
      const { account } = (await ask('POST', '/accounts', { name: 'Weighing' })).body;
      const { key } = await management.makeKey({ accountId: account.id });
      management.notices.accounts.length = 0;
      const weigh = async (scoreWeights: unknown) => ask('PATCH', `/accounts/${account.id}`, { scoreWeights });
      const bounds = { uptime: 0, throughput: 0.000001, price: 1_000, latency: 2 };
      expect((await weigh(bounds)).body).toEqual({ ...account, scoreWeights: bounds });
      expect((await callerOf(key))?.principal.scoreWeights).toEqual(bounds);
      await expect.poll(() => management.notices.accounts).toEqual([account.id]);
      const { uptime: _left, ...three } = bounds;
      const none = { uptime: 0, throughput: 0, price: 0, latency: 0 };
      const wrongs = [none, three, 1, { ...bounds, speed: 1 }].map((wrong) => [wrong, /^scoreWeights/] as const);
      const wrongPrices = [1_000.000001, -0.1, '1', null].map(
        (price) => [{ ...bounds, price }, /^scoreWeights\.price$/] as const,
      );
      for (const [wrong, param] of [...wrongs, ...wrongPrices]) {
        const { status, body } = await weigh(wrong);
        expect([wrong, status, body.error.param]).toEqual([wrong, 400, expect.stringMatching(param)]);
      }
      expect((await callerOf(key))?.principal.scoreWeights).toEqual(bounds);
      expect((await callerOf((await management.makeKey()).key))?.principal).not.toHaveProperty('scoreWeights');
      expect((await weigh(null)).body).toEqual(account);
      expect((await callerOf(key))?.principal).not.toHaveProperty('scoreWeights');
    });

    it('are recorded in the audit log, without their text', async () => {
      const { key, record } = await make({ name: 'watched' });
      const { key: second } = (await ask('POST', `/keys/${record.id}/rotate`, {})).body;
      await ask('PATCH', `/keys/${record.id}`, { cacheTtlSeconds: 10 });
      await ask('DELETE', `/keys/${record.id}`);
      const page = (await ask('GET', '/audit?limit=4')).body;
      const by = {
        id: expect.any(String),
        at: expect.any(String),
        actor: `key:${admin.record.id}`,
        subject: record.id,
      };
      expect(page).toEqual({
        entries: [
          { ...by, action: 'key.revoked' },
          { ...by, action: 'key.changed', detail: { cacheTtlSeconds: 10 } },
          { ...by, action: 'key.rotated', detail: { overlapMinutes: 60 } },
          { ...by, action: 'key.created', detail: { name: 'watched' } },
        ],
        names: { [admin.record.id]: expect.any(String), [record.id]: 'watched' },
        nextCursor: page.entries[3].id,
      });
      const before = (await ask('GET', `/audit?limit=200&cursor=${page.nextCursor}`)).body;
      expect(before.entries[0].id).not.toBe(page.entries[3].id);
      expect(before).not.toHaveProperty('nextCursor');
      const rows = JSON.stringify(await management.database.kysely.selectFrom('audit_log').selectAll().execute());
      for (const secret of [key, second, hashKey(key)]) expect(rows).not.toContain(secret.slice(-20));
    });
  });
}
