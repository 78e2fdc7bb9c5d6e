import type { McpServerRecord } from '@tallyport/management';
import { expect, test } from 'vitest';
import { describeStep } from '../describe-changes.ts';
import { readGatewayDocument } from '../read-gateway-document.ts';
import { emptyAccount, testedAt as createdAt } from '../testing/account-state.ts';
import { planMcpServers } from './plan-mcp-servers.ts';

const url = 'https://docs.example/mcp';
const text = 'Bearer of the server 4711';
const reference = { fromFile: 'docs' };
const header = { type: 'header', name: 'Authorization', value: reference };
const oauth = {
  type: 'client_credentials',
  tokenUrl: 'https://login.example/token',
  clientId: 'gateway',
  clientSecret: reference,
};

const documentOf = (mcpServers: object) =>
  readGatewayDocument(
    'gateway.yaml',
    JSON.stringify({ apiVersion: 'tallyport/v1', kind: 'Gateway', accounts: { Search: { mcpServers } } }),
  ).document.accounts['Search']?.mcpServers ?? {};

const server = (name: string, changes: Partial<McpServerRecord> = {}): McpServerRecord => ({
  id: `mcp_server_${name}`,
  name,
  url,
  auth: { type: 'header', name: 'Authorization', lastFour: '4711' },
  enabled: true,
  createdAt,
  updatedAt: createdAt,
  ...changes,
});

function plan(entry: object, mcpServers: McpServerRecord[] = [], secret = text) {
  const part = { account: 'Search', entry: documentOf(entry), state: { ...emptyAccount, mcpServers } };
  const { steps, extra, problems, unchanged } = planMcpServers(part, { secrets: () => secret });
  return { steps: steps.map(describeStep), extra: extra.map(describeStep), problems, unchanged };
}

test('servers are created, without their secrets in the plan', () => {
  expect(plan({ docs: { url, auth: header }, open: { url, enabled: false }, wiki: { url, auth: oauth } })).toEqual({
    steps: [
      'create  MCP server "docs": url https://docs.example/mcp, auth {"name":"Authorization","type":"header"}, enabled true',
      'create  MCP server "open": url https://docs.example/mcp, auth {"type":"none"}, enabled false',
      'create  MCP server "wiki": url https://docs.example/mcp, auth {"clientId":"gateway","tokenUrl":"https://login.example/token","type":"client_credentials"}, enabled true',
    ],
    extra: [],
    problems: [],
    unchanged: 0,
  });
});

test('servers that are as wanted are unchanged, and others are deleted only on request', () => {
  const { type, tokenUrl, clientId } = { ...oauth, type: 'client_credentials' as const };
  const existing = [
    server('docs'),
    server('open', { auth: { type: 'none' } }),
    server('wiki', { auth: { type, tokenUrl, clientId, lastFour: '4711' } }),
    server('by-hand'),
  ];
  expect(plan({ docs: { url, auth: header }, open: { url }, wiki: { url, auth: oauth } }, existing)).toEqual({
    steps: [],
    extra: ['delete  MCP server "by-hand"'],
    problems: [],
    unchanged: 3,
  });
});

test.each<[string, Partial<McpServerRecord>, string]>([
  ['another URL', { url: 'https://old.example' }, 'url https://old.example → https://docs.example/mcp'],
  ['off', { enabled: false }, 'enabled false → true'],
  [
    'another header',
    { auth: { type: 'header', name: 'X-Key', lastFour: '4711' } },
    'auth {"name":"X-Key","type":"header"} → {"name":"Authorization","type":"header"}',
  ],
  [
    'another secret',
    { auth: { type: 'header', name: 'Authorization', lastFour: '0815' } },
    'secret another secret → the secret it refers to',
  ],
  [
    'a secret that was not recorded',
    { auth: { type: 'header', name: 'Authorization' } },
    'secret another secret → the secret it refers to',
  ],
])('a server that has %s is changed', (_what, changes, change) => {
  expect(plan({ docs: { url, auth: header } }, [server('docs', changes)])).toEqual({
    steps: [`change  MCP server "docs": ${change}`],
    extra: [],
    problems: [],
    unchanged: 0,
  });
});

test('a secret that no header can carry is a problem that does not show it', () => {
  expect(plan({ docs: { url, auth: header } }, [], 'two\nlines').problems).toEqual([
    {
      path: ['accounts', 'Search', 'mcpServers', 'docs', 'auth', 'value'],
      message: 'must be 1 to 4096 visible ASCII characters',
    },
  ]);
});

test.each<[string, object, string]>([
  ['with a secret in the document', { docs: { url, auth: { ...header, value: text } } }, 'must be { fromEnv: NAME }'],
  ['with an underscore in its name', { my_docs: { url } }, 'must be 1 to 32 lower-case letters'],
  ['without a URL', { docs: {} }, 'url must be a string'],
])('a server %s is refused', (_what, entry, problem) => {
  expect(() => documentOf(entry)).toThrow(problem);
});
