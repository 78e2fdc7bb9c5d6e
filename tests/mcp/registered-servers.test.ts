import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenUpstream, openUpstream, searchTool } from '../../services/mcp-svc/src/testing/open-upstream.ts';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { type Owner, ownerEnvironment, signInOwner } from '../provider-keys/owner.ts';
import { generations, type McpConnection } from './clients.ts';
import { patient } from '../support/patience.ts';

const header = { type: 'header', name: 'x-docs-key', value: 'header-secret-4711' };

let gateway: Gateway;
let owner: Owner;
let current: OpenUpstream;
let sessions: OpenUpstream;
beforeAll(async () => {
  gateway = await startGateway({
    ...ownerEnvironment,
    LIMIT_MCP_PER_MINUTE: '100000',
    ALLOW_LOCAL_TARGETS: 'true',
    MCP_CALL_TIMEOUT_MS: String(patient(2_000)),
  });
  owner = await signInOwner(gateway.baseUrl);
  [current, sessions] = await Promise.all([openUpstream('current'), openUpstream('sessions')]);
  for (const [name, { url }] of Object.entries({ current, sessions })) {
    const { status } = await owner.ask('POST /mcp-servers', { name, url, auth: header });
    expect(status).toBe(201);
  }
});
afterAll(async () => {
  await Promise.all([current?.stop(), sessions?.stop(), gateway?.stop()]);
});

const registeredNames = async (client: McpConnection): Promise<string[]> =>
  (await client.listTools()).map(({ name }) => name).filter((name) => name.includes('__'));

describe.each(Object.entries(generations))('%s', (_generation, connect) => {
  let client: McpConnection;
  beforeAll(async () => {
    client = await connect(gateway);
  });
  afterAll(() => client?.close());

  test('lists the tools of both servers beside our own', async () => {
    expect(await registeredNames(client)).toEqual(['current__search', 'sessions__search']);
    const tools = (await client.listTools()) as { name: string; inputSchema: object; annotations: object }[];
    const { inputSchema, annotations } = tools.find(({ name }) => name === 'sessions__search')!;
    expect({ inputSchema, annotations }).toEqual({
      inputSchema: searchTool.inputSchema,
      annotations: searchTool.annotations,
    });
  });

  describe.each(['current', 'sessions'])('a tool of a server with %s', (name) => {
    const upstream = () => (name === 'current' ? current : sessions);
    const tool = `${name}__search`;

    test('is called with the stored credentials', async () => {
      const before = upstream().requests.length;
      expect((await client.callTool(tool, { query: 'a' })).content).toEqual([
        { type: 'text', text: 'search {"query":"a"}' },
      ]);
      const sent = upstream().requests.slice(before);
      expect(sent.map(({ headers }) => headers['x-docs-key'])).toEqual(sent.map(() => header.value));
      expect(sent.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
    });

    test('passes progress on, rising', async () => {
      const { behaviour } = upstream();
      const usual = behaviour.call;
      behaviour.call = async (_name, _input, { progress }) => {
        await progress({ progress: 0.5, total: 2, message: 'half' });
        await progress({ progress: 0.25 });
        await progress({ progress: 2, total: 2 });
        return { content: [] };
      };
      const reports: object[] = [];
      await client.callTool(tool, {}, { onprogress: (report) => void reports.push(report) });
      expect(reports).toEqual([
        { progress: 0.5, total: 2, message: 'half' },
        { progress: 2, total: 2 },
      ]);
      behaviour.call = usual;
    });

    test('is cancelled when the client leaves', async () => {
      const { behaviour } = upstream();
      const usual = behaviour.call;
      const running = Promise.withResolvers<AbortSignal>();
      behaviour.call = (_name, _input, { signal }) => {
        running.resolve(signal);
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('left'))));
      };
      const leaving = new AbortController();
      const call = client.callTool(tool, {}, { signal: leaving.signal }).catch(() => 'left');
      const signal = await running.promise;
      expect(signal.aborted).toBe(false);
      leaving.abort();
      expect(await call).toBe('left');
      await expect.poll(() => signal.aborted).toBe(true);
      behaviour.call = usual;
    });

    test('ends at the deadline of calls', async () => {
      const { behaviour } = upstream();
      const usual = behaviour.call;
      behaviour.call = () => new Promise(() => {});
      expect(await client.callTool(tool, {})).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: `The MCP server ${name} did not respond in time. Try again later.` }],
      });
      behaviour.call = usual;
    });
  });
});

