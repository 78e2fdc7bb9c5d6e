import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer, Principal } from '@tallyport/contracts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenMcp, openMcp, principal } from '../testing/open-mcp.ts';
import { type OpenUpstream, openUpstream, searchTool } from '../testing/open-upstream.ts';
import { patient } from '../../../../tests/support/patience.ts';

const user: Principal = { ...principal, mcpServers: true };
const maxBytes = 100_000;
const ownTools = 5;

let mcp: OpenMcp;
let upstream: OpenUpstream;
beforeEach(async () => {
  upstream = await openUpstream();
  mcp = await openMcp({ ALLOW_LOCAL_TARGETS: 'true', MCP_SERVERS_MAX_ANSWER_BYTES: String(maxBytes) });
  register({});
});
afterEach(async () => {
  await mcp.stop();
  await upstream.stop();
});

const serverOf = (changes: Partial<McpServer>): McpServer => ({
  id: 'mcp_server_1',
  name: 'docs',
  url: upstream.url,
  auth: { type: 'none' },
  ...changes,
});

function register(...servers: Partial<McpServer>[]): void {
  mcp.behind.mcpServers = (accountId) => (accountId === user.accountId ? servers.map(serverOf) : []);
}

async function list(by: Principal = user): Promise<{ name: string; [member: string]: unknown }[]> {
  const response = await mcp.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { principal: by });
  const { result } = (await response.json()) as { result: { tools: { name: string }[] } };
  return result.tools.slice(ownTools);
}

const names = async (by: Principal = user) => (await list(by)).map(({ name }) => name);
const call = (name: string, input: object = {}, by: Principal = user) => mcp.callTool(name, input, { principal: by });
const errorOf = async (answer: Promise<{ isError?: boolean; content: { text?: string }[]; _meta?: object }>) => {
  const { isError, content, _meta } = await answer;
  return { isError, text: content[0]?.text, meta: _meta };
};

describe('tools of a registered server', () => {
  test('are listed beside our own with schemas and annotations, and called under their own names', async () => {
    expect(await list()).toEqual([{ ...searchTool, name: 'docs__search' }]);
    expect((await call('docs__search', { query: 'a' })).content).toEqual([
      { type: 'text', text: 'search {"query":"a"}' },
    ]);
  });

  test('pass on every kind of content', async () => {
    const content = [
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'https://docs.example/1', name: 'one' },
      { type: 'resource', resource: { uri: 'https://docs.example/2', text: 'two' } },
    ];
    upstream.behaviour.call = async () => ({ content, structuredContent: { pages: [1, 2] } });
    const result = await call('docs__search');
    expect(result).toMatchObject({ content, structuredContent: { pages: [1, 2] } });
    expect(result.isError).toBe(undefined);
  });

  test('count in metrics without their name', async () => {
    await call('docs__search');
    const metrics = await mcp.metrics();
    expect(metrics).toContain('gateway_mcp_tool_duration_seconds_count{tool="registered",outcome="ok"} 1');
    expect(metrics).not.toContain('search');
  });

  test('need the scope mcp:tools', async () => {
    const params = { name: 'docs__search', arguments: {} };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const statusWith = async (...scopes: string[]) => (await mcp.post(message, { principal: user, scopes })).status;
    expect([await statusWith('mcp:models'), await statusWith('mcp:tools')]).toEqual([403, 200]);
  });
});

describe('a key', () => {
  beforeEach(() => {
    upstream.behaviour.tools = () => [searchTool, { ...searchTool, name: 'delete' }];
    register({}, { id: 'mcp_server_2', name: 'tickets' });
  });

  test.each([
    ['everything without a list', undefined, ['docs__search', 'docs__delete', 'tickets__search', 'tickets__delete']],
    ['a server', ['docs'], ['docs__search', 'docs__delete']],
    ['single tools', ['docs__search', 'tickets__delete'], ['docs__search', 'tickets__delete']],
    ['nothing', [], []],
  ])('may use %s', async (_what, allowedMcpTools, expected) => {
    const by = { ...user, ...(allowedMcpTools && { allowedMcpTools }) };
    expect(await names(by)).toEqual(expected);
    for (const name of ['docs__search', 'docs__delete', 'tickets__search', 'tickets__delete']) {
      const answer = await mcp.post(
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } },
        { principal: by },
      );
      const { error } = (await answer.json()) as { error?: { code: number } };
      expect([name, error?.code]).toEqual([name, expected.includes(name) ? undefined : -32_602]);
    }
  });

  test('of another account neither sees nor calls them', async () => {
    expect(await names({ ...user, accountId: 'acc_2' })).toEqual([]);
    const params = { name: 'docs__search', arguments: {} };
    const answer = await mcp.post(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      { principal: { ...user, accountId: 'acc_2' } },
    );
    expect(await answer.json()).toMatchObject({ error: { code: -32_602 } });
    expect(upstream.requests).toEqual([]);
  });

  test('that may use no tool of a server does not cause a request to it', async () => {
    const other = await openUpstream();
    register({}, { id: 'mcp_server_2', name: 'tickets', url: other.url });
    await list({ ...user, allowedMcpTools: ['docs'] });
    expect([upstream.requests.length > 0, other.requests]).toEqual([true, []]);
    await other.stop();
  });
});

