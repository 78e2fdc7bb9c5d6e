import type { UsageRecord } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usageRecord } from '../../../../../ledger-svc/src/usage/testing/usage-record.ts';
import type { OpenedManagement } from './open-management.ts';
import { signUp } from './person.ts';
import { readUptimes } from '../../../../../ledger-svc/src/provider-history/read-uptimes.ts';

const hourMs = 3_600_000;
/** Whole hours of yesterday, by the clock of the database, which the history starts from. */
const hoursAgo = (hours: number): string =>
  new Date(Math.floor(Date.now() / (24 * hourMs)) * 24 * hourMs - hours * hourMs).toISOString();

const call = (provider: string, error = 'none', changes = {}) => ({
  provider,
  status: error === 'none' ? 200 : 503,
  error,
  ms: 100,
  ...changes,
});

const times = (count: number, changes: Partial<UsageRecord>): UsageRecord[] =>
  Array.from({ length: count }, () => usageRecord({ accountId: 'default', ...changes }));

export function describeProviderHistory(open: () => Promise<OpenedManagement>): void {
  describe('the history of providers', () => {
    let management: OpenedManagement;
    let key: string;
    const [at, next, day] = [hoursAgo(6), hoursAgo(5), hoursAgo(6).slice(0, 10)];
    beforeAll(async () => {
      management = await open();
      key = (await management.makeKey({ admin: true })).key;
      await management.ledger.write([
        ...times(10, { at, attempts: [call('alpha')] }),
        ...times(10, { at, provider: 'beta', attempts: [call('alpha', 'provider_overloaded'), call('beta')] }),
        // The other account's calls count as well: the history is that of the installation.
        ...times(5, { at: next, accountId: 'another', attempts: [call('alpha')] }),
      ]);
      await management.ledger.write([
        ...times(5, {
          at: next,
          provider: undefined,
          endReason: 'error',
          attempts: [call('alpha', 'provider_timeout')],
        }),
        // Faults of the caller, of an own key, or of a client that left say nothing about the provider.
        ...times(20, {
          at: next,
          provider: undefined,
          endReason: 'error',
          attempts: [
            call('alpha', 'own_key_refused'),
            call('alpha', 'caller_invalid_request'),
            call('beta', 'caller_cancelled'),
          ],
        }),
        ...times(4, { at: next, model: 'other', attempts: [call('alpha', 'none', { ms: 3_000 })] }),
      ]);
    });
    afterAll(() => management.close());

    const ask = async (query = '') => (await management.ask('GET', `/providers/history${query}`, { key })).body;

    it('has the uptime, rescues and latency of each day', async () => {
      const { days } = await ask();
      expect(days).toEqual([
        {
          day, provider: 'alpha', attempts: 34, uptime: 0.5588, rescued: 0.2941,
          p50Ms: expect.closeTo(100, -1), p95Ms: expect.any(Number),
        },
        { day, provider: 'beta', attempts: 10, uptime: 1, rescued: 0, p50Ms: expect.closeTo(100, -1), p95Ms: expect.any(Number) },
      ]); // prettier-ignore
      expect(days[0].p95Ms).toBeGreaterThan(2_400);
    });

    it('has the incidents: consecutive hours in which calls failed', async () => {
      expect((await ask()).incidents).toEqual([{ provider: 'alpha', from: at, to: hoursAgo(4), uptime: 0.5588 }]);
    });

    it('has each offer by itself, and only those of a provider or model', async () => {
      const names = async (query: string) =>
        (await ask(query)).days.map(({ provider, model }: Record<string, string>) => `${provider}/${model}`);
      expect(await names('?by=offer')).toEqual(['alpha/model', 'alpha/other', 'beta/model']);
      expect(await names('?by=offer&provider=beta')).toEqual(['beta/model']);
      expect(await names('?by=offer&model=other')).toEqual(['alpha/other']);
      expect(await names('?by=offer&provider=gamma')).toEqual([]);
      expect((await ask('?by=offer')).incidents).toMatchObject([{ provider: 'alpha', model: 'model' }]);
    });

    it.each([
      ['', ['alpha', 'beta']],
      ['&by=offer', ['alpha/model', 'alpha/other', 'beta/model']],
    ])('has as many providers or offers as wanted%s, and a cursor to the next', async (by, all) => {
      const page = async (query: string) => {
        const { days, incidents, nextCursor } = await ask(`?${query}${by}`);
        const nameOf = ({ provider, model }: Record<string, string>) => (model ? `${provider}/${model}` : provider);
        return { names: days.map(nameOf), incidents: incidents.map(nameOf), nextCursor };
      };
      const ill = by === '' ? 'alpha' : 'alpha/model';
      expect(await page(`limit=${all.length}`)).toEqual({ names: all, incidents: [ill] });
      for (const [at, name] of all.entries())
        expect(await page(`limit=1${at === 0 ? '' : `&cursor=${all[at - 1]}`}`)).toEqual({
          names: [name],
          incidents: name === ill ? [ill] : [],
          nextCursor: name === all.at(-1) ? undefined : name,
        });
      expect(await page(`cursor=${all.at(-1)}`)).toEqual({ names: [], incidents: [] });
    });

    it('has no numbers of calls for members, who would see those of other accounts', async () => {
      const options = { key, body: { name: 'Acme', ownerEmail: 'history@acme.test' } };
      const owner = await signUp(management, (await management.ask('POST', '/accounts', options)).body.invitation);
      const { status, body } = await owner.ask('GET', '/providers/history');
      expect(status).toBe(200);
      expect(body.days).toHaveLength(2);
      expect(body.days[0]).not.toHaveProperty('attempts');
    });

    it('is kept for ninety days', async () => {
      const old = new Date(Date.now() - 92 * 24 * hourMs).toISOString();
      await management.ledger.write(times(1, { at: old, attempts: [call('ancient')] }));
      const hours = async () => {
        const { rows } = await sql`select 1 from offer_hours where provider = 'ancient'
          union all select 1 from offer_latencies where provider = 'ancient'`.execute(management.database.kysely);
        return rows.length;
      };
      expect(await hours()).toBe(2);
      await management.ledger.start();
      management.ledger.stop();
      expect(await hours()).toBe(0);
      expect((await ask('?by=offer')).days).toHaveLength(3);
    });

    it('for the status page has neither numbers of calls, nor calls with keys of accounts, nor days with few calls', async () => {
      const failing = call('gamma', 'provider_timeout');
      const own = { ownKey: true } as const;
      await management.ledger.write([
        ...times(9, { at, attempts: [call('gamma')] }),
        ...times(1, { at, provider: undefined, endReason: 'error', attempts: [failing] }),
        ...times(50, { at, provider: undefined, endReason: 'error', attempts: [{ ...failing, ...own }] }),
        ...times(9, { at: next, attempts: [call('delta')] }),
        ...times(20, { at: next, attempts: [call('epsilon', 'none', own)] }),
      ]);
      expect(await readUptimes(management.database, { days: 90, incidentDays: 14 })).toEqual({
        providers: [
          { provider: 'alpha', days: [{ day, uptime: 0.5588 }] },
          { provider: 'beta', days: [{ day, uptime: 1 }] },
          { provider: 'delta', days: [{ day }] },
          { provider: 'gamma', days: [{ day, uptime: 0.9 }] },
        ],
        // One failed call of gamma is no incident.
        incidents: [{ provider: 'alpha', from: at, to: hoursAgo(4), uptime: 0.5588 }],
      });
    });

    it('for the status page has incidents of fewer days than uptimes', async () => {
      const { providers, incidents } = await readUptimes(management.database, { days: 90, incidentDays: 1 });
      expect([providers.length, incidents]).toEqual([4, []]);
    });

    it.each(['days=0', 'days=91', 'by=model', 'colour=red', 'limit=0', 'limit=201', 'cursor=/a'])(
      'is refused for %s',
      async (query) => {
        expect((await ask(`?${query}`)).error).toMatchObject({ code: 'invalid_parameters' });
      },
    );

    it('has incidents of the newest thousand hours with faults', async () => {
      const { kysely } = management.database;
      const fault = (count: number, last: number) =>
        sql`
        insert into offer_hours (at, provider, model, attempts, failed, rescued)
        select ${at}::timestamptz - n * interval '2 hours', 'omega', 'model', 10, 10, 0
        from generate_series(${sql.lit(last - count + 1)}, ${sql.lit(last)}) as n`.execute(kysely);
      const incidents = async () => {
        const { incidents: found } = await ask('?provider=omega');
        return [found.length, found[0].from, found.at(-1).from];
      };
      const hour = (n: number) => new Date(Date.parse(at) - n * 2 * hourMs).toISOString();
      await fault(1_000, 1_000);
      expect(await incidents()).toEqual([1_000, hour(1), hour(1_000)]);
      await fault(1, 1_001);
      expect(await incidents()).toEqual([1_000, hour(1), hour(1_000)]);
    });

    it('requires an authenticated caller', async () => {
      expect((await management.ask('GET', '/providers/history')).status).toBe(401);
    });
  });
}
