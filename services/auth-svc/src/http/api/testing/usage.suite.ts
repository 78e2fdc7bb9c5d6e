import { noSums } from '@tallyport/management/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokensOf, usageRecord } from '../../../../../ledger-svc/src/usage/testing/usage-record.ts';
import type { OpenedManagement } from './open-management.ts';

export function describeUsage(open: () => Promise<OpenedManagement>): void {
  describe('usage', () => {
    let management: OpenedManagement;
    let key: string;
    beforeAll(async () => {
      management = await open();
      const admin = await management.makeKey({ admin: true });
      key = admin.key;
      const of = { accountId: 'default', keyId: admin.record.id };
      await management.ledger.write([
        usageRecord({ ...of, at: '2026-11-20T23:59:59.999Z', model: 'small', cost: '0.25' }),
        usageRecord({ ...of, at: '2026-11-21T00:00:00.000Z', model: 'large', cost: '1.5', ownKey: true }),
        usageRecord({ ...of, at: '2026-11-22T00:00:00.000Z', model: 'large', cost: '4' }),
        usageRecord({ accountId: 'other', at: '2026-11-21T00:00:00.000Z' }),
      ]);
    });
    afterAll(() => management.close());

    const ask = (path: string) => management.ask('GET', path, { key });
    const one = { ...noSums, requests: 1, tokens: tokensOf({ input: 7, output: 3 }) };

    it('is reported by day, both days included, with a total', async () => {
      expect((await ask('/usage?from=2026-11-20&to=2026-11-21')).body).toEqual({
        from: '2026-11-20',
        to: '2026-11-21',
        groupBy: 'day',
        groups: [
          { group: '2026-11-20', ...one, cost: '0.25', ownKeyCost: '0' },
          { group: '2026-11-21', ...one, cost: '1.5', ownKeyCost: '1.5' },
        ],
        total: { ...one, requests: 2, tokens: tokensOf({ input: 14, output: 6 }), cost: '1.75', ownKeyCost: '1.5' },
      });
    });

    it('is reported by model, most expensive first', async () => {
      const { body } = await ask('/usage?from=2026-11-20&to=2026-11-22&group_by=model');
      expect(body.groups.map(({ group, cost }: { group: string; cost: string }) => [group, cost])).toEqual([
        ['large', '5.5'],
        ['small', '0.25'],
      ]);
    });

    it('is exported as CSV', async () => {
      const response = await fetch(`${management.address}/usage/export?from=2026-11-20&to=2026-11-20`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(response.headers.get('content-disposition')).toBe(
        'attachment; filename=usage-2026-11-20-to-2026-11-20.csv',
      );
      const lines = (await response.text()).trimEnd().split('\r\n');
      expect(lines.map((line) => line.split(',')[0])).toEqual(['at', '2026-11-20T23:59:59.999Z']);
    });

    it('of another account is exported by a link with the account', async () => {
      const { account } = (await management.ask('POST', '/accounts', { key, body: { name: 'Linked' } })).body;
      const lines = async (query: string) => {
        const address = `${management.address}/usage/export?from=2026-11-20&to=2026-11-20${query}`;
        const response = await fetch(address, { headers: { authorization: `Bearer ${key}` } });
        return [response.status, (await response.text()).trimEnd().split('\r\n').length];
      };
      expect(await lines('')).toEqual([200, 2]);
      expect(await lines(`&account=${account.id}`)).toEqual([200, 1]);
      expect((await lines('&account=unknown'))[0]).toBe(404);
      expect((await ask('/usage?account=default')).status).toBe(400);
    });

    it.each([
      ['?from=2026-11-22&to=2026-11-21', 'from'],
      ['?from=2025-10-16&to=2026-11-20', 'from'],
      ['?from=yesterday', 'from'],
      ['?group_by=colour', 'group_by'],
    ])('is refused for %s, naming %s, also for the export', async (query, param) => {
      expect((await ask(`/usage${query}`)).body.error).toMatchObject({ code: 'invalid_parameters', param });
      expect((await ask(`/usage/export${query}`)).status).toBe(400);
    });

    it('requires an authenticated caller', async () => {
      for (const path of ['/usage', '/usage/export']) expect((await management.ask('GET', path)).status).toBe(401);
    });
  });
}
