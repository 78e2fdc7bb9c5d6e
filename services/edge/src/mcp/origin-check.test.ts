import { createServer, type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOriginCheck, type OriginCheckOptions } from './origin-check.ts';

/** Requests as they arrive: their socket is looked at too. */
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

async function judged(options: Partial<OriginCheckOptions>, headers: Record<string, string>): Promise<string> {
  const asked = request({ port, host: '127.0.0.1', headers: { host: `127.0.0.1:${port}`, ...headers } }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  const check = createOriginCheck({ host: '127.0.0.1', baseUrl: undefined, allowedOrigins: [], ...options });
  try {
    return check(latest) ?? 'no origin';
  } catch (error) {
    return (error as Error).message.split(/[ ,]/, 3).join(' ');
  }
}

const refusedName = 'This server answers';
const refusedPage = (origin: string) => `Pages of ${origin}`;

describe('a gateway that listens on its own machine', () => {
  test.each(['localhost', '127.0.0.1', '[::1]', 'localhost:9999'])('answers to %s', async (host) => {
    expect(await judged({}, { host })).toBe('no origin');
  });

  test.each(['evil.example', 'evil.example:4000', 'localhost.evil.example', '127.0.0.1.evil.example', '@'])(
    'does not answer to %j',
    async (host) => {
      expect(await judged({}, { host })).toBe(refusedName);
    },
  );

  test('answers to its public name where it has one', async () => {
    expect(await judged({ baseUrl: 'https://gateway.example' }, { host: 'gateway.example' })).toBe('no origin');
  });

  test('its own pages may call, by any of its names', async () => {
    for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
      expect(await judged({}, { origin })).toBe(origin);
    }
  });

  test.each(['http://localhost:1', 'https://evil.example', 'null', 'file://'])(
    'pages of %s may not',
    async (origin) => {
      expect(await judged({}, { origin })).toBe(refusedPage(origin));
    },
  );
});

describe('a gateway for others', () => {
  const open = { host: '0.0.0.0' };
  const named = { ...open, baseUrl: 'https://gateway.example' };

  test('answers to any name, since it cannot know them', async () => {
    expect(await judged(open, { host: 'gateway.inside:4000' })).toBe('no origin');
  });

  test('pages of its public address may call, others not', async () => {
    expect(await judged(named, { origin: 'https://gateway.example' })).toBe('https://gateway.example');
    for (const origin of ['http://gateway.example', 'https://gateway.example:444', 'https://evil.example']) {
      expect(await judged(named, { origin })).toBe(refusedPage(origin));
    }
  });

  test('without one, pages of the name it was asked by may call', async () => {
    const host = 'gateway.inside:4000';
    expect(await judged(open, { host, origin: `http://${host}` })).toBe(`http://${host}`);
    expect(await judged(open, { host, origin: 'http://other.inside:4000' })).toBe(
      refusedPage('http://other.inside:4000'),
    );
  });

  test('pages can be allowed, one by one or all', async () => {
    const origin = 'https://chat.example';
    expect(await judged({ ...named, allowedOrigins: ['https://Chat.example'] }, { origin })).toBe(origin);
    expect(await judged({ ...named, allowedOrigins: ['*'] }, { origin })).toBe(origin);
  });
});
