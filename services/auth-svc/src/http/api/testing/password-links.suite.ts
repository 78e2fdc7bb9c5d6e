import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenedManagement } from './open-management.ts';
import { type Person, personOf, signUp } from './person.ts';

export function describePasswordLinks(open: () => Promise<OpenedManagement>): void {
  describe('password links', () => {
    let management: OpenedManagement;
    let operatorKey: string;
    let account: string;
    let owner: Person;
    beforeAll(async () => {
      management = await open();
      operatorKey = (await management.makeKey({ admin: true })).key;
      [account, owner] = await makeAccount('Acme', 'owner@acme.test');
    });
    afterAll(() => management.close());

    const makeAccount = async (name: string, ownerEmail: string): Promise<[string, Person]> => {
      const made = await management.ask('POST', '/accounts', { key: operatorKey, body: { name, ownerEmail } });
      return [made.body.account.id, await signUp(management, made.body.invitation)];
    };
    const join = async (email: string, role: string): Promise<Person> =>
      signUp(management, (await owner.ask('POST', '/invitations', { email, role })).body);
    const linkBy = (person: Person, { userId }: Person) => person.ask('POST', `/members/${userId}/password-link`);
    const linkFor = async (person: Person) => tokenOf((await linkBy(owner, person)).body.url);
    const tokenOf = (url: string) => /^http:\/\/gateway\.test\/passwords\/([\w-]{43})$/.exec(url)?.[1] ?? '';
    let count = 0;
    const from = () => `198.51.100.${++count}`;
    const find = (token: string) => management.passwordLinks.find({ token, address: from() });
    const use = (token: string, password = 'another long password', disconnectApplications = true) =>
      management.passwordLinks.use({ token, password, address: from(), disconnectApplications });
    const signIn = (email: string, password: string) =>
      management.sessions.signIn({ email, password, address: from() });

    it('let a user choose a password once, and sign them out everywhere else', async () => {
      const person = await join('forgot@acme.test', 'member');
      const made = await linkBy(owner, person);
      expect(made).toMatchObject({ status: 201 });
      const { url, ...rest } = made.body;
      expect(rest).toEqual({ userId: person.userId, email: 'forgot@acme.test', expiresAt: expect.any(String) });
      const token = tokenOf(url);
      expect(await find(token)).toEqual({ email: 'forgot@acme.test' });
      await expect(use(token, 'short')).rejects.toMatchObject({ status: 400 });
      expect((await person.ask('GET', '/session')).status).toBe(200);

      const begun = await use(token);
      expect(await management.sessions.find(begun.token)).toMatchObject({ userId: person.userId });
      expect((await person.ask('GET', '/session')).status).toBe(401);
      await expect(signIn('forgot@acme.test', person.password)).rejects.toMatchObject({ status: 401 });
      await signIn('forgot@acme.test', 'another long password');
      expect(await find(token)).toBe(undefined);
      await expect(use(token)).rejects.toMatchObject({ status: 404 });

      const { entries } = (await owner.ask('GET', '/audit?limit=2&kind=user')).body;
      const entry = { id: expect.any(String), at: expect.any(String), subject: person.userId };
      expect(entries).toEqual([
        { ...entry, actor: `user:${person.userId}`, action: 'user.password_chosen' },
        { ...entry, actor: `user:${owner.userId}`, action: 'user.password_link_created' },
      ]);
      const rows = await management.database.kysely.selectFrom('password_links').selectAll().execute();
      expect(JSON.stringify([rows, entries])).not.toContain(token);
    });

    it('work once if used concurrently', async () => {
      const token = await linkFor(await join('rush@acme.test', 'member'));
      const tries = await Promise.allSettled([use(token), use(token), use(token)]);
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('do nothing once they are replaced or expired, or their account is suspended', async () => {
      const person = await join('late@acme.test', 'member');
      const replaced = await linkFor(person);
      const token = await linkFor(person);
      expect([await find(replaced), await find(token)]).toEqual([undefined, { email: 'late@acme.test' }]);
      const suspend = (suspended: boolean) =>
        management.ask('PATCH', `/accounts/${account}`, { key: operatorKey, body: { suspended } });
      await suspend(true);
      expect(await find(token)).toBe(undefined);
      await suspend(false);
      expect(await find(token)).toEqual({ email: 'late@acme.test' });
      const past = { expires_at: new Date(Date.now() - 1_000) };
      await management.database.kysely.updateTable('password_links').set(past).execute();
      expect(await find(token)).toBe(undefined);
      await expect(use(token)).rejects.toMatchObject({ status: 404 });
    });

    it('can be created for members of lower roles, and not for oneself', async () => {
      const admin = await join('admin@acme.test', 'admin');
      const member = await join('member@acme.test', 'member');
      const statuses = async (person: Person, others: Person[]) =>
        Promise.all(others.map(async (other) => (await linkBy(person, other)).status));
      expect(await statuses(member, [owner, admin, member])).toEqual([403, 403, 403]);
      expect(await statuses(admin, [owner, admin, member])).toEqual([403, 409, 201]);
      expect(await statuses(owner, [owner, admin, member])).toEqual([409, 201, 201]);
      expect((await owner.ask('POST', '/members/user_nobody/password-link')).status).toBe(404);
    });

    it('for members of several accounts can only be created by operators', async () => {
      const [, both] = await makeAccount('Second', 'both@second.test');
      const invited = (await owner.ask('POST', '/invitations', { email: 'both@second.test', role: 'member' })).body;
      const token = invited.url.split('/').at(-1);
      await management.invitations.accept({ token, password: both.password, address: from() });
      const refused = await linkBy(owner, both);
      expect([refused.status, refused.body.error.message]).toEqual([
        403,
        'This person also belongs to other accounts. Ask an operator of the installation for the link.',
      ]);
      const options = { key: operatorKey, account };
      expect((await management.ask('POST', `/members/${both.userId}/password-link`, options)).status).toBe(201);
    });

    it('end when the user joins an account, gets another role, leaves, or changes the password', async () => {
      const person = await join('moves@acme.test', 'member');
      const { userId } = person;
      const afterwards = async (happens: () => Promise<unknown>) => {
        const token = await linkFor(person);
        await happens();
        return find(token);
      };
      const change = { current: person.password, new: 'a password of their own' };
      const found = [
        await afterwards(async () => {
          const body = { name: 'Third', ownerEmail: 'moves@acme.test' };
          const made = await management.ask('POST', '/accounts', { key: operatorKey, body });
          const token = made.body.invitation.url.split('/').at(-1);
          await management.invitations.accept({ token, password: person.password, address: from() });
          await management.database.kysely
            .deleteFrom('memberships')
            .where('account_id', '=', made.body.account.id)
            .execute();
        }),
        await afterwards(() => owner.ask('PATCH', `/members/${userId}`, { role: 'admin' })),
        await afterwards(() => person.ask('POST', '/password', change)),
        await afterwards(() => owner.ask('DELETE', `/members/${userId}`)),
      ];
      expect(found).toEqual([undefined, undefined, undefined, undefined]);
    });

    it('disconnect applications on request, as password changes do', async () => {
      const { kysely } = management.database;
      const person = await join('connected@acme.test', 'member');
      const connect = async (name: string) => {
        const place = {
          account_id: account,
          user_id: person.userId,
          grant_id: name,
          payload: '{"clientId": "editor"}',
        };
        const expires_at = new Date(Date.now() + 3600_000);
        const models = ['Grant', 'AccessToken', 'RefreshToken'];
        const rows = models.map((model) => ({ ...place, model, id: `${model}-${name}`, expires_at }));
        await kysely.insertInto('oauth_records').values(rows).execute();
      };
      const connected = async () => {
        const rows = kysely.selectFrom('oauth_records').select('id').where('user_id', '=', person.userId);
        return (await rows.execute()).length;
      };
      await connect('first');
      await use(await linkFor(person), 'a password of reset', false);
      expect(await connected()).toBe(3);
      management.notices.keys.length = 0;
      const begun = await use(await linkFor(person), 'a password of reset');
      expect(await connected()).toBe(0);
      await expect.poll(() => management.notices.keys).toEqual(['AccessToken-first']);
      const { entries } = (await owner.ask('GET', '/audit?limit=3')).body;
      const by = { actor: `user:${person.userId}` };
      expect(entries).toMatchObject([
        { ...by, action: 'session.started' },
        { ...by, action: 'user.password_chosen' },
        { ...by, action: 'oauth_client.grant_deleted', subject: 'Grant-first' },
      ]);

      await connect('second');
      const change = { current: 'a password of reset', new: 'a password of reset' };
      const again = await personOf(management, { token: begun.token, password: change.new });
      const changed = await again.ask('POST', '/password', change);
      expect([changed.status, await connected()]).toEqual([200, 3]);
      const { token } = await signIn('connected@acme.test', change.new);
      const last = await personOf(management, { token, password: change.new });
      expect((await last.ask('POST', '/password', { ...change, disconnectApplications: true })).status).toBe(200);
      expect(await connected()).toBe(0);
    });
  });
}
