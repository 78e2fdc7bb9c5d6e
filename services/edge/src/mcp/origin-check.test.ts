import { createServer, type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOriginCheck, type OriginCheckOptions } from './origin-check.ts';

/** The last request received. The check also reads its socket, so it must be a real one. */
let latest: IncomingMessage;
const server = createServer((incoming, response) => {
  latest = incoming;
  response.end();
});
let port = 0;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

async function outcomeOf(options: Partial<OriginCheckOptions>, headers: Record<string, string>): Promise<string> {
  const outgoing = request({ port, host: '127.0.0.1', headers: { host: `127.0.0.1:${port}`, ...headers } }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.resume();
  const check = createOriginCheck({ host: '127.0.0.1', baseUrl: undefined, allowedOrigins: [], ...options });
  try {
    return check(latest) ?? 'no origin';
  } catch (error) {
    return (error as Error).message.split(/[ ,]/, 3).join(' ');
  }
}

const refusedName = 'This server only';
const refusedPage = (origin: string) => `Pages of ${origin}`;

describe('a gateway on loopback', () => {
  test.each(['localhost', '127.0.0.1', '[::1]', 'localhost:9999'])('accepts the host %s', async (host) => {
    expect(await outcomeOf({}, { host })).toBe('no origin');
  });

  test.each(['evil.example', 'evil.example:4000', 'localhost.evil.example', '127.0.0.1.evil.example', '@'])(
    'refuses the host %j',
    async (host) => {
      expect(await outcomeOf({}, { host })).toBe(refusedName);
    },
  );

  test('accepts its public host name', async () => {
    expect(await outcomeOf({ baseUrl: 'https://gateway.example' }, { host: 'gateway.example' })).toBe('no origin');
  });

  test('accepts its own pages under each loopback name', async () => {
    for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
      expect(await outcomeOf({}, { origin })).toBe(origin);
    }
  });

  test.each(['http://localhost:1', 'https://evil.example', 'null', 'file://'])(
    'refuses pages of %s',
    async (origin) => {
      expect(await outcomeOf({}, { origin })).toBe(refusedPage(origin));
    },
  );
});

describe('a public gateway', () => {
  const open = { host: '0.0.0.0' };
  const named = { ...open, baseUrl: 'https://gateway.example' };

  test('accepts any host, since it cannot know its names', async () => {
    expect(await outcomeOf(open, { host: 'gateway.inside:4000' })).toBe('no origin');
  });

  test('accepts pages of its public address only', async () => {
    expect(await outcomeOf(named, { origin: 'https://gateway.example' })).toBe('https://gateway.example');
    for (const origin of ['http://gateway.example', 'https://gateway.example:444', 'https://evil.example']) {
      expect(await outcomeOf(named, { origin })).toBe(refusedPage(origin));
    }
  });

  test('without a public address, accepts pages of the requested host', async () => {
    const host = 'gateway.inside:4000';
    expect(await outcomeOf(open, { host, origin: `http://${host}` })).toBe(`http://${host}`);
    expect(await outcomeOf(open, { host, origin: 'http://other.inside:4000' })).toBe(
      refusedPage('http://other.inside:4000'),
    );
  });

  test('accepts configured origins, individually or all', async () => {
    const origin = 'https://chat.example';
    expect(await outcomeOf({ ...named, allowedOrigins: ['https://Chat.example'] }, { origin })).toBe(origin);
    expect(await outcomeOf({ ...named, allowedOrigins: ['*'] }, { origin })).toBe(origin);
  });
});
