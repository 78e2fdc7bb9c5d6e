import { hashKey, makeKey } from '@switchyard/contracts';
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
      const question = { key: operator.key, account, body: { email, role } };
      return signUp(management, (await management.ask('POST', '/invitations', question)).body);
    };

    it('of the default account are for its owners to make and to change: they run the installation', async () => {
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

    it('end when who made them may make them no longer', async () => {
      const { account } = (await management.ask('POST', '/accounts', { key: operator.key, body: { name: 'Acme' } }))
        .body;
      const admin = await join('admin@acme.test', 'admin', account.id);
      const [own, plain] = [
        (await admin.ask('POST', '/keys', { name: 'own', admin: true })).body,
        (await admin.ask('POST', '/keys', { name: 'plain' })).body,
      ];
      expect((await management.ask('GET', '/members', { key: own.key })).status).toBe(200);
      management.told.keys.length = 0;
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
      await expect.poll(() => management.told.keys).toEqual([hashKey(own.key)]);
    });

    it('cannot be tried for ever from one address, and right ones can be used as often as one likes', async () => {
      const from = '198.51.100.77';
      const read = (key: string) => management.ask('GET', '/account', { key, from }).then(({ status }) => status);
      for (let count = 0; count < 250; count++) expect(await read(operator.key)).toBe(200);
      const statuses = new Set<number>();
      for (let count = 0; count < 250; count++) statuses.add(await read(makeKey()));
      expect(statuses).toEqual(new Set([401, 429]));
      expect(await read(operator.key)).toBe(429);
      expect((await management.ask('GET', '/account', { key: operator.key, from: '198.51.100.78' })).status).toBe(200);
    });
  });
}
