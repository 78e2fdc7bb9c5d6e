import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeRole } from '../../../accounts/members.ts';
import type { OpenedManagement } from './open-management.ts';
import { type Person, personOf, signUp } from './person.ts';

export function describePeople(open: () => Promise<OpenedManagement>): void {
  describe('people', () => {
    let management: OpenedManagement;
    let operatorKey: string;
    let account: string;
    let owner: Person;
    beforeAll(async () => {
      management = await open();
      operatorKey = (await management.makeKey({ admin: true })).key;
      const options = { key: operatorKey, body: { name: 'Acme', ownerEmail: 'Owner@Acme.test' } };
      const made = await management.ask('POST', '/accounts', options);
      account = made.body.account.id;
      owner = await signUp(management, made.body.invitation);
    });
    afterAll(() => management.close());

    const inviteAs = (person: Person, body: object) => person.ask('POST', '/invitations', body);
    const join = async (email: string, role: string): Promise<Person> => {
      const invited = await inviteAs(owner, { email, role });
      expect(invited.status).toBe(201);
      return signUp(management, invited.body);
    };

    /** Accepts an invitation with the existing password. */
    const rejoin = async ({ password }: Person, to: string | { url: string }): Promise<Person> => {
      const invited = typeof to === 'string' ? (await inviteAs(owner, { email: to, role: 'member' })).body : to;
      const token = invited.url.split('/').at(-1);
      const session = await management.invitations.accept({ token, password, address: '192.0.2.4' });
      return personOf(management, { token: session.token, password });
    };

    it('join as the owner whom the operator invited', async () => {
      const session = (await owner.ask('GET', '/session')).body;
      expect(session).toEqual({
        userId: owner.userId,
        email: 'owner@acme.test',
        csrfToken: expect.any(String),
        accounts: [{ accountId: account, accountName: 'Acme', role: 'owner' }],
      });
      expect((await owner.ask('GET', '/members')).body).toEqual({
        members: [{ userId: owner.userId, email: 'owner@acme.test', role: 'owner', joinedAt: expect.any(String) }],
      });
    });

    it('cannot join twice with one link, even concurrently', async () => {
      const invited = (await inviteAs(owner, { email: 'rush@acme.test', role: 'member' })).body;
      const token = invited.url.split('/').at(-1);
      const accept = () => management.invitations.accept({ token, password: 'a long password', address: '192.0.2.1' });
      const tries = await Promise.allSettled([accept(), accept(), accept()]);
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await expect(accept()).rejects.toMatchObject({ status: 404 });
      expect(await management.invitations.find({ token, address: '192.0.2.1' })).toBe(undefined);
    });

    it('cannot join with a replaced, withdrawn or expired link', async () => {
      const invite = async () => (await inviteAs(owner, { email: 'late@acme.test', role: 'member' })).body;
      const find = (invitation: { url: string }) =>
        management.invitations.find({ token: invitation.url.split('/').at(-1) ?? '', address: '192.0.2.2' });
      const first = await invite();
      const second = await invite();
      expect(await find(first)).toBe(undefined);
      expect(await find(second)).toEqual({
        accountName: 'Acme',
        email: 'late@acme.test',
        role: 'member',
      });
      expect((await owner.ask('DELETE', `/invitations/${second.id}`)).status).toBe(200);
      expect((await owner.ask('DELETE', `/invitations/${second.id}`)).status).toBe(404);
      expect(await find(second)).toBe(undefined);
      const third = await invite();
      const { url: _url, ...listed } = third;
      expect((await owner.ask('GET', '/invitations')).body.invitations).toContainEqual(listed);
      const past = { expires_at: new Date(Date.now() - 1_000) };
      await management.database.kysely.updateTable('invitations').set(past).where('id', '=', third.id).execute();
      expect(await find(third)).toBe(undefined);
      expect((await owner.ask('GET', '/invitations')).body.invitations).not.toContainEqual(listed);
    });

    it('may belong to several accounts, with one password, and choose between them', async () => {
      const other = await management.ask('POST', '/accounts', {
        key: operatorKey,
        body: { name: 'Second', ownerEmail: 'owner@acme.test' },
      });
      const token = other.body.invitation.url.split('/').at(-1);
      const accept = (password: string) =>
        management.invitations.accept({ token, password, hasPassword: true, address: '192.0.2.3' });
      await expect(accept('not their password')).rejects.toMatchObject({ status: 401 });
      await accept(owner.password);
      const { accounts } = (await owner.ask('GET', '/session')).body;
      const second = { accountId: other.body.account.id, accountName: 'Second', role: 'owner' };
      expect(accounts).toEqual([{ accountId: account, accountName: 'Acme', role: 'owner' }, second]);
      expect((await owner.ask('GET', '/account')).body.name).toBe('Acme');
      expect((await owner.readAccount(second.accountId)).body.name).toBe('Second');
      expect((await owner.readAccount('default')).body.error.code).toBe('not_found');
    });

    it('are found by a part of their address, page by page', async () => {
      const list = async (query: string) => (await owner.ask('GET', `/members?${query}`)).body;
      const emails = ({ members }: { members: { email: string }[] }) => members.map(({ email }) => email);
      const all = (await list('')).members;
      await join('paged-1@acme.test', 'member');
      await join('paged_2@acme.test', 'member');
      expect(emails(await list('search=PAGED'))).toEqual(['paged-1@acme.test', 'paged_2@acme.test']);
      expect(emails(await list('search=paged_'))).toEqual(['paged_2@acme.test']);
      const first = await list('search=paged&limit=1');
      expect(emails(first)).toEqual(['paged-1@acme.test']);
      const second = await list(`search=paged&limit=1&cursor=${first.nextCursor}`);
      expect([emails(second), second.nextCursor]).toEqual([['paged_2@acme.test'], undefined]);
      expect((await list('')).members).toHaveLength(all.length + 2);
    });

    it('can do what their role allows', async () => {
      const admin = await join('admin@acme.test', 'admin');
      const member = await join('member@acme.test', 'member');
      const statuses = async (person: Person) => [
        (await person.ask('GET', '/members')).status,
        (await inviteAs(person, { email: 'new@acme.test', role: 'member' })).status,
        (await inviteAs(person, { email: 'boss@acme.test', role: 'owner' })).status,
        (await person.ask('GET', '/audit')).status,
        (await person.ask('PATCH', '/account', { name: 'Acme' })).status,
        (await person.ask('PATCH', '/account', { limits: {} })).status,
        (await person.ask('PATCH', '/account', { scoreWeights: null })).status,
        (await person.ask('GET', '/accounts')).status,
        (await person.ask('POST', '/keys', { name: 'k', admin: true })).status,
        (await person.ask('PATCH', `/members/${member.userId}`, { role: 'member' })).status,
        (await person.ask('PATCH', `/members/${member.userId}`, { role: 'owner' })).status,
        (await person.ask('PATCH', `/members/${owner.userId}`, { role: 'member' })).status,
        (await person.ask('DELETE', `/members/${owner.userId}`)).status,
      ];
      expect(await statuses(member)).toEqual([200, 403, 403, 403, 403, 403, 403, 403, 403, 403, 403, 403, 403]);
      expect(await statuses(admin)).toEqual([200, 201, 403, 200, 403, 403, 403, 403, 201, 200, 403, 403, 403]);
      const [ofOwner] = [(await owner.ask('PATCH', '/account', { limits: { concurrency: 1 } })).body];
      expect(ofOwner.error).toMatchObject({ code: 'permission_denied', param: 'limits' });
      const tagged = await owner.ask('PATCH', '/account', { tags: ['enterprise'] });
      expect(tagged.body.error).toMatchObject({
        code: 'permission_denied',
        param: 'tags',
        message: 'Only an operator can set tags of an account. Ask one.',
      });
      expect((await owner.ask('PATCH', '/account', { name: 'Acme' })).status).toBe(200);
      const scoreWeights = { uptime: 1, throughput: 0, price: 2, latency: 0 };
      expect((await owner.ask('PATCH', '/account', { scoreWeights })).body.scoreWeights).toEqual(scoreWeights);
      expect((await member.ask('GET', '/account')).body.scoreWeights).toEqual(scoreWeights);
      expect((await owner.ask('PATCH', '/account', { scoreWeights: null })).body).not.toHaveProperty('scoreWeights');
    });

    it('can see and revoke the keys they created, and lose them when they leave', async () => {
      const member = await join('leaver@acme.test', 'member');
      const mine = (await member.ask('POST', '/keys', { name: 'mine' })).body.record;
      const theirs = (await owner.ask('POST', '/keys', { name: 'theirs' })).body.record;
      for (const query of ['', `?ids=${theirs.id},${mine.id}`])
        expect((await member.ask('GET', `/keys${query}`)).body).toEqual({ keys: [mine] });
      expect((await member.ask('GET', `/keys/${theirs.id}`)).status).toBe(404);
      expect((await member.ask('DELETE', `/keys/${theirs.id}`)).status).toBe(404);
      expect(mine.userId).toBe(member.userId);
      expect((await member.ask('DELETE', `/members/${member.userId}?keepKeys=true`)).status).toBe(403);
      expect((await member.ask('DELETE', `/members/${member.userId}`)).status).toBe(200);
      expect((await owner.ask('GET', `/keys/${mine.id}`)).body.revokedAt).toEqual(expect.any(String));
      expect((await member.ask('GET', '/keys')).status).toBe(401);
    });

    it('leave the keys that an admin keeps to the account, except admin keys', async () => {
      const leaver = await join('stays@acme.test', 'admin');
      const { userId: _userId, ...kept } = (await leaver.ask('POST', '/keys', { name: 'kept' })).body.record;
      const admin = (await leaver.ask('POST', '/keys', { name: 'admin', admin: true })).body.record;
      expect((await owner.ask('DELETE', `/members/${leaver.userId}?keepKeys=true`)).status).toBe(200);
      expect((await owner.ask('GET', `/keys/${kept.id}`)).body).toEqual(kept);
      expect((await owner.ask('GET', `/keys/${admin.id}`)).body.revokedAt).toEqual(expect.any(String));
      const back = await rejoin(leaver, 'stays@acme.test');
      expect((await back.ask('GET', '/keys')).body).toEqual({ keys: [] });
    });

    it('rejoin without earlier application grants, and stay signed in to their other accounts', async () => {
      const { kysely } = management.database;
      const leaver = await join('returns@acme.test', 'member');
      const place = { account_id: account, user_id: leaver.userId, expires_at: new Date(Date.now() + 3600_000) };
      const payload = JSON.stringify({ clientId: 'editor' });
      const remember = (grant: string, models: readonly string[]) =>
        kysely
          .insertInto('oauth_records')
          .values(models.map((model) => ({ ...place, model, id: `${model}-${grant}`, grant_id: grant, payload })))
          .execute();
      await remember('before', ['Grant', 'AccessToken', 'RefreshToken', 'AuthorizationCode']);
      const grants = async (person: Person) => (await person.ask('GET', '/oauth-grants')).body.grants.length;
      expect(await grants(leaver)).toBe(1);
      management.notices.keys.length = 0;
      expect((await owner.ask('DELETE', `/members/${leaver.userId}`)).status).toBe(200);
      await expect.poll(() => management.notices.keys).toEqual(['AccessToken-before']);
      const { entries } = (await owner.ask('GET', '/audit?limit=1')).body;
      expect(entries).toMatchObject([
        { actor: `user:${owner.userId}`, action: 'oauth_client.grant_deleted', detail: { clientId: 'editor' } },
      ]);
      expect((await leaver.ask('GET', '/session')).status).toBe(401);

      await remember('while leaving', ['AccessToken']);
      const back = await rejoin(leaver, 'returns@acme.test');
      expect(await grants(back)).toBe(0);
      expect(
        await kysely.selectFrom('oauth_records').select('id').where('user_id', '=', back.userId).execute(),
      ).toEqual([]);

      const elsewhere = await management.ask('POST', '/accounts', {
        key: operatorKey,
        body: { name: 'Elsewhere', ownerEmail: 'returns@acme.test' },
      });
      await rejoin(leaver, elsewhere.body.invitation);
      expect((await owner.ask('DELETE', `/members/${leaver.userId}`)).status).toBe(200);
      expect((await back.ask('GET', '/account')).body.name).toBe('Elsewhere');
    });

    it('can be invited fifty at once, and then at the refill rate', async () => {
      const { account: crowded } = (
        await management.ask('POST', '/accounts', { key: operatorKey, body: { name: 'Crowded' } })
      ).body;
      const statuses: number[] = [];
      for (let count = 1; count <= 51; count++) {
        const options = { key: operatorKey, account: crowded.id, body: { email: `${count}@crowded.test` } };
        statuses.push((await management.ask('POST', '/invitations', options)).status);
      }
      expect(statuses).toEqual([...Array<number>(50).fill(201), 429]);
    });

    it('always leave one owner, even if two are demoted concurrently', async () => {
      const last = { status: 409, body: { error: { message: expect.stringContaining('at least one owner') } } };
      expect(await owner.ask('PATCH', `/members/${owner.userId}`, { role: 'admin' })).toMatchObject(last);
      expect(await owner.ask('DELETE', `/members/${owner.userId}`)).toMatchObject(last);
      const second = await join('second@acme.test', 'owner');
      for (let round = 0; round < 10; round++) {
        const demote = ({ userId }: Person) =>
          changeRole(management.database, { accountId: account, actor: 'operator', byOwner: true, userId }, 'admin');
        const both = await Promise.allSettled([demote(owner), demote(second)]);
        expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        const options = { key: operatorKey, account, body: { role: 'owner' } };
        for (const { userId } of [owner, second]) await management.ask('PATCH', `/members/${userId}`, options);
      }
      const { members } = (await owner.ask('GET', '/members')).body;
      expect(members.filter(({ role }: { role: string }) => role === 'owner')).toHaveLength(2);
    });
  });
}