describe('tools that change', () => {
  const server = { accountId: user.accountId, id: 'mcp_server_1' };
  const other = { ...searchTool, name: 'read' };
  type Change = { accountId: string; serverId: string; fingerprint: string };
  let changes: Change[];
  beforeEach(() => {
    changes = [];
    mcp.toolsChanged.subscribe((change) => void changes.push(change));
  });

  test('are announced once, and not while they stay the same', async () => {
    await mcp.testServer(server);
    await mcp.testServer(server);
    upstream.behaviour.tools = () => [other];
    await mcp.testServer(server);
    await mcp.testServer(server);
    await expect.poll(() => changes.length).toBe(1);
    expect(changes).toEqual([{ accountId: user.accountId, serverId: server.id, fingerprint: expect.any(String) }]);
    expect(await names()).toEqual(['docs__read']);
  });

  test('of which another replica knows are listed again before the answer', async () => {
    expect(await names()).toEqual(['docs__search']);
    upstream.behaviour.tools = () => [other];
    expect(await names()).toEqual(['docs__search']);
    mcp.toolsChanged.publish({ accountId: user.accountId, serverId: server.id, fingerprint: 'of another list' });
    await expect.poll(() => names()).toEqual(['docs__read']);
  });

  test('are listed again when the server announces them during a call', async () => {
    const sessions = await openUpstream('sessions');
    register({ url: sessions.url });
    await mcp.refresh(user.accountId);
    sessions.behaviour.call = async (_name, _input, { toolsChanged }) => {
      sessions.behaviour.tools = () => [other];
      await toolsChanged?.();
      return { content: [] };
    };
    await call('docs__search');
    await mcp.refresh(user.accountId);
    await expect.poll(() => changes.length).toBe(1);
    expect(await names()).toEqual(['docs__read']);
    await sessions.stop();
  });

  test('are looked for while a client waits, unless the list is recent', async () => {
    await mcp.refresh(user.accountId);
    const asked = upstream.requests.length;
    expect(asked).toBeGreaterThan(0);
    await mcp.refresh(user.accountId);
    expect(upstream.requests.length).toBe(asked);
  });
});

describe('a hostile list', () => {
  test.each([
    ['a name that is not valid', { name: 'a b' }],
    ['a name that is too long', { name: 'n'.repeat(123) }],
    ['a schema that is too deep', { inputSchema: nested(33) }],
    ['a schema that is too large', { inputSchema: { type: 'object', description: 'x'.repeat(32 * 1024) } }],
    ['a schema that refers to another document', { inputSchema: { type: 'object', $ref: 'http://10.0.0.1/' } }],
    ['an output schema that is too deep', { outputSchema: nested(33) }],
  ])('hides only the tool with %s', async (_what, changes) => {
    upstream.behaviour.tools = () => [{ ...searchTool, name: 'bad', ...changes }, searchTool];
    expect(await names()).toEqual(['docs__search']);
    expect(await mcp.metrics()).toContain('gateway_mcp_server_tools_left_out_total 1');
  });

  test('offers what is just within the bounds', async () => {
    upstream.behaviour.tools = () => [
      { ...searchTool, name: 'n'.repeat(122) },
      { ...searchTool, name: 'deep', inputSchema: nested(32) },
      { ...searchTool, name: 'inner', inputSchema: { type: 'object', $ref: '#/$defs/a', $defs: { a: {} } } },
    ];
    expect(await names()).toEqual([`docs__${'n'.repeat(122)}`, 'docs__deep', 'docs__inner']);
  });

  test('is cut at 200 tools', async () => {
    upstream.behaviour.tools = () => Array.from({ length: 201 }, (_, at) => ({ ...searchTool, name: `t${at}` }));
    const offered = await names();
    expect([offered.length, offered.at(-1)]).toEqual([200, 'docs__t199']);
    expect(await mcp.metrics()).toContain('gateway_mcp_server_tools_left_out_total 1');
  });

  test('cannot hide text from people, nor repeat or replace a tool', async () => {
    upstream.behaviour.tools = () => [
      { ...searchTool, description: 'Finds\u202e pages.\u{e0041}\u0007\n' + 'x'.repeat(5_000), title: 't'.repeat(300) },
      { ...searchTool, title: 'again' },
      { ...searchTool, name: 'chat', annotations: { readOnlyHint: true, evil: 'x' }, _meta: { a: 1 }, icons: [] },
    ];
    const [first, second, ...more] = await list();
    expect(first).toMatchObject({ name: 'docs__search', description: expect.stringMatching(/^Finds pages\.\nx+…$/) });
    expect([String(first?.description).length, String(first?.title).length]).toEqual([4_000, 200]);
    const { name: _name, ...rest } = searchTool;
    expect(second).toEqual({ ...rest, name: 'docs__chat', annotations: { readOnlyHint: true } });
    expect(more).toEqual([]);
  });

  test('larger than the largest response hides only its server', async () => {
    upstream.behaviour.tools = () => [{ ...searchTool, description: 'x'.repeat(maxBytes) }];
    expect(await names()).toEqual([]);
    expect(await errorOf(call('docs__search'))).toMatchObject({ isError: true, text: expect.stringContaining('docs') });
  });
});

