import { byName, countClasses, type UsageRecord } from '@tallyport/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokensOf, usageRecord } from '../../../../../ledger-svc/src/usage/testing/usage-record.ts';
import { keyIdOfClient } from '@tallyport/management';
import type { OpenedManagement } from './open-management.ts';
import { type Person, signUp } from './person.ts';

const period = 'from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z';

export function describeRequests(open: () => Promise<OpenedManagement>): void {
  describe('requests', () => {
    let management: OpenedManagement;
    let key: string;
    beforeAll(async () => {
      management = await open();
      key = (await management.makeKey({ admin: true })).key;
      await management.ledger.write([
        ...requests(),
        // They differ only in their ids.
        ...[1, 2, 3, 4, 5].map((at) => of({ id: `use_same_${at}`, keyId: 'same', at: '2026-11-10T00:00:00.000Z' })),
        of({ id: 'use_elsewhere', accountId: 'another' }),
      ]);
    });
    afterAll(() => management.close());

    const ask = (path: string) => management.ask('GET', path, { key });
    const idsOf = async (query: string): Promise<string[]> => {
      const { status, body } = await ask(`/requests?${period}&${query}`);
      expect([status, body]).toEqual([200, expect.objectContaining({ requests: expect.any(Array) })]);
      return body.requests.map(({ id }: { id: string }) => id);
    };

    it('are listed newest first, only those of the account', async () => {
      expect(await idsOf('')).toEqual([
        'use_served', 'use_failed_over', 'use_refused', 'use_left', 'use_cached',
        'use_same_5', 'use_same_4', 'use_same_3', 'use_same_2', 'use_same_1',
      ]); // prettier-ignore
    });

    it.each([
      ['key=same&limit=1', ['use_same_5']],
      ['key=unknown', []],
      ['model=large', ['use_failed_over']],
      ['provider=beta', ['use_failed_over']],
      ['provider=beta&model=small', []],
      ['operation=embeddings', ['use_left']],
      ['status=429', ['use_refused']],
      ['status=500', []],
      ['cached=true', ['use_cached']],
      ['error=any', ['use_refused', 'use_left']],
      ['error=rate_limit_exceeded', ['use_refused']],
      ['error=rate_limit_exceeded&status=402', []],
      ['cost_over=0.001', ['use_failed_over']],
      ['cost_over=0.0009&cached=false&limit=2', ['use_served', 'use_failed_over']],
      ['id=req_of_the_client', ['use_failed_over']],
      ['id=use_refused', ['use_refused']],
      ['id=use_elsewhere', []],
      ['from=2026-11-20T10:00:00Z&to=2026-11-20T11:00:00Z', ['use_failed_over']],
      ['from=2026-11-01T00:00:00Z&to=2026-11-10T00:00:00Z', []],
      ["model=' or true --", []],
      ['outcome=ok&limit=3', ['use_served', 'use_failed_over', 'use_cached']],
      ['outcome=failed', []],
      ['outcome=failed_over', ['use_failed_over']],
      ['outcome=rescued', ['use_failed_over']],
      ['outcome=refused', ['use_refused']],
      ['outcome=cached', ['use_cached']],
      ['outcome=client_left', ['use_left']],
      ['tried=beta', ['use_failed_over']],
      ['tried=alpha&provider=beta', ['use_failed_over']],
      ['failed_at=alpha', ['use_failed_over']],
      ['failed_at=beta', []],
      ['failed_at=alpha" %26%26 "', []],
      ['sort=cost&limit=1', ['use_failed_over']],
      ['sort=first_byte&key=key&limit=1', ['use_failed_over']],
    ])('are filtered by %s', async (query, ids) => {
      const { body } = await ask(`/requests?${query.includes('from=') ? query : `${period}&${query}`}`);
      expect(body.requests.map(({ id }: { id: string }) => id)).toEqual(ids);
    });

    it.each(['', 'key=same', 'cached=false'])('are listed page by page, each once: %s', async (query) => {
      const whole = await idsOf(`${query}&limit=200`);
      const seen: string[] = [];
      for (let cursor = ''; ;) {
        const { body } = await ask(`/requests?${period}&${query}&limit=2${cursor && `&cursor=${cursor}`}`);
        expect(body.requests.length).toBeLessThanOrEqual(2);
        seen.push(...body.requests.map(({ id }: { id: string }) => id));
        if (body.nextCursor === undefined) break;
        cursor = body.nextCursor;
      }
      expect(seen).toEqual(whole);
    });

    it('are returned with attempts, reasons, tokens and prices', async () => {
      expect((await ask('/requests/use_failed_over')).body).toEqual({
        id: 'use_failed_over',
        requestId: 'req_of_the_client',
        at: '2026-11-20T10:00:00.000Z',
        keyId: 'key',
        operation: 'chat',
        requestedModel: 'large',
        model: 'large',
        provider: 'beta',
        status: 200,
        endReason: 'done',
        outcomes: ['ok', 'failed_over', 'rescued'],
        cached: false,
        stream: true,
        ownKey: true,
        attemptCount: 2,
        tokens: tokensOf({ input: 1_200, output: 300 }),
        ...byName(countClasses, () => 0),
        cost: '0.0042',
        durationMs: 900,
        firstByteMs: 400,
        attempts: [
          {
            provider: 'alpha', status: 503, error: 'provider_overloaded', startMs: 1, durationMs: 20, key: 'service',
            lane: 'native', reason: 'score', score: 1.25,
          },
          {
            provider: 'beta', status: 200, error: 'none', startMs: 22, durationMs: 870, key: 'own', lane: 'translated',
            reason: 'score', score: 2,
          },
        ],
        costs: [
          { class: 'input', count: 1_200, price: '0.000001', cost: '0.0012' },
          { class: 'output', count: 300, price: '0.00001', cost: '0.003' },
        ],
        promptCacheSavings: '0',
        priceVersion: 'v1',
        source: 'reported',
        flags: [],
        guardrails: [],
        planMs: 0.5,
        cache: 'miss',
        tokenLimit: { perMinute: 10_000, left: 8_500 },
      }); // prettier-ignore
    });

    it('are returned with what is known if they were refused, cached or recorded by an older version', async () => {
      expect((await ask('/requests/use_refused')).body).toMatchObject({
        status: 429, error: 'rate_limit_exceeded', endReason: 'refused', attempts: [], costs: [], unrecorded: 12,
      }); // prettier-ignore
      expect((await ask('/requests/use_cached')).body).toMatchObject({
        cached: true,
        cache: 'hit',
        cost: '0',
        costs: [],
      });
      const { body } = await ask('/requests/use_served');
      expect(body.attempts).toEqual([
        { provider: 'alpha', status: 200, error: 'none', durationMs: 12.5, key: 'service', lane: 'translated' },
      ]);
      expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['status', 'planMs']));
    });

    it('are counted and added up with the filters of the list', async () => {
      const sums = async (query: string) => (await ask(`/requests/sums?${period}&${query}`)).body;
      expect(await sums('outcome=rescued')).toEqual({ requests: 1, tokens: 1_500, cost: '0.0042' });
      expect(await sums('model=unknown')).toEqual({ requests: 0, tokens: 0, cost: '0' });
      expect((await sums('')).requests).toBe((await idsOf('')).length);
      expect((await sums('sort=cost')).error).toMatchObject({ code: 'invalid_parameters' });
    });

    it('are exported as CSV with the filters of the list, in a file that names them', async () => {
      const fetched = (query: string) =>
        fetch(`${management.address}/requests/export?${query}`, { headers: { authorization: `Bearer ${key}` } });
      const response = await fetched(`${period}&tried=alpha`);
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(response.headers.get('content-disposition')).toBe(
        'attachment; filename=requests-alpha-2026-11-01-to-2026-11-30.csv',
      );
      const [head = '', ...rows] = (await response.text()).trimEnd().split('\r\n');
      const column = head.split(',').indexOf('id');
      expect(rows.map((row) => row.split(',')[column])).toEqual(await idsOf('tried=alpha'));
      expect((await fetched('status=many')).status).toBe(400);
    });

    it('are not found in another account, or at all', async () => {
      for (const id of ['use_elsewhere', 'use_unknown', 'req_of_the_client'])
        expect((await ask(`/requests/${id}`)).body.error).toMatchObject({ code: 'not_found' });
    });

    it.each([
      ['limit=0', 'limit'],
      ['limit=201', 'limit'],
      ['cursor=older', 'cursor'],
      ['from=yesterday', 'from'],
      ['status=99', 'status'],
      ['cached=maybe', 'cached'],
      ['cost_over=-1', 'cost_over'],
      ['operation=guess', 'operation'],
      ['outcome=lost', 'outcome'],
      ['sort=name', 'sort'],
      ['colour=red', null],
    ])('are refused for %s', async (query, param) => {
      const { status, body } = await ask(`/requests?${query}`);
      expect([status, body.error.code]).toEqual([400, 'invalid_parameters']);
      expect(body.error.param).toBe(param);
    });

    it('are visible to members only if a key of theirs sent them', async () => {
      const made = await management.ask('POST', '/accounts', {
        key,
        body: { name: 'Acme', ownerEmail: 'requests@acme.test' },
      });
      const owner = await signUp(management, made.body.invitation);
      const invited = await owner.ask('POST', '/invitations', { email: 'requests-member@acme.test', role: 'member' });
      const member = await signUp(management, invited.body);
      const accountId = made.body.account.id;
      const keyOf = async (person: Person): Promise<string> =>
        (await person.ask('POST', '/keys', { name: 'own' })).body.record.id;
      const [theirs, ours] = [await keyOf(member), await keyOf(owner)];
      await management.ledger.write([
        of({ id: 'use_theirs', accountId, keyId: theirs }),
        of({ id: 'use_ours', accountId, keyId: ours }),
      ]);
      const seenBy = async (person: Person, query = ''): Promise<string[]> =>
        (await person.ask('GET', `/requests?${period}${query}`)).body.requests.map(({ id }: { id: string }) => id);
      expect(await seenBy(owner)).toEqual(['use_theirs', 'use_ours']);
      expect(await seenBy(member)).toEqual(['use_theirs']);
      expect(await seenBy(member, `&key=${ours}`)).toEqual([]);
      expect(await seenBy(member, '&id=use_ours')).toEqual([]);
      expect(await seenBy(member, '&outcome=ok&sort=cost')).toEqual(['use_theirs']);
      const counted = async (person: Person) => (await person.ask('GET', `/requests/sums?${period}`)).body.requests;
      expect([await counted(owner), await counted(member)]).toEqual([2, 1]);
      expect((await member.ask('GET', '/requests/use_ours')).status).toBe(404);
      expect((await member.ask('GET', '/requests/use_theirs')).status).toBe(200);
    });

    it('are visible to members if an OAuth client sent them for the member', async () => {
      const body = { name: 'Apps', ownerEmail: 'requests@apps.test' };
      const made = await management.ask('POST', '/accounts', { key, body });
      const owner = await signUp(management, made.body.invitation);
      const invited = await owner.ask('POST', '/invitations', { email: 'requests-member@apps.test', role: 'member' });
      const member = await signUp(management, invited.body);
      const accountId = made.body.account.id;
      const at = new Date().toISOString();
      const forMember = keyIdOfClient('client_1', member.userId);
      const sent = [forMember, keyIdOfClient('client_1', owner.userId), keyIdOfClient('client_1')];
      await management.ledger.write(
        sent.map((keyId, index) => of({ id: `use_of_app_${index}`, at, accountId, keyId })),
      );
      const seenBy = async (person: Person, query = ''): Promise<number> =>
        (await person.ask('GET', `/requests?${query}`)).body.requests.length;
      expect([await seenBy(owner), await seenBy(member)]).toEqual([3, 1]);
      const ofKey = (id: string | undefined) => new URLSearchParams({ key: id ?? '' }).toString();
      expect([await seenBy(member, ofKey(sent[0])), await seenBy(member, ofKey(sent[1]))]).toEqual([1, 0]);
      const spent = async (person: Person) => (await person.ask('GET', '/usage')).body.total.cost;
      expect([await spent(owner), await spent(member)]).toEqual(['0.003', '0.001']);
    });

    it('require an authenticated caller', async () => {
      for (const path of ['/requests', '/requests/sums', '/requests/export', '/requests/use_served'])
        expect((await management.ask('GET', path)).status).toBe(401);
    });
  });
}

