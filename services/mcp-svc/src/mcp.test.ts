import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answering, openMcp, type OpenMcp, principal } from './testing/open-mcp.ts';

let mcp: OpenMcp;
beforeAll(async () => {
  mcp = await openMcp({ MCP_MAX_BODY_BYTES: '1024' });
});
afterAll(() => mcp.stop());

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const resultOf = async (response: Response) => ({ status: response.status, body: await response.json() });
const rpcError = (code: number, message: unknown, id: unknown = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

describe('access', () => {
  test('a plain GET describes the server to anyone', async () => {
    const response = await mcp.ask('/mcp?probe=1');
    expect(await resultOf(response)).toEqual({
      status: 200,
      body: {
        name: 'tallyport',
        version: '0.1.0',
        transport: 'streamable-http',
        protocolVersions: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
        status: 'ok',
      },
    });
  });

  test('refuses a POST that names no caller', async () => {
    const response = await mcp.post(list, { anonymous: true });
    expect(await resultOf(response)).toEqual({
      status: 401,
      body: rpcError(-32_001, 'This server only accepts requests from the gateway. Use its public address.'),
    });
  });

  test('accepts a caller with a thousand allowed models', async () => {
    const allowedModels = Array.from({ length: 1_000 }, (_, index) => `${index}`.padEnd(200, 'x'));
    expect((await mcp.post(list, { principal: { ...principal, allowedModels } })).status).toBe(200);
  });

  test('an OAuth token can call what its scopes allow', async () => {
    mcp.behind.listModels = async () => answering({ object: 'list', data: [] });
    const call = (name: string) => ({ ...list, method: 'tools/call', params: { name, arguments: {} } });
    const scopes = ['mcp:models'];
    expect((await mcp.post(list, { scopes })).status).toBe(200);
    expect((await mcp.post(call('list-models'), { scopes })).status).toBe(200);
    const refused = await mcp.post(call('chat'), { scopes });
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer realm="tallyport", error="insufficient_scope", scope="mcp:tools mcp:models", resource_metadata="https://gateway.example/.well-known/oauth-protected-resource/mcp"',
    );
    expect(await resultOf(refused)).toEqual({
      status: 403,
      body: rpcError(-32_000, 'This token lacks the scope mcp:tools. Authorise again with this scope.'),
    });
    const batched = await mcp.post([call('list-models'), { ...call('chat'), id: 2 }], { scopes });
    expect(batched.status).toBe(403);
  });
});