function nested(depth: number): object {
  // The schema itself and the members of the innermost object are levels too.
  let schema: object = {};
  for (let level = 2; level < depth; level += 1) schema = { not: schema };
  return { type: 'object', not: schema };
}

describe('a result', () => {
  test('at the largest size is passed on, and one that is larger is an error', async () => {
    let length = maxBytes - 1_000;
    upstream.behaviour.call = async () => ({ content: [{ type: 'text', text: 'x'.repeat(length) }] });
    expect((await call('docs__search')).content[0]?.text?.length).toBe(length);
    length = maxBytes;
    expect(await errorOf(call('docs__search'))).toMatchObject({
      isError: true,
      text: 'The MCP server docs sent a response that is too large.',
    });
  });

  test('that is nested too deeply is an error', async () => {
    let depth = 63;
    upstream.behaviour.call = async () => ({ content: [], structuredContent: nested(depth) });
    expect((await call('docs__search')).isError).toBe(undefined);
    depth = 64;
    expect(await errorOf(call('docs__search'))).toMatchObject({
      isError: true,
      text: 'The MCP server docs sent a result that is too complex.',
    });
  });
});

describe('errors of a server', () => {
  const secret = 'Bearer secret-text-4711';
  beforeEach(() => register({ auth: { type: 'header', name: 'Authorization', value: secret } }));

  test('are in the result, without the secret', async () => {
    await names();
    upstream.behaviour.call = async () => ({
      content: [{ type: 'text', text: `you sent ${secret} and secret-text-4711` }],
      isError: true,
    });
    expect(await errorOf(call('docs__search'))).toMatchObject({
      isError: true,
      text: 'you sent [secret] and [secret]',
    });
    upstream.behaviour.call = () => Promise.reject(new Error(`no such page for secret-text-4711`));
    expect(await errorOf(call('docs__search'))).toEqual({
      isError: true,
      text: expect.stringMatching(/^docs: .*no such page for \[secret\]$/),
      meta: { 'tallyport/error': { code: 'upstream_error' } },
    });
    expect(upstream.requests.every(({ headers }) => headers.authorization === secret)).toBe(true);
  });

  test('and everything else that it sends have no secret', async () => {
    const text = 'for secret-text-4711';
    const schema = { type: 'object', properties: { 'secret-text-4711': { type: 'string', description: text } } };
    const tool = { ...searchTool, title: text, description: text, inputSchema: schema, outputSchema: schema };
    upstream.behaviour.tools = () => [tool, { ...tool, name: 'secret-text-4711' }];
    const shown = { type: 'object', properties: { '[secret]': { type: 'string', description: 'for [secret]' } } };
    expect(await list()).toEqual([
      {
        ...searchTool,
        name: 'docs__search',
        title: 'for [secret]',
        description: 'for [secret]',
        inputSchema: shown,
        outputSchema: shown,
      },
    ]);
    const { tools } = await mcp.testServer({ accountId: user.accountId, id: 'mcp_server_1' });
    expect(tools).toEqual([{ name: 'docs__search', title: 'for [secret]', description: 'for [secret]' }]);
  });

  test('have no secret in the progress before them', async () => {
    upstream.behaviour.call = async (_name, _input, { progress }) => {
      await progress({ progress: 1, message: secret });
      return { content: [] };
    };
    const params = { name: 'docs__search', arguments: {}, _meta: { progressToken: 'p' } };
    const headers = { accept: 'application/json, text/event-stream' };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const sent = await (await mcp.post(message, { principal: user, headers })).text();
    expect(sent).toContain('"message":"[secret]"');
  });

  test.each([
    [401, 'upstream_auth', "refused the gateway's credentials. An admin of the account must check them."],
    [403, 'upstream_auth', "refused the gateway's credentials. An admin of the account must check them."],
    [429, 'providers_rate_limited', 'is rate limited. Try again later.'],
    [500, 'upstream_error', 'does not respond correctly. Try again later.'],
  ])('with status %i are explained without their body', async (status, code, text) => {
    await names();
    upstream.behaviour.instead = (request, response) => {
      response.writeHead(status, { 'content-type': 'text/plain' }).end(`refused ${request.headers.authorization}`);
      return true;
    };
    expect(await errorOf(call('docs__search'))).toEqual({
      isError: true,
      text: `The MCP server docs ${text}`,
      meta: { 'tallyport/error': { code } },
    });
  });

  test('include answers that break off', async () => {
    await names();
    upstream.behaviour.call = async () => {
      upstream.behaviour.instead = () => false;
      return new Promise(() => {});
    };
    const answer = errorOf(call('docs__search'));
    await expect.poll(() => upstream.requests.length).toBeGreaterThan(2);
    await upstream.stop();
    expect(await answer).toMatchObject({ isError: true, text: expect.stringContaining('docs does not respond') });
    upstream = await openUpstream();
  });
});

