import { hashKey, makeKey } from '@tallyport/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenedManagement } from './open-management.ts';
import { type Person, signUp } from './person.ts';

const refused = { status: 403, body: { error: { code: 'permission_denied' } } };

export function describeAdminKeys(open: () => Promise<OpenedManagement>): void {
  describe('admin keys', () => {
    let management: OpenedManagement;
    let operator: { key: string; record: { id: string } };
    beforeAll(async () => {
      management = await open();
      operator = await management.makeKey({ admin: true });
    });
    afterAll(() => management.close());

    const join = async (email: string, role: string, account: string): Promise<Person> => {
      const options = { key: operator.key, account, body: { email, role } };
      return signUp(management, (await management.ask('POST', '/invitations', options)).body);
    };

    it('of the default account can only be created and changed by its owners', async () => {
      const { record } = await management.makeKey({ admin: true });
      const admin = await join('admin@default.test', 'admin', 'default');
      expect(await admin.ask('POST', '/keys', { name: 'k', admin: true })).toMatchObject(refused);
      expect(await admin.ask('POST', `/keys/${record.id}/rotate`, {})).toMatchObject(refused);
      expect(await admin.ask('PATCH', `/keys/${record.id}`, { allowedAddresses: null })).toMatchObject(refused);
      expect((await admin.ask('GET', `/keys/${record.id}`)).body).toEqual(record);
      expect((await admin.ask('DELETE', `/keys/${record.id}`)).status).toBe(200);
      const owner = await join('owner@default.test', 'owner', 'default');
      const made = await owner.ask('POST', '/keys', { name: 'k', admin: true });
      expect((await management.ask('GET', '/accounts', { key: made.body.key })).status).toBe(200);
    });

    it('end if their creator may no longer create them', async () => {
      const { account } = (await management.ask('POST', '/accounts', { key: operator.key, body: { name: 'Acme' } }))
        .body;
      const admin = await join('admin@acme.test', 'admin', account.id);
      const [own, plain] = [
        (await admin.ask('POST', '/keys', { name: 'own', admin: true })).body,
        (await admin.ask('POST', '/keys', { name: 'plain' })).body,
      ];
      expect((await management.ask('GET', '/members', { key: own.key })).status).toBe(200);
      management.notices.keys.length = 0;
      const demotion = { key: operator.key, account: account.id, body: { role: 'member' } };
      expect(await management.ask('PATCH', `/members/${admin.userId}`, demotion)).toMatchObject({
        status: 200,
        body: { userId: admin.userId, role: 'member' },
      });
      expect((await management.ask('GET', '/members', { key: own.key })).status).toBe(401);
      expect((await admin.ask('GET', '/keys')).body.keys).toEqual([
        { ...own.record, lastUsedAt: undefined, revokedAt: expect.any(String) },
        plain.record,
      ]);
      await expect.poll(() => management.notices.keys).toEqual([hashKey(own.key)]);
    });

    it('cannot be guessed forever from one address, while valid keys are not limited', async () => {
      const from = '198.51.100.77';
      const read = (key: string) => management.ask('GET', '/account', { key, from }).then(({ status }) => status);
      const all = async (times: number, keyOf: () => string): Promise<number[]> => {
        const statuses: number[] = [];
        while (statuses.length < times) {
          statuses.push(...(await Promise.all(Array.from({ length: 10 }, () => read(keyOf())))));
        }
        return statuses;
      };
      expect(new Set(await all(220, () => operator.key))).toEqual(new Set([200]));
      let statuses: number[] = [];
      await expect.poll(async () => (statuses = await all(110, makeKey))).toContain(429);
      expect(statuses.every((status) => status === 401 || status === 429)).toBe(true);
      // Unknown keys slow down valid ones from the same address, but do not cause refusals.
      const flood = Promise.all(Array.from({ length: 30 }, () => read(makeKey())));
      expect(await read(operator.key)).toBe(200);
      expect(await flood).toContain(429);
      expect((await management.ask('GET', '/account', { key: operator.key, from: '198.51.100.78' })).status).toBe(200);
    });
  });
}