test('a key that allows no tool of registered servers sees none', async () => {
  const made = await owner.ask('POST /keys', { name: 'narrow', allowedMcpTools: ['current__other'] });
  const apiKey = String(made.body.key);
  const client = await generations['client 2.x']({ baseUrl: gateway.baseUrl, apiKey });
  expect(await registeredNames(client)).toEqual([]);
  await expect(client.callTool('current__search', {})).rejects.toThrow('Unknown tool: current__search');
  await client.close();
  const key = await fetch(`${gateway.baseUrl}/v1/key`, { headers: { authorization: `Bearer ${apiKey}` } });
  expect(await key.json()).toMatchObject({ allowed_mcp_tools: ['current__other'] });
});

describe.each(['SDK 1.x', 'client 2.x'] as const)('%s is notified', (generation) => {
  let client: McpConnection;
  let key: { id: string };
  let notifications = 0;
  beforeAll(async () => {
    const made = await owner.ask('POST /keys', { name: `watching ${generation}` });
    key = made.body.record as { id: string };
    client = await generations[generation]({ baseUrl: gateway.baseUrl, apiKey: String(made.body.key) });
    client.onToolsChanged(() => (notifications += 1));
    await client.listTools();
  });
  afterAll(() => client?.close());

  /** Changes something again until the client's stream is open and it is notified. */
  async function afterNotification(change: () => Promise<unknown>): Promise<string[]> {
    const before = notifications;
    await change();
    await expect.poll(() => notifications).toBeGreaterThan(before);
    return registeredNames(client);
  }
  const idOf = async (name: string): Promise<string> => {
    const { body } = await owner.ask('GET /mcp-servers');
    return String((body.mcpServers as { id: string; name: string }[]).find((server) => server.name === name)?.id);
  };

  test('when an admin disables and enables a server', async () => {
    const id = await idOf('sessions');
    const setEnabled = (enabled: boolean) => owner.ask(`PATCH /mcp-servers/${id}`, { enabled });
    expect(await afterNotification(() => setEnabled(false))).toEqual(['current__search']);
    expect(await afterNotification(() => setEnabled(true))).toEqual(['current__search', 'sessions__search']);
  });

  test('when a server has other tools', async () => {
    const test = `POST /mcp-servers/${await idOf('current')}/test`;
    current.behaviour.tools = () => [searchTool, { ...searchTool, name: 'read' }];
    expect(await afterNotification(() => owner.ask(test))).toContain('current__read');
    current.behaviour.tools = () => [searchTool];
    expect(await afterNotification(() => owner.ask(test))).not.toContain('current__read');
  });

  test('when its key may use other tools', async () => {
    const allow = (allowedMcpTools: string[]) => owner.ask(`PATCH /keys/${key.id}`, { allowedMcpTools });
    expect(await afterNotification(() => allow(['sessions']))).toEqual(['sessions__search']);
  });
});

test('a wrong secret is explained, and no secret is logged', async () => {
  const { body } = await owner.ask('POST /mcp-servers', {
    name: 'locked',
    url: current.url,
    auth: {
      type: 'client_credentials',
      tokenUrl: current.url.replace('/mcp', '/token'),
      clientId: 'gateway',
      clientSecret: 'oauth-secret-4711',
    },
  });
  current.behaviour.instead = ({ url }, response) => {
    if (url !== '/token') return false;
    response.writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'Basic realm="x"' });
    response.end('{"error":"invalid_client","error_description":"oauth-secret-4711 is wrong"}');
    return true;
  };
  const client = await generations['client 2.x'](gateway);
  await expect.poll(() => registeredNames(client)).toEqual(['current__search', 'sessions__search']);
  const { isError, content } = await client.callTool('locked__search', {});
  expect([isError, content[0]?.text]).toEqual([
    true,
    "The MCP server locked refused the gateway's credentials. An admin of the account must check them.",
  ]);
  await owner.ask(`DELETE /mcp-servers/${String(body.id)}`);
  await client.close();
  await expect.poll(gateway.output).toContain('the tools of an MCP server could not be listed');
  for (const secret of ['oauth-secret-4711', 'header-secret-4711']) expect(gateway.output()).not.toContain(secret);
});

test('the tools of a deleted server disappear', async () => {
  const { body } = await owner.ask('GET /mcp-servers');
  const [first] = body.mcpServers as { id: string; name: string }[];
  expect(first?.name).toBe('current');
  await owner.ask(`DELETE /mcp-servers/${first?.id}`);
  const client = await generations['client 2.x'](gateway);
  await expect.poll(() => registeredNames(client)).toEqual(['sessions__search']);
  await client.close();
});
