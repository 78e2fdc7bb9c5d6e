import type { McpServer, Principal } from '@tallyport/contracts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type HostileAnswer,
  listResult,
  type OpenHostileServer,
  openHostileServer,
  sendEvents,
  sendJson,
} from '../testing/open-hostile-server.ts';
import { answerBounds } from './answer-bounds.ts';
import { type OpenMcp, openMcp, principal } from '../testing/open-mcp.ts';

const user: Principal = { ...principal, mcpServers: true };
const server = { accountId: user.accountId, id: 'mcp_server_1' };

let mcp: OpenMcp;
const hostile: OpenHostileServer[] = [];
beforeEach(async () => {
  mcp = await openMcp({ ALLOW_LOCAL_TARGETS: 'true' });
});
afterEach(async () => {
  await mcp.stop();
  await Promise.all(hostile.splice(0).map((each) => each.stop()));
});

async function open(answer: HostileAnswer): Promise<OpenHostileServer> {
  const opened = await openHostileServer(answer);
  hostile.push(opened);
  mcp.behind.mcpServers = (accountId) => (accountId === user.accountId ? hostile.map(registered) : []);
  return opened;
}

const registered = ({ url }: OpenHostileServer, at: number): McpServer => ({
  id: `mcp_server_${at + 1}`,
  name: `docs${at + 1}`,
  url,
  auth: { type: 'none' },
});

/** What the test of the server shows to an admin. */
async function listed(id = server.id): Promise<unknown> {
  const { tools, error } = await mcp.testServer({ ...server, id });
  return tools?.map(({ name }) => name) ?? error?.message;
}

const repeated = (count: number, message: (at: number) => object): object[] =>
  Array.from({ length: count }, (_, at) => message(at));
const ping = (id: number): object => ({ id, method: 'ping' });
const request = (id: number): object => ({ id, method: 'roots/list' });
const notice = { method: 'notifications/message', params: { level: 'info', data: '' } };

describe('20,000 messages before the result', () => {
  test.each([
    ['pings in a stream', sendEvents, ping, 'caused too many requests.'],
    ['requests in a stream', sendEvents, request, 'sent a request. Only pings are answered.'],
    ['notices in a stream', sendEvents, () => notice, 'sent too many messages.'],
    ['pings in a batch', sendJson, ping, 'sent a message that is too complex.'],
    ['requests in a batch', sendJson, request, 'sent a message that is too complex.'],
    ['notices in a batch', sendJson, () => notice, 'sent a message that is too complex.'],
  ])('end the list at the bound: %s', async (_what, send, message, says) => {
    const { seen } = await open((asked, response) => send(response, ...repeated(20_000, message), listResult(asked)));
    expect(await listed()).toBe(`The MCP server docs1 ${says}`);
    expect(seen.requests).toBeLessThanOrEqual(answerBounds.requests + 1);
    expect(seen.answers).toBe(says.startsWith('caused') ? answerBounds.requests - handshake : 0);
    expect(seen.mostRunning).toBeLessThanOrEqual(2);
  });

  test('from five servers leave the lists of other accounts alone', async () => {
    const answer: HostileAnswer = (asked, response) =>
      sendEvents(response, ...repeated(20_000, ping), listResult(asked));
    for (let at = 0; at < 5; at += 1) await open(answer);
    const tests = hostile.map((_, at) => listed(`mcp_server_${at + 1}`));
    const other = { principal: { ...user, accountId: 'acc_2' } };
    const { status } = await mcp.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, other);
    expect(status).toBe(200);
    // The others were served while the hostile servers still sent.
    expect(hostile.every(({ seen }) => seen.answers < answerBounds.requests - handshake)).toBe(true);
    expect(await Promise.all(tests)).toEqual(
      hostile.map((_, at) => `The MCP server docs${at + 1} caused too many requests.`),
    );
    expect(hostile.map(({ seen }) => seen.mostRunning <= 2)).toEqual(hostile.map(() => true));
  });
});

describe('at the bound', () => {
  const tools = ['docs1__search'];

  test.each([
    ['a stream', sendEvents],
    ['a batch', sendJson],
  ])('messages of %s are read, and one more ends it', async (_what, send) => {
    let notices = answerBounds.messages - handshakeMessages;
    await open((asked, response) => send(response, ...repeated(notices, () => notice), listResult(asked)));
    expect(await listed()).toBe('The MCP server docs1 sent too many messages.');
    notices -= 1;
    expect(await listed()).toEqual(tools);
  });

  test('pings are answered, each once and in turn, and one more ends the list', async () => {
    let pings = answerBounds.requests - handshake + 1;
    const { seen } = await open((asked, response) => sendEvents(response, ...repeated(pings, ping), listResult(asked)));
    expect(await listed()).toBe('The MCP server docs1 caused too many requests.');
    pings -= 1;
    expect(await listed()).toEqual(tools);
    expect([seen.answers, seen.mostRunning]).toEqual([2 * pings, 1]);
  });

  test.each([
    ['a stream', sendEvents],
    ['a batch', sendJson],
  ])('an id of a ping in %s has 256 characters', async (_what, send) => {
    let id = 'i'.repeat(answerBounds.idLength + 1);
    await open((asked, response) => send(response, { id, method: 'ping' }, listResult(asked)));
    expect(await listed()).toBe('The MCP server docs1 sent a ping that cannot be answered.');
    id = id.slice(1);
    expect(await listed()).toEqual(tools);
  });

  test('requests in a batch end it', async () => {
    await open((asked, response) => sendJson(response, request(1), listResult(asked)));
    expect(await listed()).toBe('The MCP server docs1 sent a request. Only pings are answered.');
  });

  test('streams are asked for again once a second at most', async () => {
    const { seen } = await open((asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (seen.resumed < 2) response.end('id: 1\nretry: 0\ndata:\n\n');
      else response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', ...listResult({ ...asked, id: seen.asked }) })}\n\n`);
    });
    const startedAt = performance.now();
    expect(await listed()).toEqual(tools);
    expect(seen.resumed).toBe(2);
    expect(performance.now() - startedAt).toBeGreaterThan(1_900);
  });

  test('a call ends at a request, too', async () => {
    await open((asked, response) => {
      if (asked.method === 'tools/list') sendEvents(response, listResult(asked));
      else sendEvents(response, request(1), { id: asked.id, result: { content: [] } });
    });
    const { isError, content } = await mcp.callTool('docs1__search', {}, { principal: user });
    expect([isError, content[0]?.text]).toEqual([
      true,
      'The MCP server docs1 sent a request. Only pings are answered.',
    ]);
  });
});

/** The requests of a list before its answer: three of the handshake and the list itself. */
const handshake = 4;
/** The answers of the handshake that have a message. */
const handshakeMessages = 2;
