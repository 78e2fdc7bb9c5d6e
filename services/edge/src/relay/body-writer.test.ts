import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { bodyWriter } from './body-writer.ts';

describe('writing response bodies', () => {
  let server: Server;
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function serve(answer: RequestListener): Promise<string> {
    server = createServer(answer);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** All byte values, so that a wrong encoding is noticed. */
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, index) => (index * 7) % 256));
  const sizes = [0, 1, 255, 16 * 1024, 16 * 1024 + 1, 200_000];

  test.each(sizes)('writes a chunk of %i bytes unchanged between others', async (size) => {
    const base = await serve((_request, response) => {
      response.writeHead(200);
      const writer = bodyWriter(response);
      writer.write(bytes(3));
      writer.write(bytes(size));
      writer.end(bytes(5));
    });
    const received = Buffer.from(await (await fetch(base)).arrayBuffer());
    expect(received.equals(Buffer.concat([bytes(3), bytes(size), bytes(5)]))).toBe(true);
  });

  test.each(sizes)('writes a body of %i bytes with its length unchanged', async (size) => {
    const base = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': size });
      bodyWriter(response).end(bytes(size));
    });
    const response = await fetch(base);
    expect(response.headers.get('content-length')).toBe(String(size));
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes(size))).toBe(true);
  });

  test('keeps the connection usable for the next request', async () => {
    const ports = new Set<number | undefined>();
    const base = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200);
      const writer = bodyWriter(response);
      writer.write(bytes(10));
      writer.end();
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let index = 0; index < 3; index++) {
      const [response] = (await once(get(base, { agent }), 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
    }
    agent.destroy();
    expect(ports.size).toBe(1);
  });

  test('writes no body for HEAD and no chunks for HTTP/1.0', async () => {
    const base = await serve((_request, response) => {
      response.writeHead(200);
      const writer = bodyWriter(response);
      writer.write(Buffer.from('body'));
      writer.end();
    });
    const head = await fetch(base, { method: 'HEAD' });
    expect(await head.text()).toBe('');
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    socket.write('GET / HTTP/1.0\r\n\r\n');
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    await once(socket, 'close');
    expect(answer.endsWith('\r\n\r\nbody')).toBe(true);
    expect(answer.toLowerCase()).not.toContain('transfer-encoding');
  });
});