describe('a server that does not respond', () => {
  test('hides only its tools, and costs later lists no wait', async () => {
    const silent = await openUpstream();
    silent.behaviour.instead = () => true;
    register({}, { id: 'mcp_server_2', name: 'silent', url: silent.url });
    const list = async () => {
      const startedAt = performance.now();
      expect(await names()).toEqual(['docs__search']);
      return performance.now() - startedAt;
    };
    const waitedMs = await list();
    expect(waitedMs).toBeGreaterThan(2_900);
    expect(waitedMs).toBeLessThan(patient(20_000));
    // The lesser of two: a busy machine delays one by seconds.
    expect(Math.min(await list(), await list())).toBeLessThan(patient(2_900));
    expect(await errorOf(call('silent__search'))).toEqual({
      isError: true,
      text: 'The MCP server silent does not respond. Try again later.',
      meta: { 'tallyport/error': { code: 'unavailable' } },
    });
    await silent.stop();
  });

  test('is not called for a while after three failures', async () => {
    await names();
    upstream.behaviour.instead = (_request, response) => {
      response.writeHead(503).end();
      return true;
    };
    for (let time = 0; time < 3; time += 1) await call('docs__search');
    const before = upstream.requests.length;
    expect(await errorOf(call('docs__search'))).toEqual({
      isError: true,
      text: expect.stringMatching(/^The MCP server docs does not respond at present\. Retry after \d s\.$/),
      meta: { 'tallyport/error': { code: 'unavailable', retryAfter: expect.any(Number) } },
    });
    expect(upstream.requests.length).toBe(before);
    expect(await names()).toEqual(['docs__search']);
  });

  test('does not affect our own tools when auth-svc is unavailable', async () => {
    mcp.behind.mcpServers = () => Promise.reject(new Error('away'));
    expect(await names()).toEqual([]);
    expect(await errorOf(call('docs__search'))).toMatchObject({
      isError: true,
      text: expect.stringContaining("Your account's MCP servers could not be loaded."),
    });
  });
});

test('a change of a server applies from the next request on', async () => {
  const other = await openUpstream();
  other.behaviour.tools = () => [{ ...searchTool, name: 'other' }];
  expect(await names()).toEqual(['docs__search']);
  register({ url: other.url });
  mcp.announce(user.accountId);
  expect(await names()).toEqual(['docs__other']);
  register();
  mcp.announce(user.accountId);
  expect(await names()).toEqual([]);
  await other.stop();
});

describe('addresses', () => {
  test('of a redirect are not followed', async () => {
    let reached = 0;
    const target = createServer((_request, response) => {
      reached += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(target, 'listening');
    const { port } = target.address() as AddressInfo;
    upstream.behaviour.instead = (_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end();
      return true;
    };
    expect(await names()).toEqual([]);
    expect(await errorOf(call('docs__search'))).toMatchObject({ isError: true });
    expect(reached).toBe(0);
    target.close();
  });

  test('must be public unless the operator allows loopback', async () => {
    await mcp.stop();
    mcp = await openMcp();
    register(
      {},
      { id: 'mcp_server_2', name: 'named', url: upstream.url.replace('http://127.0.0.1', 'https://localhost') },
    );
    expect(await names()).toEqual([]);
    expect(upstream.requests).toEqual([]);
  });
});

test('calls of a batch after the first count in the limit of /mcp', async () => {
  const limits = { key: { requestsPerMinute: { mcp: 1 } } };
  const batch = [1, 2, 3].map((id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'docs__search', arguments: {} },
  }));
  const headers = { 'mcp-protocol-version': '2025-03-26' };
  const answers = (await (await mcp.post(batch, { principal: user, limits, headers })).json()) as {
    id: number;
    result: { isError?: boolean };
  }[];
  expect(answers.toSorted((a, b) => a.id - b.id).map(({ result }) => result.isError)).toEqual([
    undefined,
    undefined,
    true,
  ]);
});
