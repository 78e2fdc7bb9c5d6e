import type { ManageRequest } from '@tallyport/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenedManagement, publicUrl } from './open-management.ts';
import { type Person, signUp } from './person.ts';

/** The bus operation with which pages call the management API. */
export function describeManage(open: () => Promise<OpenedManagement>): void {
  describe('the management API for pages', () => {
    let management: OpenedManagement;
    let member: Person;
    let csrfToken: string;
    beforeAll(async () => {
      management = await open();
      const { key } = await management.makeKey({ admin: true });
      const invited = await management.ask('POST', '/invitations', { key, body: { email: 'page@example.com' } });
      member = await signUp(management, invited.body);
      csrfToken = (await member.ask('GET', '/session')).body.csrfToken;
    });
    afterAll(() => management.close());

    const call = (operation: string, input: unknown = {}, request: Partial<ManageRequest> = {}) =>
      management.manage({
        operation,
        input,
        cookie: member.cookie,
        address: '192.0.2.1',
        publicOrigin: publicUrl,
        ...request,
      });
    const form = () => ({ csrfToken, origin: publicUrl });

    it('returns the output, and the rights of the caller in the account', async () => {
      expect(await call('readSession')).toEqual({
        output: (await member.ask('GET', '/session')).body,
        setCookie: [],
      });
      expect(await call('readAccount')).toEqual({
        output: (await member.ask('GET', '/account')).body,
        caller: { accountId: 'default', role: 'member', operator: false },
        setCookie: [],
      });
    });

    it('needs a session, and an account of the user', async () => {
      const unknown = { code: 'invalid_api_key' };
      await expect(call('readSession', {}, { cookie: '' })).rejects.toMatchObject(unknown);
      await expect(call('readAccount', {}, { cookie: `tallyport=${'a'.repeat(43)}` })).rejects.toMatchObject(unknown);
      await expect(call('readAccount', {}, { account: 'other' })).rejects.toMatchObject({ code: 'not_found' });
    });

    it('checks access and input like the API', async () => {
      await expect(call('readAudit')).rejects.toMatchObject({ code: 'permission_denied' });
      await expect(call('createKey', { name: '' }, { form: form() })).rejects.toMatchObject({
        code: 'invalid_parameters',
        param: 'name',
      });
      await expect(call('noSuchOperation')).rejects.toMatchObject({ code: 'not_found' });
      await expect(call('exportUsage')).rejects.toMatchObject({ code: 'not_found' });
    });

    it('changes something only for a form of the session, sent once', async () => {
      const create = (sent: ManageRequest['form']) => call('createKey', { name: 'from a form' }, { form: sent });
      const refused = { code: 'permission_denied' };
      await expect(create(undefined)).rejects.toMatchObject(refused);
      await expect(create({ origin: publicUrl })).rejects.toMatchObject(refused);
      await expect(create({ csrfToken: 'x'.repeat(43) })).rejects.toMatchObject(refused);
      await expect(create({ csrfToken, origin: 'https://evil.test' })).rejects.toMatchObject(refused);
      await expect(create({ csrfToken, secFetchSite: 'cross-site' })).rejects.toMatchObject(refused);
      expect((await member.ask('GET', '/keys')).body.keys).toEqual([]);

      const sent = { ...form(), once: 'a-token' };
      expect(await create(sent)).toMatchObject({ output: { record: { name: 'from a form' } } });
      await expect(create(sent)).rejects.toMatchObject({ code: 'conflict' });
      expect((await member.ask('GET', '/keys')).body.keys).toHaveLength(1);
    });

    it('returns the cookie that operations on the session set', async () => {
      const change = { current: member.password, new: 'a new long password' };
      const { setCookie } = await call('changePassword', change, { form: form() });
      expect(setCookie).toEqual([expect.stringMatching(/^tallyport=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; /)]);
      await expect(call('readSession')).rejects.toMatchObject({ code: 'invalid_api_key' });
      const [cookie = ''] = setCookie.map((text) => text.split(';')[0] ?? '');
      const { output } = await call('readSession', {}, { cookie });
      const { csrfToken: fresh } = output as { csrfToken: string };
      const out = await call('signOut', {}, { cookie, form: { csrfToken: fresh } });
      expect(out.setCookie).toEqual(['tallyport=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0']);
      await expect(call('readSession', {}, { cookie })).rejects.toMatchObject({ code: 'invalid_api_key' });
    });

    it('records the address of the browser, and sign-ins', async () => {
      const { key } = await management.makeKey({ admin: true });
      const read = async (query: string) => (await management.ask('GET', `/audit?${query}`, { key })).body.entries;
      const body = { email: 'page@example.com', password: 'a new long password' };
      const session = await management.ask('POST', '/session', { body });
      const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
      const sent = { cookie, form: { csrfToken: session.body.csrfToken, origin: publicUrl } };
      await call('createKey', { name: 'of an address' }, { ...sent, address: '192.0.2.77' });
      expect(await read('search=192.0.2.7')).toMatchObject([
        { action: 'key.created', address: '192.0.2.77', detail: { name: 'of an address' } },
      ]);
      await call('signOut', {}, { ...sent, address: '192.0.2.78' });
      const actor = (await read('search=192.0.2.78'))[0].actor;
      const found = await read('search=page@exa&kind=session');
      expect(found.slice(0, 2)).toMatchObject([
        { action: 'session.ended', actor, address: '192.0.2.78' },
        { action: 'session.started', actor },
      ]);
      expect(found[0]).not.toHaveProperty('detail');
      expect(await read('search=page@exa&kind=provider_key')).toEqual([]);
    });

    it('names what the log is about, also what was deleted, finds entries between two times, and exports them', async () => {
      const { key } = await management.makeKey({ admin: true });
      const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
        management.ask(method, path, { key, ...(body && { body }) });
      const before = new Date().toISOString();
      const { id } = (await ask('POST', '/projects', { name: '=1+1, "deleted"' })).body;
      await ask('DELETE', `/projects/${id}`);
      const { userId } = (await ask('GET', '/members')).body.members[0];
      const after = new Date(Date.now() + 60_000).toISOString();
      const log = (await ask('GET', `/audit?from=${before}&to=${after}`)).body;
      expect(log.entries.map(({ action }: { action: string }) => action).slice(0, 2)).toEqual([
        'project.deleted',
        'project.created',
      ]);
      expect(log.entries.every(({ at }: { at: string }) => at >= before)).toBe(true);
      expect(log.names).toMatchObject({ [id]: '=1+1, "deleted"' });
      expect(log.names).not.toHaveProperty(userId);
      expect((await ask('GET', `/audit?to=${before}`)).body.entries[0].at < before).toBe(true);
      expect((await ask('GET', `/audit?from=${after}`)).body).toMatchObject({ entries: [], names: {} });
      expect((await ask('GET', '/audit?from=yesterday')).body.error.param).toBe('from');
      const headers = { authorization: `Bearer ${key}` };
      const csv = await (await fetch(`${management.address}/audit/export?search=${id}`, { headers })).text();
      const [head, deleted, ...rest] = csv.trimEnd().split('\r\n');
      expect(head).toBe('at,actor,actor_name,action,subject,subject_name,address,detail');
      expect(deleted).toContain(`,project.deleted,${id},"'=1+1, ""deleted""",`);
      expect(rest).toHaveLength(1);
    });
  });
}
