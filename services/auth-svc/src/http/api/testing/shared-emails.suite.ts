import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkForEmail } from '../../../enrolment/link-for-email.ts';
import type { OpenedManagement } from './open-management.ts';
import { type Person, personOf } from './person.ts';

const email = 'victim@corp.test';

export function describeSharedEmails(open: () => Promise<OpenedManagement>): void {
  describe('an e-mail address', () => {
    let management: OpenedManagement;
    let operatorKey: string;
    beforeAll(async () => {
      management = await open();
      operatorKey = (await management.makeKey({ admin: true })).key;
    });
    afterAll(() => management.close());

    let count = 0;
    const from = () => `198.51.100.${++count}`;
    const tokenOf = ({ url }: { url: string }) => url.split('/').at(-1) ?? '';
    /** Creates an account and returns the invitation of its first owner. */
    const makeAccount = async (name: string, ownerEmail: string): Promise<{ id: string; token: string }> => {
      const { account, invitation } = (
        await management.ask('POST', '/accounts', { key: operatorKey, body: { name, ownerEmail } })
      ).body;
      return { id: account.id, token: tokenOf(invitation) };
    };
    const accept = async (token: string, password: string, hasPassword = false): Promise<Person> => {
      const session = await management.invitations.accept({ token, password, hasPassword, address: from() });
      return personOf(management, { token: session.token, password });
    };
    const accountsOf = async (password: string): Promise<string[]> => {
      const { token } = await management.sessions.signIn({ email, password, address: from() });
      const found = await management.sessions.find(token);
      expect(found?.email).toBe(email);
      return found?.memberships.map(({ accountName }) => accountName) ?? [];
    };

    it('claimed by one account stays usable for the person whom another account invites', async () => {
      const squatted = await makeAccount('Squatter', email);
      const squatter = await accept(squatted.token, 'password of squatter');

      const corp = await makeAccount('Corp', email);
      expect(await management.invitations.find({ token: corp.token, address: from() })).toEqual({
        accountName: 'Corp',
        email,
        role: 'owner',
      });
      await expect(accept(corp.token, 'password of victim', true)).rejects.toMatchObject({
        code: 'invalid_credentials',
      });
      await expect(accept(corp.token, 'short')).rejects.toMatchObject({ status: 400 });
      const victim = await accept(corp.token, 'password of victim');

      expect(victim.userId).not.toBe(squatter.userId);
      expect(await accountsOf('password of victim')).toEqual(['Corp']);
      expect(await accountsOf('password of squatter')).toEqual(['Squatter']);
      const { members } = (await victim.ask('GET', '/members')).body;
      expect(members).toMatchObject([{ userId: victim.userId, email }]);
      const again = await victim.ask('POST', '/invitations', { email });
      expect(again).toMatchObject({ status: 409, body: { error: { param: 'email' } } });

      const third = await makeAccount('Third', email);
      expect((await accept(third.token, 'password of victim', true)).userId).toBe(victim.userId);
      expect(await accountsOf('password of victim')).toEqual(['Corp', 'Third']);
      await expect(linkForEmail(management.database, email)).rejects.toMatchObject({ code: 'conflict' });
    });

    it('keeps separate passwords: each user changes only their own', async () => {
      const wrong = { current: 'password of squatter', new: 'a new long password' };
      const { token } = await management.sessions.signIn({ email, password: 'password of victim', address: from() });
      const victim = await personOf(management, { token, password: 'password of victim' });
      expect((await victim.ask('POST', '/password', wrong)).status).toBe(401);
      const right = { current: 'password of victim', new: 'a new long password' };
      expect((await victim.ask('POST', '/password', right)).status).toBe(200);
      expect(await accountsOf('a new long password')).toEqual(['Corp', 'Third']);
      expect(await accountsOf('password of squatter')).toEqual(['Squatter']);
    });

    it('has one salt for the passwords of all its users, so that a sign-in takes as long for each', async () => {
      const { kysely } = management.database;
      const users = await kysely
        .selectFrom('users')
        .select('password_hash')
        .where((where) => where.or([where('email', '=', email), where('shared_email', '=', email)]))
        .execute();
      expect(users).toHaveLength(2);
      expect(new Set(users.map(({ password_hash: hash }) => hash.split('$')[3])).size).toBe(1);
    });

    it.each([
      ['with a user', '203.0.113.77'],
      ['without a user', '203.0.113.78'],
    ])('%s is guarded against guesses with an invitation of the guesser, as at the sign-in', async (which, address) => {
      const guessed = `${which.replaceAll(' ', '-')}@corp.test`;
      if (which === 'with a user') await accept((await makeAccount('Guessed', guessed)).token, 'password of guessed');
      const { token } = await makeAccount('Guesser', guessed);
      const guess = { token, password: 'short', address };
      const codes: unknown[] = [];
      for (let n = 0; n < 11; n++) {
        codes.push(await management.invitations.accept(guess).catch(({ code }: { code: unknown }) => code));
      }
      expect(codes).toEqual([...Array<string>(10).fill('invalid_parameters'), 'rate_limit_exceeded']);
    });

    it('is shared only while its users belong to accounts', async () => {
      const other = 'other@corp.test';
      const first = await makeAccount('First', other);
      const left = await accept(first.token, 'password of first');
      await management.database.kysely.deleteFrom('memberships').where('user_id', '=', left.userId).execute();
      const second = await makeAccount('Second', other);
      const stays = await accept(second.token, 'password of second');
      const users = await management.database.kysely
        .selectFrom('users')
        .select(['id', 'email', 'shared_email'])
        .where('id', 'in', [left.userId, stays.userId])
        .execute();
      expect(users).toEqual([{ id: stays.userId, email: other, shared_email: null }]);
    });
  });
}
