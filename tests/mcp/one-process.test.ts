import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OneProcess, startOneProcess } from '../gateway/one-process.ts';
import { toolsSuite } from './tools.suite.ts';
import { patient } from '../support/patience.ts';

// Processes: what the program prints at its start works.

let gateway: OneProcess;
beforeAll(async () => {
  gateway = await startOneProcess({ LIMIT_MCP_PER_MINUTE: '100000' });
});
afterAll(() => gateway?.stop());

toolsSuite(() => gateway);

const rpc = (method: string, params?: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) });
const list = rpc('tools/list');

function ask(init: RequestInit & { path?: string } = {}): Promise<Response> {
  const { path = '/mcp', headers, ...rest } = init;
  return fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json', ...headers },
    ...(init.method === 'GET' ? {} : { body: list }),
    ...rest,
  });
}

const refusalOf = async (response: Response) => {
  const body = (await response.json()) as { error: { code: number; message: string } };
  return { status: response.status, code: body.error.code, message: body.error.message };
};

test('the configuration printed by npm start works', async () => {
  const shown = /^ +MCP +(\{.*\})$/m.exec(gateway.output())?.[1] ?? '';
  const { mcpServers } = JSON.parse(shown) as {
    mcpServers: Record<string, { type: string; url: string; headers: Record<string, string> }>;
  };
  const { type, url, headers } = mcpServers.tallyport!;
  expect(type).toBe('http');
  const response = await fetch(url, {
    method: 'POST',
    body: list,
    headers: { ...headers, 'content-type': 'application/json' },
  });
  expect(response.status).toBe(200);
});

test('lists available models and makes images in the requested size', async () => {
  const call = async (name: string, input: object) => {
    const { result } = (await (await ask({ body: rpc('tools/call', { name, arguments: input }) })).json()) as {
      result: { structuredContent?: { models: { providers: string[] }[] }; content: { text?: string }[] };
    };
    return result;
  };
  const { structuredContent } = await call('list-models', { limit: 1000 });
  const providers = new Set(structuredContent?.models.flatMap((model) => model.providers));
  expect([...providers].toSorted()).toEqual(['sandbox-a', 'sandbox-b', 'sandbox-c']);
  const [list] = (await call('list-image-models', {})).content;
  expect(list?.text).not.toContain('qwen-image-plus');
  const image = { prompt: 'a lake', model: 'sandbox-image', size: '1000x1000', n: 4 };
  expect((await call('generate-image', image)).content.at(-1)?.text).toMatch(
    /^4 images by sandbox-[abc]\/sandbox-image, 1000x1000\.$/,
  );
});