const of = (changes: Partial<UsageRecord>): UsageRecord => usageRecord({ accountId: 'default', ...changes });

const requests = (): UsageRecord[] => [
  of({ id: 'use_served', at: '2026-11-21T20:15:00.000Z' }),
  of({
    id: 'use_failed_over',
    requestId: 'req_of_the_client',
    at: '2026-11-20T10:00:00.000Z',
    requestedModel: 'large',
    model: 'large',
    provider: 'beta',
    stream: true,
    ownKey: true,
    tokens: tokensOf({ input: 1_200, output: 300 }),
    cost: '0.0042',
    costs: { input: '0.0012', output: '0.003' },
    durationMs: 900,
    firstByteMs: 400,
    status: 200,
    attempts: [
      { provider: 'alpha', status: 503, error: 'provider_overloaded', ms: 20, startMs: 1, reason: 'score', score: 1.25, native: true }, // prettier-ignore
      { provider: 'beta', status: 200, error: 'none', ms: 870, ownKey: true, startMs: 22, reason: 'score', score: 2 },
    ],
    details: { planMs: 0.5, cache: 'miss', tokenLimit: 10_000, tokensLeft: 8_500 },
  }),
  of({
    id: 'use_refused',
    at: '2026-11-19T10:00:00.000Z',
    provider: undefined,
    attempts: [],
    tokens: tokensOf(),
    cost: '0',
    costs: {},
    endReason: 'refused',
    status: 429,
    error: 'rate_limit_exceeded',
    details: { unrecorded: 12 },
  }),
  of({
    id: 'use_left',
    at: '2026-11-18T10:00:00.000Z',
    operation: 'embeddings',
    endReason: 'client_gone',
    status: 499,
    error: 'client_closed_request',
  }),
  of({
    id: 'use_cached',
    at: '2026-11-17T10:00:00.000Z',
    cached: true,
    provider: undefined,
    attempts: [],
    cost: '0',
    costs: {},
    details: { planMs: 0.3, cache: 'hit' },
  }),
];
