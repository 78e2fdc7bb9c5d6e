import type { UsageRecord } from '@tallyport/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usageRecord } from '../../../../../ledger-svc/src/usage/testing/usage-record.ts';
import { afterTurnOf, hourMs } from '../../../../../../tests/support/turn-of.ts';
import type { OpenedManagement } from './open-management.ts';
import { signUp } from './person.ts';

const of = (changes: Partial<UsageRecord>): UsageRecord => usageRecord({ accountId: 'default', ...changes });

/** Three hours of two days, two models and two providers. */
const records = (): UsageRecord[] => [
  of({ at: '2026-11-20T10:05:00.000Z', model: 'small', durationMs: 100, cost: '1' }),
  of({ at: '2026-11-20T10:55:00.000Z', model: 'large', provider: 'beta', durationMs: 800, cost: '2' }),
  of({ at: '2026-11-20T11:00:00.000Z', model: 'small', durationMs: 100, cost: '4', stream: true, firstByteMs: 50 }),
  of({ at: '2026-11-21T10:00:00.000Z', model: 'small', provider: 'beta', durationMs: 100, cost: '8' }),
  of({ at: '2026-11-21T10:00:00.000Z', model: 'small', endReason: 'error', error: 'upstream_timeout', cost: '0' }),
  of({ at: '2026-11-21T10:00:00.000Z', model: 'small', endReason: 'error', error: 'upstream_timeout', cost: '0' }),
  of({ at: '2026-11-21T10:00:00.000Z', model: 'large', endReason: 'client_gone', error: 'client_closed_request' }),
  of({ at: '2026-11-21T10:00:00.000Z', model: 'small', cached: true, durationMs: 1, cost: '0', provider: undefined }),
  usageRecord({ accountId: 'another', at: '2026-11-20T10:05:00.000Z', error: 'upstream_timeout' }),
];

const period = 'from=2026-11-20&to=2026-11-21';

