import { hashKey } from '@tallyport/contracts';
import type { ApiCaller } from '@tallyport/management-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authenticate } from '../keys/authenticate.ts';
import { createKey, operator } from '../keys/create-key.ts';
import { databasesWithSecrets, type OpenedWithSecrets } from '../testing/databases-with-secrets.ts';
import { maxMcpServers } from './create-mcp-server.ts';
import { loadMcpServers } from './load-mcp-servers.ts';
import { mcpServerEndpoints } from './mcp-server-endpoints.ts';

const url = 'https://docs.example/mcp';
const header = { type: 'header', name: 'Authorization', value: 'Bearer plain-text-4711' } as const;
const oauth = {
  type: 'client_credentials',
  tokenUrl: 'https://login.example/token',
  clientId: 'gateway',
  clientSecret: 'plain-secret-4711',
  scope: 'read write',
  resource: 'https://docs.example/mcp',
} as const;
const changePath = 'PATCH /mcp-servers/{id}';

describe.each(databasesWithSecrets)('MCP servers in %s', (_name, open) => {
  let opened: OpenedWithSecrets;
  let accounts = 0;
  let caller: ApiCaller;
  let notices: unknown[] = [];
  let ask: (name: string, input: unknown) => Promise<unknown>;

  beforeAll(async () => {
    opened = await open();
    const endpoints = mcpServerEndpoints({
      ...opened.tools,
      targetUrls: { allowLocal: false },
      testMcpServer: async () => ({ durationMs: 1, tools: [] }),
      announce: { mcpServerChanged: (...change) => void notices.push(change) },
    });
    ask = async (name, input) => {
      const found = endpoints.find(({ operation: { method, path } }) => `${method} ${path}` === name);
      return found?.run(input, caller, { address: '', sessionToken: undefined, setSession() {} });
    };
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    accounts += 1;
    const id = `account-${accounts}`;
    await opened.tools.database.kysely.insertInto('accounts').values({ id, name: id }).execute();
    caller = { accountId: id, actor: 'key:k', role: 'admin', operator: false };
    notices = [];
  });

  const create = (input: object = {}) =>
    ask('POST /mcp-servers', { name: 'docs', url, ...input }) as Promise<{ id: string }>;
  const change = (id: string, changes: object) => ask(changePath, { id, ...changes });
  const load = () => loadMcpServers(opened.tools, caller.accountId);
  const list = () => ask('GET /mcp-servers', {});
  const secretsLeft = () =>
    opened.tools.database.kysely
      .selectFrom('secrets')
      .select('id')
      .where('account_id', '=', caller.accountId)
      .execute();

  it('are registered, listed without their secret, loaded with it, changed and deleted', async () => {
    const created = await create({ auth: header });
    const record = {
      id: expect.stringMatching(/^mcp_server_[0-9a-f]{32}$/),
      name: 'docs',
      url,
      auth: { type: 'header', name: 'Authorization', lastFour: '4711' },
      enabled: true,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    };
    expect(created).toEqual(record);
    const { id } = created;
    expect(await list()).toEqual({ mcpServers: [record] });
    expect(await load()).toEqual([{ id, name: 'docs', url, auth: header }]);

    const { clientSecret: _secret, ...others } = oauth;
    const shown = { ...others, lastFour: '4711' };
    expect(await change(id, { name: 'papers', auth: oauth })).toEqual({ ...record, name: 'papers', auth: shown });
    expect(await load()).toEqual([{ id, name: 'papers', url, auth: oauth }]);
    expect(await change(id, { enabled: false })).toMatchObject({ enabled: false, name: 'papers', auth: shown });
    expect(await load()).toEqual([]);
    expect(await change(id, { enabled: true, auth: { type: 'none' } })).toMatchObject({ auth: { type: 'none' } });
    expect(await load()).toEqual([{ id, name: 'papers', url, auth: { type: 'none' } }]);
    expect(await secretsLeft()).toEqual([]);

    expect(await ask('DELETE /mcp-servers/{id}', { id })).toMatchObject({ id });
    expect(await list()).toEqual({ mcpServers: [] });
    const changes = ['created', 'changed', 'changed', 'changed', 'deleted'];
    expect(notices).toEqual(changes.map((kind) => [kind, { id, accountId: caller.accountId }]));

    const audit = await opened.tools.database.kysely
      .selectFrom('audit_log')
      .select(['actor', 'action', 'subject', 'detail'])
      .where('account_id', '=', caller.accountId)
      .orderBy('id')
      .execute();
    const entry = { actor: 'key:k', subject: id };
    expect(audit).toEqual([
      { ...entry, action: 'mcp_server.created', detail: { name: 'docs', url, auth: record.auth } },
      { ...entry, action: 'mcp_server.changed', detail: { name: 'papers', auth: shown } },
      { ...entry, action: 'mcp_server.changed', detail: { enabled: false } },
      { ...entry, action: 'mcp_server.changed', detail: { enabled: true, auth: { type: 'none' } } },
      { ...entry, action: 'mcp_server.deleted', detail: { name: 'papers', url } },
    ]);
  });

  it('are deleted with their secret', async () => {
    const { id } = await create({ auth: oauth });
    expect(await secretsLeft()).toEqual([{ id }]);
    await ask('DELETE /mcp-servers/{id}', { id });
    expect(await secretsLeft()).toEqual([]);
  });

  it('keep their stored secret only for the URL it was stored for', async () => {
    const { id } = await create({ auth: header });
    const other = 'https://other.example/mcp';
    await expect(change(id, { url: other })).rejects.toMatchObject({ code: 'invalid_parameters', param: 'auth' });
    expect(await change(id, { url })).toMatchObject({ url });
    expect(await change(id, { url: other, auth: header })).toMatchObject({ url: other });
    expect(await change(id, { url, auth: { type: 'none' } })).toMatchObject({ url });
    expect(await change(id, { url: other })).toMatchObject({ url: other });
  });

  it('of another account are not visible', async () => {
    const { id } = await create();
    caller = { ...caller, accountId: 'default' };
    const missing = { code: 'not_found', status: 404 };
    await expect(change(id, { enabled: false })).rejects.toMatchObject(missing);
    await expect(ask('DELETE /mcp-servers/{id}', { id })).rejects.toMatchObject(missing);
    expect(await list()).toEqual({ mcpServers: [] });
    expect(await load()).toEqual([]);
  });

  it('have names that are unique in their account', async () => {
    const { id } = await create();
    const taken = { code: 'conflict', param: 'name' };
    await expect(create()).rejects.toMatchObject(taken);
    const other = await create({ name: 'other' });
    await expect(change(other.id, { name: 'docs' })).rejects.toMatchObject(taken);
    expect(await change(id, { name: 'docs' })).toMatchObject({ name: 'docs' });
  });

  it('are limited to twenty per account, even if registered concurrently', async () => {
    for (let at = 2; at < maxMcpServers; at += 1) await create({ name: `server-${at}` });
    const made = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => create({ name })));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(create({ name: 'more' })).rejects.toThrow('An account can have at most 20 MCP servers');
  });

  it.each([
    [
      'plain http',
      { url: 'http://docs.example/mcp' },
      '`url`: must be an https URL at a public address, or at a private one of the setting PRIVATE_TARGETS, without a user name or password.',
    ],
    [
      'a private address',
      { url: 'https://10.0.0.1/mcp' },
      '`url`: must be an https URL at a public address, or at a private one of the setting PRIVATE_TARGETS, without a user name or password.',
    ],
    [
      'loopback',
      { url: 'https://[::1]/mcp' },
      '`url`: must be an https URL at a public address, or at a private one of the setting PRIVATE_TARGETS, without a user name or password.',
    ],
    [
      'cloud metadata',
      { url: 'https://169.254.169.254/' },
      '`url`: must be an https URL at a public address, or at a private one of the setting PRIVATE_TARGETS, without a user name or password.',
    ],
    ['credentials in the URL', { url: 'https://a:b@docs.example/' }, '`url`: must be an https URL'],
    ['a private token URL', { auth: { ...oauth, tokenUrl: 'https://127.0.0.1/' } }, '`auth.tokenUrl`: must be an'],
    ['an underscore in the name', { name: 'a_b' }, 'name must be 1 to 32 lower-case letters'],
    ['a name of 33 characters', { name: 'a'.repeat(33) }, 'name must be 1 to 32 lower-case letters'],
    ['a header of the protocol', { auth: { ...header, name: 'mcp-session-id' } }, 'is set by the gateway'],
    ['a header that frames the body', { auth: { ...header, name: 'Content-Length' } }, 'is set by the gateway'],
    ['a line break in the secret', { auth: { ...header, value: 'a\r\nx-evil: 1' } }, 'visible ASCII characters'],
    ['an unknown member', { headers: {} }, 'has the unknown member "headers"'],
  ])('with %s are refused', async (_what, input, message) => {
    await expect(create(input)).rejects.toThrow(message);
    expect(await list()).toEqual({ mcpServers: [] });
  });

  it('can be registered disabled', async () => {
    expect(await create({ enabled: false })).toMatchObject({ enabled: false });
    expect(await load()).toEqual([]);
  });

  it('accept the longest name', async () => {
    expect(await create({ name: 'a'.repeat(32) })).toMatchObject({ name: 'a'.repeat(32) });
  });

  it('are announced in the principal while one is enabled', async () => {
    const { key } = await createKey(opened.tools.database, { ...operator, accountId: caller.accountId }, { name: 'k' });
    const announced = async () => (await authenticate(opened.tools.database, hashKey(key)))?.principal.mcpServers;
    expect(await announced()).toBe(undefined);
    const { id } = await create();
    expect(await announced()).toBe(true);
    await change(id, { enabled: false });
    expect(await announced()).toBe(undefined);
  });

  it('can be listed by members and managed by admins', () => {
    const endpoints = mcpServerEndpoints({
      ...opened.tools,
      targetUrls: { allowLocal: false },
      testMcpServer: async () => ({ durationMs: 1, tools: [] }),
      announce: { mcpServerChanged() {} },
    });
    expect(endpoints.map(({ operation: { method, access } }) => [method, access])).toEqual([
      ['GET', 'member'],
      ['POST', 'admin'],
      ['PATCH', 'admin'],
      ['POST', 'admin'],
      ['DELETE', 'admin'],
    ]);
  });
});
