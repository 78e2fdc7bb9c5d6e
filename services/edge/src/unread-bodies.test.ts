import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatedEdge, openGatedEdge } from './testing/gated-edge.ts';

const mebibyte = 1024 ** 2;

describe('request bodies at the edge', () => {
  let edge: GatedEdge;
  /** Reads less of a body after its response. */
  let brief: GatedEdge;
  beforeAll(async () => {
    const bounds = {
      MAX_BODY_BYTES: String(mebibyte),
      MAX_INFLIGHT_BYTES: String(4 * mebibyte),
      MCP_MAX_BODY_BYTES: '2048',
    };
    edge = await openGatedEdge(bounds);
    brief = await openGatedEdge(bounds, { connections: 256, bytes: 4 * mebibyte, ms: 1_000 });
  });
  afterAll(() => Promise.all([edge.stop(), brief.stop()]));

  const raw = async (bytes: string, { port } = edge) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.write(bytes, resolve));
    return socket;
  };
  const upload = (line: string, headers: string, body = '') =>
    raw(`${line} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n\r\n${body}`);

  async function endless(line: string, at: GatedEdge) {
    const socket = await raw(`${line} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n`, at);
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    const chunk = Buffer.from(`${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`);
    let sent = 0;
    const pouring = (): void => {
      while (!socket.destroyed && sent < 256 * mebibyte) {
        sent += chunk.length;
        if (!socket.write(chunk)) return void socket.once('drain', pouring);
      }
    };
    const closed = new Promise((resolve) => socket.once('close', resolve));
    // One byte more than forms may have. A client that never stops may lose its response to the reset.
    socket.write(`10001\r\n${'x'.repeat(65_537)}\r\n`);
    await once(socket, 'data');
    pouring();
    await closed;
    return { status: answer.split(' ')[1], sent };
  }

  /** What the system buffers. */
  const buffered = 32 * mebibyte;

  test.each([
    ['POST /nowhere', '404'],
    ['POST /v1/models', '405'],
    ['POST /', '405'],
    ['GET /', '200'],
    ['GET /v1/models', '200'],
    ['GET /assets/icon.svg', '200'],
    ['POST /docs', '405'],
    ['OPTIONS /v1/models', '204'],
    ['POST /.well-known/oauth-protected-resource', '405'],
    ['GET /mcp', '200'],
    ['OPTIONS /mcp', '204'],
    ['POST /v1/chat/completions', '401'],
    ['POST /mcp', '401'],
    ['POST /sign-in', '413'],
    ['PUT /api/v1/keys', '413'],
    ['POST /oauth/token', '413'],
  ])('%s with an endless body and no key gets %s and is closed', async (line, status) => {
    const refused = await endless(line, brief);
    expect(refused.status).toBe(status);
    expect(refused.sent).toBeLessThan(4 * mebibyte + buffered);
  });

  test('an endless body is read to 64 MiB and closed', async () => {
    const { status, sent } = await endless('POST /nowhere', edge);
    expect(status).toBe('404');
    expect(sent).toBeLessThan(64 * mebibyte + buffered);
  });

  test('uploads to /mcp reach mcp-svc only when complete', async () => {
    const before = edge.services.mcpCalls;
    const sockets = await Promise.all(
      Array.from({ length: 20 }, () => upload('POST /mcp', 'x-api-key: slow-one\r\ncontent-length: 9', '{')),
    );
    await expect.poll(edge.held).toEqual({ requests: 20, bytes: 180 });
    expect(edge.services.mcpCalls).toBe(before);
    const other = await fetch(`http://127.0.0.1:${edge.port}/mcp`, {
      method: 'POST',
      headers: { 'x-api-key': 'slow-one' },
      body: '{}',
    });
    expect([other.status, edge.services.mcpCalls]).toEqual([200, before + 1]);
    sockets.forEach((socket) => socket.destroy());
    await expect.poll(edge.held).toEqual({ requests: 0, bytes: 0 });
  });

  test.each([false, true])(
    'accepts a tool call at the limit and refuses one byte more (chunked: %s)',
    async (chunked) => {
      const call = (size: number) =>
        fetch(`http://127.0.0.1:${edge.port}/mcp`, {
          method: 'POST',
          headers: { 'x-api-key': 'a-key' },
          body: chunked ? new Blob(['x'.repeat(size)]).stream() : 'x'.repeat(size),
          ...(chunked && { duplex: 'half' as const }),
        });
      expect((await call(2048)).status).toBe(200);
      const refused = await call(2049);
      expect(refused.status).toBe(413);
      expect(await refused.json()).toMatchObject({
        jsonrpc: '2.0',
        error: {
          message:
            "The body is larger than this server's limit of 2048 bytes (MCP_MAX_BODY_BYTES). Send a smaller one.",
        },
      });
    },
  );

  test('unfinished uploads of one account leave half of the memory to others', async () => {
    const whole = 'content-type: application/json\r\ncontent-length: 1048576';
    const start = (key: string) => upload('POST /v1/chat/completions', `x-api-key: ${key}\r\n${whole}`, '{');
    const sockets = [await start('big-one'), await start('big-two')];
    await expect.poll(edge.held).toEqual({ requests: 2, bytes: 2 * mebibyte });
    const chat = (key: string) =>
      fetch(`http://127.0.0.1:${edge.port}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: '{}',
      });
    const refused = await chat('big-one');
    expect([refused.status, await refused.json()]).toEqual([
      429,
      {
        error: {
          message: 'Your running requests reached the limit of 2097152 bytes. Try again when some have finished.',
          type: 'rate_limit_error',
          param: null,
          code: 'rate_limit_exceeded',
        },
      },
    ]);
    expect((await chat('other')).status).toBe(200);
    sockets.forEach((socket) => socket.destroy());
    await expect.poll(edge.held).toEqual({ requests: 0, bytes: 0 });
    expect((await chat('big-one')).status).toBe(200);
  });
});
