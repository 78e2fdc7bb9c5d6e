import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answering, openMcp, type OpenMcp } from './testing/open-mcp.ts';

let mcp: OpenMcp;
beforeAll(async () => {
  mcp = await openMcp();
});
afterAll(() => mcp.stop());

const call = (name: string, input: string, more = '') =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${input}${more}}}`;
const list = (element: string, count: number) => `[${`${element},`.repeat(count)}${element}]`;

test.each([
  ['three million objects', call('chat', `{"messages":${list('{}', 3_000_000)}}`), 413, 'more than 100000 JSON values'],
  [
    'deep nesting in _meta',
    call('chat', '{}', `,"_meta":{"a":${'['.repeat(300)}${']'.repeat(300)}}`),
    400,
    'deeper than 200 levels',
  ],
])('refuses %s before parsing', async (_name, body, status, words) => {
  const response = await mcp.post(body);
  expect([response.status, await response.json()]).toEqual([
    status,
    { jsonrpc: '2.0', id: null, error: { code: expect.any(Number), message: expect.stringContaining(words) } },
  ]);
});

test.each([
  ['a number out of range', '1e400', 400],
  ['a number above the safe integers', '9007199254740992', 400],
  ['the largest safe integer', '9007199254740991', 200],
  ['a fraction', '1.5', 400],
  ['nothing', 'null', 400],
  ['a list', '[1]', 400],
  ['a text', '"a"', 200],
  ['the longest text', JSON.stringify('a'.repeat(1_000)), 200],
  ['a longer text', JSON.stringify('a'.repeat(1_001)), 400],
])('answers an id that is %s', async (_name, id, status) => {
  const response = await mcp.post(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`);
  expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ jsonrpc: '2.0' })]);
});

test('requires unique request ids within a batch; ids of responses are ignored', async () => {
  const message = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'tools/list' });
  const { status } = await mcp.post([message(1), message('1'), { jsonrpc: '2.0', id: 1, result: {} }]);
  expect(status).toBe(200);
  const response = await mcp.post([message(1), message(2), message(1)]);
  expect([response.status, await response.json()]).toEqual([
    400,
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_600, message: 'Invalid request: Each message of a batch needs a unique "id".' },
    },
  ]);
});

test('reports only the first of many invalid messages', async () => {
  const { content } = await mcp.callTool('chat', { model: 'm', messages: Array.from({ length: 1_000 }, () => ({})) });
  expect(content).toEqual([
    {
      type: 'text',
      text: 'Invalid arguments. messages.0.role is missing.',
    },
  ]);
});

test('reports many unknown arguments briefly', async () => {
  const input = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`argument-${at}`, 0]));
  const { content } = await mcp.callTool('list-models', input);
  expect(content[0]?.text).toMatch(/^Invalid arguments\. arguments has the unknown members "argument-0"/);
  expect(content[0]?.text?.length).toBeLessThan(400);
});

const refused = (message: string) => ({ jsonrpc: '2.0', id: null, error: { code: -32_600, message } });
const tools = ['chat', 'generate-image', 'generate-preview-image', 'list-models', 'list-image-models'];

describe.each(tools)('%s', (name) => {
  const post = async (params: unknown) => {
    const response = await mcp.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    return [response.status, await response.json()];
  };

  test.each([
    ['a list', [1]],
    ['a text', 'x'],
    ['a number', 1],
  ])('refuses arguments that are %s', async (_kind, given) => {
    const words = 'Invalid request: "params.arguments" must be a JSON object.';
    expect(await post({ name, arguments: given })).toEqual([400, refused(words)]);
  });

  test('limits the progress token to 1000 characters', async () => {
    const withToken = (length: number) =>
      post({ name, arguments: { no: 1 }, _meta: { progressToken: 'x'.repeat(length) } });
    expect(await withToken(1_000)).toEqual([200, expect.objectContaining({ id: 1 })]);
    const words = 'Invalid request: "params._meta.progressToken" may have at most 1000 characters.';
    expect(await withToken(1_001)).toEqual([400, refused(words)]);
  });

  test('truncates an unknown tool name to 100 characters', async () => {
    const [status, body] = await post({ name: name.padEnd(1_000_000, 'x'), arguments: {} });
    const message = `Unknown tool: ${name.padEnd(100, 'x')}…. tools/list lists all tools.`;
    expect([status, body]).toEqual([200, { jsonrpc: '2.0', id: 1, error: { code: -32_602, message } }]);
  });
});

test.each([
  ['no params', undefined],
  ['params without a name', { arguments: {} }],
  ['a name that is a number', { name: 1 }],
])('answers a call with %s with the missing tool name', async (_name, params) => {
  const response = await mcp.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  expect([response.status, await response.json()]).toEqual([
    400,
    refused('Invalid request: "params.name" must be the name of a tool.'),
  ]);
});

test('accepts null as no arguments', async () => {
  mcp.behind.listModels = async () => answering({ data: [] });
  for (const name of ['list-models', 'list-image-models']) {
    expect(await mcp.callTool(name, null)).not.toHaveProperty('isError');
  }
});

test('describes an unsupported content type', async () => {
  const { content } = await mcp.callTool('chat', { model: 'm', messages: [{ role: 'user', content: 1 }] });
  expect(content[0]?.text).toBe(
    'Invalid arguments. messages.0.content must be a string, a list of parts with a type, or null.',
  );
});