describe('access to /mcp', () => {
  const challenge = (error: string) =>
    `Bearer realm="tallyport", ${error}scope="mcp:tools mcp:models", resource_metadata="${gateway.baseUrl}/.well-known/oauth-protected-resource/mcp"`;

  test('accepts the key in either header', async () => {
    expect((await ask()).status).toBe(200);
    const headers = { 'x-api-key': gateway.apiKey, 'content-type': 'application/json' };
    expect((await fetch(`${gateway.baseUrl}/mcp`, { method: 'POST', headers, body: list })).status).toBe(200);
  });

  test.each([
    ['no key', {}, '', 'An API key is required.'],
    [
      'a wrong one',
      { authorization: 'Bearer sk-unknown-key' },
      'error="invalid_token", ',
      'unknown, revoked or expired',
    ],
  ])('%s gets a challenge', async (_name, headers, error, message) => {
    const response = await fetch(`${gateway.baseUrl}/mcp`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: list,
    });
    expect(response.headers.get('www-authenticate')).toBe(challenge(error));
    expect(await refusalOf(response)).toEqual({
      status: 401,
      code: -32_001,
      message: expect.stringContaining(message),
    });
  });

  test('a plain GET needs no key, but refuses a wrong one', async () => {
    const open = await fetch(`${gateway.baseUrl}/mcp`);
    expect([open.status, await open.json()]).toEqual([
      200,
      expect.objectContaining({ name: 'tallyport', status: 'ok' }),
    ]);
    const wrong = await fetch(`${gateway.baseUrl}/mcp`, { headers: { 'x-api-key': 'wrong' } });
    expect(wrong.status).toBe(401);
  });

  test('refuses a valid key in the URL', async () => {
    for (const name of ['api_key', 'key', 'access_token', 'token']) {
      const { status, message } = await refusalOf(await ask({ path: `/mcp?${name}=${gateway.apiKey}` }));
      expect([status, message]).toEqual([401, expect.stringContaining('Do not send a key in the URL')]);
    }
  });

  test('refuses other origins and allows its own', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
      expect((await ask({ headers: { origin } })).status).toBe(403);
    }
    const own = await ask({ headers: { origin: gateway.baseUrl } });
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, gateway.baseUrl]);
    const preflight = await ask({ method: 'OPTIONS', headers: { origin: gateway.baseUrl } });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      expect.stringContaining('mcp-protocol-version'),
    ]);
  });

  test('accepts a trailing slash', async () => {
    const answers = await Promise.all(['/mcp', '/mcp/'].map(async (path) => (await ask({ path })).json()));
    expect(answers[1]).toEqual(answers[0]);
    expect((await ask({ path: '/mcp/more' })).status).toBe(404);
  });

  test('refuses other methods', async () => {
    const response = await ask({ method: 'DELETE' });
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expect(await refusalOf(response)).toEqual({
      status: 405,
      code: -32_000,
      message: '/mcp does not support DELETE. Use POST.',
    });
  });

  test('ignores an internal token from a client', async () => {
    const response = await ask({ headers: { authorization: '', 'x-gw-token': 'forged', 'x-request-id': 'mine' } });
    expect(response.status).toBe(401);
  });
});

describe('streams', () => {
  test('opens an idle stream', async () => {
    const response = await ask({ method: 'GET', headers: { accept: 'text/event-stream' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const reader = response.body!.getReader();
    const { value } = await reader.read();
    expect(Buffer.from(value!).toString()).toBe(': open\n\n');
    await reader.cancel();
  });

  test('need a key', async () => {
    const response = await fetch(`${gateway.baseUrl}/mcp`, { headers: { accept: 'text/event-stream' } });
    expect(response.status).toBe(401);
  });
});

describe('a client that leaves', () => {
  const ended = async () => {
    const answer = await fetch(`${gateway.sandboxUrl}/control/requests`);
    const { requests } = (await answer.json()) as { requests: { outcome: string; endedAt: number }[] };
    return requests.find(({ outcome }) => outcome === 'aborted')?.endedAt;
  };
  const fault = (method: 'POST' | 'DELETE', body?: object) =>
    fetch(`${gateway.sandboxUrl}/control/faults`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });

  test.each([
    [
      'chat',
      { model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hi' }] },
      'text/event-stream, application/json',
    ],
    ['chat', { model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hi' }] }, 'application/json'],
    ['generate-image', { model: 'sandbox-image', prompt: 'x' }, 'text/event-stream, application/json'],
  ])('%s: the provider’s connection closes within 300 ms', async (name, input, accept) => {
    for (const provider of ['sandbox-a', 'sandbox-b', 'sandbox-c']) await fault('POST', { provider, fault: 'hang' });
    await fetch(`${gateway.sandboxUrl}/control/requests`, { method: 'DELETE' });
    const running = async () => {
      const answer = await fetch(`${gateway.sandboxUrl}/control/requests`);
      return ((await answer.json()) as { requests: unknown[] }).requests.length;
    };
    const leaving = new AbortController();
    const call = ask({
      body: rpc('tools/call', { name, arguments: input }),
      headers: { accept },
      signal: leaving.signal,
    });
    const left = call.then((response) => response.text()).catch(() => 'left');
    await expect.poll(running).toBe(1);
    const leftAt = Date.now();
    leaving.abort();
    expect(await left).toBe('left');
    await expect.poll(ended).toBeDefined();
    expect(((await ended()) ?? Infinity) - leftAt).toBeLessThan(patient(3_000));
    await fault('DELETE');
  });
});