export function describeAnalytics(open: () => Promise<OpenedManagement>): void {
  describe('analytics', () => {
    let management: OpenedManagement;
    let key: string;
    beforeAll(async () => {
      management = await open();
      key = (await management.makeKey({ admin: true })).key;
      // In two batches, so that sums, histograms and counts are added to.
      await management.ledger.write(records().slice(0, 3));
      await management.ledger.write(records().slice(3));
    });
    afterAll(() => management.close());

    const ask = (path: string) => management.ask('GET', `/usage/${path}`, { key });
    const points = async (query: string) => {
      const { body } = await ask(`series?${period}&${query}`);
      return body.points.map(({ at, model, provider, requests, cost }: Record<string, string>) =>
        [at, model, provider, requests, cost].filter((each) => each !== undefined),
      );
    };

    it('are usage by hour', async () => {
      expect(await points('interval=hour')).toEqual([
        ['2026-11-20T10:00:00Z', 2, '3'],
        ['2026-11-20T11:00:00Z', 1, '4'],
        ['2026-11-21T10:00:00Z', 5, '8.001'],
      ]);
    });

    it('are usage by day and two dimensions', async () => {
      expect(await points('by=model&then_by=provider')).toEqual([
        ['2026-11-20T00:00:00Z', 'large', 'beta', 1, '2'],
        ['2026-11-20T00:00:00Z', 'small', 'alpha', 2, '5'],
        ['2026-11-21T00:00:00Z', 'large', 'alpha', 1, '0.001'],
        ['2026-11-21T00:00:00Z', 'small', '', 1, '0'],
        ['2026-11-21T00:00:00Z', 'small', 'alpha', 2, '0'],
        ['2026-11-21T00:00:00Z', 'small', 'beta', 1, '8'],
      ]);
      expect(await points('by=model&model=large')).toEqual([
        ['2026-11-20T00:00:00Z', 'large', 1, '2'],
        ['2026-11-21T00:00:00Z', 'large', 1, '0.001'],
      ]);
    });

    it('name only the groups of the highest cost, and add up the others', async () => {
      const asked = await ask(`series?${period}&by=model&top=1`);
      expect(asked.body.points.map(({ at, model, cost }: Record<string, string>) => [at, model, cost])).toEqual([
        ['2026-11-20T00:00:00Z', 'small', '5'],
        ['2026-11-20T00:00:00Z', undefined, '2'],
        ['2026-11-21T00:00:00Z', 'small', '8'],
        ['2026-11-21T00:00:00Z', undefined, '0.001'],
      ]);
      expect((await points('by=model&top=2')).length).toBe(4);
    });

    it('are the same over whole weeks as over their days', async () => {
      const wide = 'from=2026-11-12&to=2026-11-23';
      const { body } = await ask(`series?${wide}&interval=period&by=model`);
      expect(
        body.points.map(({ at, model, requests, cost }: Record<string, string>) => [at, model, requests, cost]),
      ).toEqual([
        ['2026-11-12T00:00:00Z', 'large', 2, '2.001'],
        ['2026-11-12T00:00:00Z', 'small', 6, '13'],
      ]);
      const others = await ask(`series?${wide}&interval=period&by=model&top=1`);
      expect(others.body.points.map(({ model, requests }: Record<string, string>) => [model, requests])).toEqual([
        ['small', 6],
        [undefined, 2],
      ]);
      for (const query of ['by=provider', 'by=model&provider=alpha', 'by=key', 'by=project'])
        expect((await ask(`latency?${wide}&${query}`)).body).toEqual((await ask(`latency?${period}&${query}`)).body);
    });

    it('are those of the last hours, with the current one', async () => {
      await afterTurnOf(hourMs);
      const hour = (ago: number) => new Date(Math.floor(Date.now() / 3_600_000 - ago) * 3_600_000).toISOString();
      await management.ledger.write(
        [0, 1, 2].map((ago) => of({ keyId: 'of_hours', at: hour(ago), error: 'upstream_error' })),
      );
      const asked = await ask('series?hours=2&interval=hour&key=of_hours');
      expect(asked.body.points.map(({ at }: { at: string }) => at)).toEqual(
        [1, 0].map((ago) => hour(ago).replace('.000Z', 'Z')),
      );
      const { body } = await ask('errors?hours=2&by=hour&key=of_hours');
      expect(body.errors.map(({ group, requests }: Record<string, string>) => [group, requests])).toEqual(
        [1, 0].map((ago) => [hour(ago).replace('.000Z', 'Z'), 1]),
      );
    });

    it('are those between two full hours', async () => {
      const hours = 'from=2026-11-20T10:00:00Z&to=2026-11-20T11:00:00Z';
      const asked = await ask(`series?${hours}&interval=period&by=model`);
      expect(asked.body.points.map(({ model, cost }: Record<string, string>) => [model, cost])).toEqual([
        ['large', '2'],
        ['small', '1'],
      ]);
      expect((await ask(`latency?${hours}&by=hour`)).body.total).toMatchObject({ durationMs: { count: 2 } });
      expect((await ask('errors?from=2026-11-21T10:00:00Z&to=2026-11-21T11:00:00.000Z')).body.errors.length).toBe(2);
      expect((await ask('errors?from=2026-11-21T09:00:00Z&to=2026-11-21T10:00:00Z')).body.errors).toEqual([]);
    });

    it('are those of named groups', async () => {
      expect(await points('by=model&interval=period&only=large,none')).toEqual([
        ['2026-11-20T00:00:00Z', 'large', 2, '2.001'],
      ]);
      const { body } = await ask(`latency?${period}&by=model&only=large&top=1`);
      expect(body.groups).toMatchObject([{ group: 'large', durationMs: { count: 1 } }]);
      expect(body.total).toMatchObject({ durationMs: { count: 4 } });
    });

    it('are the latency of each group by day and by hour', async () => {
      const timesOf = async (query: string) => {
        const { body } = await ask(`latency?${period}&by=model&${query}`);
        return body.groups.map((each: { group: string; at: string; durationMs: { count: number } }) => [
          each.group,
          each.at,
          each.durationMs.count,
        ]);
      };
      expect(await timesOf('interval=day')).toEqual([
        ['large', '2026-11-20', 1],
        ['small', '2026-11-20', 2],
        ['small', '2026-11-21', 1],
      ]);
      expect(await timesOf('interval=hour&only=small')).toEqual([
        ['small', '2026-11-20T10:00:00Z', 1],
        ['small', '2026-11-20T11:00:00Z', 1],
        ['small', '2026-11-21T10:00:00Z', 1],
      ]);
    });

    it('count failures without callers that left', async () => {
      const { body } = await ask(`series?${period}`);
      expect(body.points[1]).toMatchObject({ requests: 5, failed: 2, abandoned: 1, cached: 1 });
    });

    it('are the latency of requests that a provider answered, and the speed of streams', async () => {
      const { body } = await ask(`latency?${period}&by=provider`);
      expect(body.groups.map(({ group }: { group: string }) => group)).toEqual(['alpha', 'beta']);
      const [alpha, beta] = body.groups;
      expect(alpha).toMatchObject({
        durationMs: { count: 2 },
        firstByteMs: { count: 1 },
        tokensPerSecond: { count: 1 },
      });
      expect(beta).toMatchObject({ durationMs: { count: 2 } });
      const within = (value: number, exact: number) => expect(Math.abs(value / exact - 1)).toBeLessThan(0.2);
      within(alpha.durationMs.p50, 100);
      within(alpha.firstByteMs.p95, 50);
      // Three tokens in fifty milliseconds.
      within(alpha.tokensPerSecond.p50, 60);
      within(beta.durationMs.p95, 800);
      expect(beta).not.toHaveProperty('firstByteMs');
      expect(body.total).toMatchObject({ durationMs: { count: 4 }, firstByteMs: { count: 1 } });
    });

    it('are the latency of each day', async () => {
      const { body } = await ask(`latency?${period}&by=day`);
      expect(body.groups).toMatchObject([
        { group: '2026-11-20', durationMs: { count: 3 } },
        { group: '2026-11-21', durationMs: { count: 1 } },
      ]);
      expect(body.total).toEqual((await ask(`latency?${period}&by=model`)).body.total);
    });

    it('are errors by code', async () => {
      expect((await ask(`errors?${period}&by=model`)).body.errors).toEqual([
        { code: 'upstream_timeout', group: 'small', requests: 2 },
        { code: 'client_closed_request', group: 'large', requests: 1 },
      ]);
      expect((await ask(`errors?${period}&by=day`)).body.errors).toEqual([
        { code: 'upstream_timeout', group: '2026-11-21', requests: 2 },
        { code: 'client_closed_request', group: '2026-11-21', requests: 1 },
      ]);
    });

    it('are counted once for a record that arrives twice', async () => {
      const record = of({ at: '2026-10-25T10:00:00.000Z', error: 'upstream_error', endReason: 'error' });
      await management.ledger.write([record]);
      await management.ledger.write([record]);
      const { body } = await ask('errors?from=2026-10-25&to=2026-10-25');
      expect(body.errors).toEqual([{ code: 'upstream_error', group: 'model', requests: 1 }]);
    });

    it('have for members only the requests of their keys', async () => {
      const options = { key, body: { name: 'Acme', ownerEmail: 'analytics@acme.test' } };
      const made = await management.ask('POST', '/accounts', options);
      const owner = await signUp(management, made.body.invitation);
      const invited = await owner.ask('POST', '/invitations', { email: 'analytics-member@acme.test', role: 'member' });
      const member = await signUp(management, invited.body);
      const accountId = made.body.account.id;
      const mine = (await member.ask('POST', '/keys', { name: 'own' })).body.record.id;
      const failed = { accountId, error: 'upstream_error', endReason: 'error' };
      await management.ledger.write([of({ ...failed, keyId: mine }), of({ ...failed, keyId: 'another' })]);
      const requests = async (person: typeof owner) => {
        const { body } = await person.ask('GET', '/usage/errors?from=2026-11-21&to=2026-11-21');
        const series = await person.ask('GET', '/usage/series?from=2026-11-21&to=2026-11-21&by=key');
        return [body.errors[0].requests, series.body.points.length];
      };
      expect(await requests(owner)).toEqual([2, 2]);
      expect(await requests(member)).toEqual([1, 1]);
      const ofMember = async (person: typeof owner, id: string) => {
        const { body } = await person.ask('GET', `/usage/series?from=2026-11-21&to=2026-11-21&by=key&member=${id}`);
        return body.points.map(({ key: keyId }: { key: string }) => keyId);
      };
      const { members } = (await owner.ask('GET', '/members')).body;
      const idOf = (name: string) => members.find(({ email }: { email: string }) => email.startsWith(name)).userId;
      const [memberId, ownerId] = [idOf('analytics-member'), idOf('analytics@')];
      expect([await ofMember(owner, memberId), await ofMember(owner, ownerId)]).toEqual([[mine], []]);
      expect([await ofMember(member, memberId), await ofMember(member, ownerId)]).toEqual([[mine], []]);
      const requestsOf = async (person: typeof owner, id: string) => {
        const { body } = await person.ask('GET', `/requests?from=2026-11-01T00:00:00Z&member=${id}`);
        return body.requests.map(({ keyId }: { keyId: string }) => keyId);
      };
      expect([await requestsOf(owner, memberId), await requestsOf(owner, ownerId)]).toEqual([[mine], []]);
      expect([await requestsOf(member, memberId), await requestsOf(member, ownerId)]).toEqual([[mine], []]);
    });

    it.each([
      'series?by=colour',
      'series?interval=week',
      'series?hours=2',
      'series?by=model&top=0',
      'series?by=model&top=101',
      'series?hours=2&interval=hour&from=2026-11-20',
      'latency?from=yesterday',
      'latency?from=2026-11-20T10:00:00Z',
      'latency?from=2026-11-20&to=2026-11-20T10:00:00Z',
      'latency?from=2026-11-20T10:30:00Z&to=2026-11-20T11:00:00Z',
      'latency?from=2026-11-20T10:00:00Z&to=2026-11-20T10:00:00Z',
      'latency?from=2026-11-01T10:00:00Z&to=2026-11-20T10:00:00Z',
      'latency?from=2026-11-20T10:00:00Z&to=2026-11-20T11:00:00Z&interval=day',
      'series?from=2026-11-20T10:00:00Z&to=2026-11-20T11:00:00Z',
      'series?only=small',
      `series?by=model&only=${','.repeat(100)}`,
      'errors?by=week',
      'errors?hours=49',
    ])('are refused for %s', async (path) => {
      const { status, body } = await ask(path);
      expect([status, body.error.code]).toEqual([400, 'invalid_parameters']);
    });

    it('require an authenticated caller', async () => {
      for (const path of ['series', 'latency', 'errors'])
        expect((await management.ask('GET', `/usage/${path}`)).status).toBe(401);
    });
  });
}
