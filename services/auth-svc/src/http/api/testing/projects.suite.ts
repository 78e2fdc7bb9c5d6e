import { hashKey } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticate } from '../../../keys/authenticate.ts';
import { maxProjectMembers } from '../../../projects/project-members.ts';
import { maxProjects } from '../../../projects/create-project.ts';
import type { OpenedManagement } from './open-management.ts';
import { type Person, signUp } from './person.ts';

const limits = { requestsPerMinute: { chat: 120 }, tokensPerMinute: 9_000, concurrency: 4 };
const budget = { amount: '25', period: 'month' } as const;
const allowedTiers = ['flex', 'priority'];
const endUserBudget = { amount: '2', period: 'week' } as const;

export function describeProjects(open: () => Promise<OpenedManagement>): void {
  describe('projects', () => {
    let management: OpenedManagement;
    let admin: string;
    let member: Person;
    let other: Person;
    beforeAll(async () => {
      management = await open();
      admin = (await management.makeKey({ admin: true })).key;
      member = await invited('member@example.com');
      other = await invited('other@example.com');
    });
    afterAll(() => management.close());

    const ask = (method: string, path: string, body?: unknown) =>
      management.ask(method, path, { key: admin, ...(body !== undefined && { body }) });
    async function invited(email: string): Promise<Person> {
      return signUp(management, (await ask('POST', '/invitations', { email })).body);
    }
    let names = 0;
    async function makeProject(settings: object = {}): Promise<string> {
      const made = await ask('POST', '/projects', { name: `project ${(names += 1)}`, ...settings });
      expect(made.status).toBe(201);
      return made.body.id;
    }
    async function makeKey(projectId: string | undefined, settings: object = {}): Promise<{ id: string; key: string }> {
      const made = await ask('POST', '/keys', { name: 'of a project', ...settings, ...(projectId && { projectId }) });
      expect(made.status).toBe(201);
      return { id: made.body.record.id, key: made.body.key };
    }
    const join = (project: string, { userId }: Person, role: string) =>
      ask('POST', `/projects/${project}/members`, { userId, role });
    const callerOf = (key: string) => authenticate(management.database, hashKey(key));

    it('are created, read, changed and deleted, and the audit log has each change', async () => {
      const created = await ask('POST', '/projects', { name: 'search', allowedTiers, limits, budget, endUserBudget });
      expect(created).toMatchObject({
        status: 201,
        body: { id: expect.stringMatching(/^project_/), name: 'search', allowedTiers, limits, budget, endUserBudget },
      });
      const { id } = created.body;
      const use = {
        keys: 0,
        members: 0,
        spent: '0',
        left: '25',
        resetsAt: expect.stringMatching(/-01T00:00:00.000Z$/),
      };
      expect((await ask('GET', `/projects/${id}`)).body).toEqual({ ...created.body, ...use });
      const changed = await ask('PATCH', `/projects/${id}`, {
        name: 'find',
        allowedTiers: null,
        budget: null,
        endUserBudget: null,
        limits: { concurrency: 1 },
      });
      expect(changed.body).toEqual({ id, name: 'find', limits: { concurrency: 1 }, createdAt: created.body.createdAt });
      expect((await ask('GET', '/projects')).body.projects).toMatchObject([{ id, name: 'find', spent: '0' }]);
      expect((await ask('DELETE', `/projects/${id}`)).status).toBe(200);
      expect(await ask('GET', `/projects/${id}`)).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' } },
      });
      const { entries } = (await ask('GET', '/audit')).body;
      const actions = entries.filter(({ subject }: { subject: string }) => subject === id);
      expect(actions.map(({ action }: { action: string }) => action)).toEqual([
        'project.deleted',
        'project.changed',
        'project.created',
      ]);
    });

    it('have names that differ by more than case', async () => {
      const id = await makeProject({ name: 'Unique' });
      const another = await makeProject();
      const taken = { status: 409, body: { error: { code: 'conflict', param: 'name' } } };
      expect(await ask('POST', '/projects', { name: 'uniquE' })).toMatchObject(taken);
      expect(await ask('PATCH', `/projects/${another}`, { name: 'UNIQUE' })).toMatchObject(taken);
      expect((await ask('PATCH', `/projects/${id}`, { name: 'UNIQUE' })).status).toBe(200);
    });

    it('give their limits and budget to the callers of their keys, within a second of a change', async () => {
      const project = await makeProject({ limits, budget, endUserBudget });
      const { id, key } = await makeKey(project);
      const principal = { accountId: 'default', projectId: project, keyId: id };
      expect(await callerOf(key)).toEqual({
        principal: {
          ...principal,
          tokensPerMinute: { project: 9_000 },
          budgets: { project: budget },
          endUserBudgets: { project: endUserBudget },
        },
        limits: { project: limits },
      });
      management.notices.accounts.length = 0;
      await ask('PATCH', `/projects/${project}`, { limits: null, budget: null, endUserBudget: null });
      expect(management.notices.accounts).toEqual(['default']);
      expect(await callerOf(key)).toEqual({ principal, limits: {} });
    });

    it('allow the service tiers that their keys allow as well', async () => {
      const project = await makeProject({ allowedTiers });
      const [all, some, none] = [
        await makeKey(project),
        await makeKey(project, { allowedTiers: ['priority', 'fast'] }),
        await makeKey(project, { allowedTiers: ['fast'] }),
      ];
      const tiersOf = async ({ key }: { key: string }) => (await callerOf(key))?.principal.allowedTiers;
      expect(await tiersOf(all)).toEqual(['flex', 'priority']);
      expect(await tiersOf(some)).toEqual(['priority']);
      expect(await tiersOf(none)).toEqual([]);
      await ask('PATCH', `/projects/${project}`, { allowedTiers: null });
      expect(await tiersOf(all)).toBeUndefined();
      expect(await tiersOf(some)).toEqual(['priority', 'fast']);
    });

    it('have keys that can be moved, taken out and listed', async () => {
      const [one, two] = [await makeProject({ budget }), await makeProject()];
      const { id, key } = await makeKey(one);
      const listed = async (project: string) =>
        (await ask('GET', `/keys?project=${project}`)).body.keys.map((each: { id: string }) => each.id);
      expect(await listed(one)).toEqual([id]);
      expect((await ask('PATCH', `/keys/${id}`, { projectId: two })).body).toMatchObject({ projectId: two });
      expect([await listed(one), await listed(two)]).toEqual([[], [id]]);
      expect(management.notices.keys).toContain(hashKey(key));
      expect((await callerOf(key))?.principal).toEqual({ accountId: 'default', projectId: two, keyId: id });
      expect((await ask('PATCH', `/keys/${id}`, { projectId: null })).body).not.toHaveProperty('projectId');
      expect(await listed('none')).toContain(id);
    });

    it('are not deleted while they have a key that works', async () => {
      const project = await makeProject();
      const { id } = await makeKey(project);
      expect(await ask('DELETE', `/projects/${project}`)).toMatchObject({
        status: 409,
        body: { error: { message: 'The project has keys. Revoke them or move them to another project first.' } },
      });
      await ask('DELETE', `/keys/${id}`);
      expect((await ask('DELETE', `/projects/${project}`)).status).toBe(200);
      expect((await ask('GET', `/keys/${id}`)).body).not.toHaveProperty('projectId');
    });

    it('take no admin keys', async () => {
      const project = await makeProject();
      const refused = { status: 400, body: { error: { code: 'invalid_parameters', param: 'projectId' } } };
      expect(await ask('POST', '/keys', { name: 'x', admin: true, projectId: project })).toMatchObject(refused);
      const { record } = await management.makeKey({ admin: true });
      expect(await ask('PATCH', `/keys/${record.id}`, { projectId: project })).toMatchObject(refused);
    });

    it('of another account do not exist', async () => {
      const account = (await ask('POST', '/accounts', { name: 'another' })).body.account.id;
      const elsewhere = await management.ask('POST', '/projects', { key: admin, account, body: { name: 'there' } });
      const { id } = elsewhere.body;
      const key = await makeKey(undefined);
      const missing = { status: 404, body: { error: { code: 'not_found' } } };
      expect(await ask('GET', `/projects/${id}`)).toMatchObject(missing);
      expect(await ask('PATCH', `/projects/${id}`, { name: 'here' })).toMatchObject(missing);
      expect(await ask('DELETE', `/projects/${id}`)).toMatchObject(missing);
      expect(await ask('GET', `/projects/${id}/members`)).toMatchObject(missing);
      expect(await ask('POST', '/keys', { name: 'x', projectId: id })).toMatchObject(missing);
      expect(await ask('PATCH', `/keys/${key.id}`, { projectId: id })).toMatchObject(missing);
    });

    it('are seen and used by members of the account only if they belong to them', async () => {
      const project = await makeProject({ limits });
      const missing = { status: 404 };
      expect((await member.ask('GET', '/projects')).body).toEqual({ projects: [] });
      expect(await member.ask('GET', `/projects/${project}`)).toMatchObject(missing);
      expect(await member.ask('POST', '/keys', { name: 'mine', projectId: project })).toMatchObject(missing);
      expect((await member.ask('POST', '/projects', { name: 'own' })).status).toBe(403);

      expect((await join(project, member, 'member')).body).toMatchObject({ userId: member.userId, role: 'member' });
      expect((await member.ask('GET', '/projects')).body.projects).toMatchObject([{ id: project, role: 'member' }]);
      expect((await member.ask('POST', '/keys', { name: 'mine', projectId: project })).status).toBe(201);
      expect((await member.ask('PATCH', `/projects/${project}`, { limits: null })).status).toBe(403);
      expect((await member.ask('POST', `/projects/${project}/members`, { userId: other.userId })).status).toBe(403);
    });

    it('have admins, who manage their members and the keys of others in them', async () => {
      const project = await makeProject();
      await join(project, member, 'admin');
      expect((await member.ask('POST', `/projects/${project}/members`, { userId: other.userId })).status).toBe(200);
      const { id } = (await other.ask('POST', '/keys', { name: 'theirs', projectId: project })).body.record;
      const outside = (await other.ask('POST', '/keys', { name: 'outside' })).body.record;
      expect((await member.ask('PATCH', `/keys/${id}`, { name: 'renamed' })).body).toMatchObject({ name: 'renamed' });
      expect((await member.ask('GET', `/keys/${outside.id}`)).status).toBe(404);
      expect((await member.ask('DELETE', `/keys/${id}`)).status).toBe(200);
    });

    it('lose the keys of a member who leaves, unless an admin keeps them', async () => {
      const project = await makeProject();
      const revoked: boolean[] = [];
      const managed: number[] = [];
      for (const query of ['', '?keepKeys=true']) {
        await join(project, member, 'member');
        const { record } = (await member.ask('POST', '/keys', { name: 'mine', projectId: project })).body;
        const outside = (await member.ask('POST', '/keys', { name: 'mine' })).body.record;
        expect((await ask('DELETE', `/projects/${project}/members/${member.userId}${query}`)).status).toBe(200);
        for (const { id } of [record, outside]) {
          revoked.push('revokedAt' in (await ask('GET', `/keys/${id}`)).body);
          managed.push((await member.ask('PATCH', `/keys/${id}`, { name: 'renamed' })).status);
        }
      }
      expect(revoked).toEqual([true, false, false, false]);
      // The project's money is no longer theirs to spend, so a key that stays belongs to the account.
      expect(managed.slice(2)).toEqual([404, 200]);
      expect((await ask('DELETE', `/projects/${project}/members/${member.userId}`)).status).toBe(404);
    });

    it('let members leave, but not keep their keys', async () => {
      const project = await makeProject();
      await join(project, member, 'member');
      const leave = `/projects/${project}/members/${member.userId}`;
      expect((await member.ask('DELETE', `${leave}?keepKeys=true`)).status).toBe(403);
      expect((await member.ask('DELETE', leave)).body).toEqual({ removed: true });
    });

    it('have members of the account only, and lose them with it', async () => {
      const project = await makeProject();
      const leaver = await invited('leaver@example.com');
      expect((await join(project, { ...leaver, userId: 'user_unknown' }, 'member')).status).toBe(404);
      await join(project, leaver, 'admin');
      await ask('DELETE', `/members/${leaver.userId}`);
      expect((await ask('GET', `/projects/${project}/members`)).body).toEqual({ members: [] });
    });

    it('keep a key where an admin put it, and let members move others', async () => {
      const [one, two] = [await makeProject(), await makeProject()];
      for (const project of [one, two]) await join(project, member, 'member');
      const { id } = (await member.ask('POST', '/keys', { name: 'mine', projectId: one })).body.record;
      expect((await member.ask('PATCH', `/keys/${id}`, { projectId: two })).status).toBe(200);
      await ask('PATCH', `/keys/${id}`, { projectId: one });
      const refused = { status: 403, body: { error: { code: 'permission_denied', param: 'projectId' } } };
      expect(await member.ask('PATCH', `/keys/${id}`, { projectId: two })).toMatchObject(refused);
      expect(await member.ask('PATCH', `/keys/${id}`, { projectId: null })).toMatchObject(refused);
    });

    it('are at most 1,000 per account, with 1,000 members each', async () => {
      const account = (await ask('POST', '/accounts', { name: 'full' })).body.account.id;
      const inAccount = (method: string, path: string, body: object) =>
        management.ask(method, path, { key: admin, account, body });
      const { kysely } = management.database;
      await sql`insert into projects (id, account_id, name)
        select 'many-' || n, ${account}, 'many ' || n from generate_series(2, ${maxProjects}) as n`.execute(kysely);
      expect((await inAccount('POST', '/projects', { name: 'the last' })).status).toBe(201);
      expect((await inAccount('POST', '/projects', { name: 'one more' })).status).toBe(409);

      await sql`insert into users (id, email, password_hash)
        select 'many-' || n, 'many-' || n || '@example.com', '' from generate_series(1, ${maxProjectMembers + 1}) as n`.execute(
        kysely,
      );
      await sql`insert into memberships (account_id, user_id, role)
        select ${account}, 'many-' || n, 'member' from generate_series(1, ${maxProjectMembers + 1}) as n`.execute(
        kysely,
      );
      await sql`insert into project_members (project_id, account_id, user_id, role)
        select 'many-2', ${account}, 'many-' || n, 'member' from generate_series(2, ${maxProjectMembers}) as n`.execute(
        kysely,
      );
      const members = '/projects/many-2/members';
      expect((await inAccount('POST', members, { userId: 'many-1' })).status).toBe(200);
      expect((await inAccount('POST', members, { userId: `many-${maxProjectMembers + 1}` })).status).toBe(409);
    });
  });
}