describe('requests that are not valid MCP', () => {
  test.each([
    ['/mcp', 'DELETE', 405],
    ['/mcp', 'HEAD', 200],
    ['/mcp/', 'HEAD', 200],
  ])('%s answers %s with %i', async (path, method, status) => {
    expect((await mcp.ask(path, { method })).status).toBe(status);
  });

  test.each([
    ['broken JSON', '{bad', 400, rpcError(-32_700, 'Parse error: the body must be JSON.')],
    ['nothing', '', 400, rpcError(-32_700, 'Parse error: the body must be JSON.')],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 400, rpcError(-32_700, expect.any(String))],
    ['a number', '1', 400, rpcError(-32_600, 'Invalid request: A message must be a JSON object.')],
    [
      'another JSON-RPC',
      { ...list, jsonrpc: '1.0' },
      400,
      rpcError(-32_600, 'Invalid request: "jsonrpc" must be "2.0".'),
    ],
    ['an empty batch', [], 400, rpcError(-32_600, 'Invalid request: A batch must have 1 to 20 messages, not 0.')],
    [
      '21 messages',
      Array.from({ length: 21 }, () => ({ jsonrpc: '2.0', method: 'x' })),
      400,
      rpcError(-32_600, expect.any(String)),
    ],
    ['an unknown method', { ...list, method: 'tools/destroy' }, 200, rpcError(-32_601, 'Method not found', 1)],
    [
      'an unknown tool',
      { ...list, method: 'tools/call', params: { name: 'nope' } },
      200,
      rpcError(-32_602, 'Unknown tool: nope. tools/list lists all tools.', 1),
    ],
  ])('answers %s as JSON-RPC', async (_name, body, status, answer) => {
    expect(await resultOf(await mcp.post(body))).toEqual({ status, body: answer });
  });

  test('accepts a body at the limit and refuses one byte more', async () => {
    const padded = (bytes: number) => JSON.stringify(list).padEnd(bytes, ' ');
    expect((await mcp.post(padded(1024))).status).toBe(200);
    const refused = { status: 413, body: rpcError(-32_000, expect.stringContaining('MCP_MAX_BODY_BYTES')) };
    expect(await resultOf(await mcp.post(padded(1025)))).toEqual(refused);
  });

  test('refuses another content type', async () => {
    expect((await mcp.post(list, { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  });
});

describe('the protocol', () => {
  const initialize = (protocolVersion: string) => ({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });

  test.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ])('answers initialize with %s by %s, without a session', async (requested, negotiated) => {
    const response = await mcp.post(initialize(requested));
    expect(response.headers.get('mcp-session-id')).toBeNull();
    const { result } = (await response.json()) as { result: Record<string, unknown> };
    expect(result).toEqual({
      protocolVersion: negotiated,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'tallyport', title: 'Tallyport', version: '0.1.0' },
      instructions: expect.stringContaining('list-models'),
    });
  });

  const modern = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const modernHeaders = (method: string) => ({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method });

  test('the current revision needs no initialize', async () => {
    const discover = { ...list, method: 'server/discover', params: { _meta: modern } };
    const response = await mcp.post(discover, { headers: modernHeaders('server/discover') });
    const { result } = (await response.json()) as { result: Record<string, unknown> };
    expect(result['capabilities']).toEqual({ tools: {} });
    expect(result).toMatchObject({
      supportedVersions: expect.arrayContaining(['2026-07-28']),
    });
    const listed = await mcp.post({ ...list, params: { _meta: modern } }, { headers: modernHeaders('tools/list') });
    expect(await listed.json()).toMatchObject({ result: { ttlMs: 300_000, cacheScope: 'public' } });
  });

  test.each(['resources/list', 'resources/subscribe', 'resources/unsubscribe', 'prompts/list', 'logging/setLevel'])(
    '%s belongs to a capability that is not declared, and is an unknown method in both revisions',
    async (method) => {
      const params = { uri: 'file:///notes', level: 'info' };
      const codeOf = async (response: Response) =>
        ((await response.json()) as { error?: { code: number } }).error?.code;
      expect(await codeOf(await mcp.post({ ...list, method, params }))).toBe(-32_601);
      const current = { ...list, method, params: { ...params, _meta: modern } };
      expect(await codeOf(await mcp.post(current, { headers: modernHeaders(method) }))).toBe(-32_601);
    },
  );

  test('a subscription of the current revision is acknowledged without any notification, and ends', async () => {
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['file:///notes'] };
    const listen = { ...list, method: 'subscriptions/listen', params: { notifications, _meta: modern } };
    const response = await mcp.post(listen, { headers: modernHeaders('subscriptions/listen') });
    const sent = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
    expect(sent).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged' },
      { id: list.id, result: { resultType: 'complete' } },
    ]);
    expect(sent[0].params.notifications).toEqual({});
  });

  test('lists tools without initialize, for any Accept header and with a stale session', async () => {
    for (const accept of ['*/*', 'application/json', 'text/event-stream', 'text/html']) {
      const response = await mcp.post(list, { headers: { accept, 'mcp-session-id': 'of-yesterday' } });
      expect(response.status).toBe(200);
      const { result } = (await response.json()) as { result: { tools: { name: string }[] } };
      expect(result.tools.map(({ name }) => name)).toEqual([
        'chat',
        'generate-image',
        'generate-preview-image',
        'list-models',
        'list-image-models',
      ]);
    }
  });

  test('lists the same tools each time, under the id of the request, and only for valid requests', async () => {
    const ask = async (id: unknown, headers: Record<string, string> = {}) =>
      resultOf(await mcp.post({ ...list, id }, { headers }));
    const first = await ask(1);
    for (const id of [1, 'a "quoted" one', 0, -2]) {
      expect(await ask(id)).toEqual({ status: 200, body: { ...(first.body as object), id } });
    }
    const { result, ...rest } = first.body as { result: object };
    expect(rest).toEqual({ jsonrpc: '2.0', id: 1 });
    const modernList = { ...list, params: { _meta: modern } };
    for (const id of [1, 2]) {
      const answer = await resultOf(await mcp.post({ ...modernList, id }, { headers: modernHeaders('tools/list') }));
      expect(answer).toEqual({ status: 200, body: { jsonrpc: '2.0', id, result: expect.objectContaining(result) } });
      const unsupported = await ask(id, { 'mcp-protocol-version': '1999-01-01' });
      expect(unsupported.status).toBe(400);
      expect((await mcp.post({ ...list, id }, { anonymous: true })).status).toBe(401);
      expect((await mcp.post({ ...list, id }, { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
      expect(await ask(null)).toMatchObject({ status: 400 });
    }
  });

  test('tools/list describes every tool with its members', async () => {
    const response = await mcp.post(list);
    const { result } = (await response.json()) as { result: { tools: ListedTool[] } };
    const shape = result.tools.map(({ name, inputSchema, outputSchema, annotations, title, description }) => ({
      name,
      properties: Object.keys(inputSchema.properties),
      required: inputSchema.required ?? [],
      output: outputSchema !== undefined,
      reads: annotations.readOnlyHint,
      described: title !== '' && description.length > 30,
    }));
    expect(shape).toEqual([
      { ...tool('chat', ['model', 'messages', 'temperature', 'max_tokens'], ['model', 'messages']), output: true },
      tool('generate-image', ['prompt', 'model', 'size', 'n'], ['prompt']),
      tool('generate-preview-image', ['prompt', 'filename', 'aspect_ratio'], ['prompt']),
      {
        ...tool('list-models', ['include_deactivated', 'exclude_deprecated', 'limit', 'family'], []),
        output: true,
        reads: true,
      },
      { ...tool('list-image-models', [], []), reads: true },
    ]);
    expect(result.tools[4]?.inputSchema).toMatchObject({ additionalProperties: false });
  });

  interface ListedTool {
    name: string;
    title: string;
    description: string;
    inputSchema: { properties: object; required?: string[] };
    outputSchema?: object;
    annotations: { readOnlyHint: boolean };
  }
  const tool = (name: string, properties: string[], required: string[]) => ({
    name,
    properties,
    required,
    output: false,
    reads: false,
    described: true,
  });

  test('answers a batch of an older client as a batch', async () => {
    const response = await mcp.post([
      { ...list, method: 'ping' },
      { ...list, id: 2 },
    ]);
    const answers = (await response.json()) as { id: number }[];
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2]);
  });

  test('accepts a notification without a response', async () => {
    const response = await mcp.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([response.status, await response.text()]).toEqual([202, '']);
  });
});

test('a tool calls services on behalf of its caller', async () => {
  let seen: unknown;
  mcp.behind.listModels = async ({ head }) => {
    seen = head;
    return answering({ object: 'list', data: [] });
  };
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await mcp.callTool('list-models', { exclude_deprecated: true }, { traceparent });
  expect(seen).toEqual({
    requestId: expect.stringMatching(/^req_\d+$/),
    principal,
    traceparent,
    timeoutMs: expect.any(Number),
    query: 'include_deactivated=false&exclude_deprecated=true',
    headers: { accept: 'application/json' },
  });
});

describe('requests of tools count like HTTP requests', () => {
  const completion = {
    model: 'sandbox-a/sandbox-chat',
    choices: [{ message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  };
  const input = { model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hi' }] };

  test('allows the last request within the limit and refuses the next one with a message', async () => {
    mcp.behind.complete = async () => answering(completion);
    mcp.behind.listModels = async () => answering({ object: 'list', data: [] });
    const limits = { key: { requestsPerMinute: { chat: 2 } } };
    const ask = () => mcp.callTool('chat', input, { limits });
    expect([(await ask()).isError, (await ask()).isError]).toEqual([undefined, undefined]);
    const refused = await ask();
    expect(refused).toMatchObject({
      isError: true,
      _meta: { 'tallyport/error': { code: 'rate_limit_exceeded', retryAfter: expect.any(Number) } },
    });
    expect(refused.content[0]?.text).toMatch(
      /^Rate limited\. This key's limit of 2 chat requests per minute is reached\. Try again in \d+ seconds\.$/,
    );
    // Other kinds of request have separate limits.
    expect((await mcp.callTool('list-models', {}, { limits })).isError).toBe(undefined);
    expect(await mcp.metrics()).toContain('gateway_rate_limit_decisions_total{scope="key",result="refused"} 1');
  });

  test('runs the calls of a batch one after the other', async () => {
    let running = 0;
    let most = 0;
    mcp.behind.complete = async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return answering(completion);
    };
    const call = (id: number) => ({ ...list, id, method: 'tools/call', params: { name: 'chat', arguments: input } });
    const headers = { 'mcp-protocol-version': '2025-03-26' };
    const response = await mcp.post([1, 2, 3, 4, 5].map(call), { headers });
    const results = (await response.json()) as { id: number; result: { isError?: boolean } }[];
    expect(results.map(({ id, result }) => [id, result.isError])).toEqual([1, 2, 3, 4, 5].map((id) => [id, undefined]));
    expect(most).toBe(1);
  });
});
