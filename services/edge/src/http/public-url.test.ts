import { createServer, request } from 'node:http';
import { listen, stopServer } from '@tallyport/service-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicUrls, reachableAddress } from './public-url.ts';

let configured: string | undefined;
const server = createServer((asked, response) => response.end(publicUrls(configured)(asked).origin));
let port = '';
beforeAll(async () => {
  ({ port } = new URL(await listen(server, { host: '127.0.0.1', port: 0 })));
});
afterAll(() => stopServer(server, 1_000));

const originFor = (host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, headers: { host } }, async (response) => {
      resolve(Buffer.concat(await response.toArray()).toString());
    });
    outgoing.on('error', reject).end();
  });

test.each(['localhost', '127.0.0.1', '[::1]'])(
  'without BASE_URL, uses the loopback name %s of the request',
  async (name) => {
    configured = undefined;
    expect(await originFor(`${name}:4000`)).toBe(`http://${name}:4000`);
  },
);

test.each(['evil.example', 'localhost.evil.example', 'localhost@evil.example', '192.0.2.1:4000', 'a b'])(
  'without BASE_URL, ignores the foreign Host %j',
  async (host) => {
    configured = undefined;
    expect(await originFor(host)).toBe(`http://localhost:${port}`);
  },
);

test.each([
  ['localhost:4000', 'http://localhost:4000'],
  ['127.0.0.1:8080', 'http://127.0.0.1:4000'],
  ['[::1]:4000', 'http://[::1]:4000'],
  ['evil.example', 'http://localhost:4000'],
])('with a loopback BASE_URL, a request for %s gets %s', async (host, origin) => {
  configured = 'http://localhost:4000';
  expect(await originFor(host)).toBe(origin);
});

test.each([
  ['http://0.0.0.0:4000', 'http://127.0.0.1:4000'],
  ['http://[::]:4000', 'http://127.0.0.1:4000'],
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ['http://[::1]:4000', 'http://[::1]:4000'],
  ['http://192.0.2.1:4000', 'http://192.0.2.1:4000'],
])('a server listening at %s is reachable at %s', (listening, reached) => {
  expect(reachableAddress(listening)).toBe(reached);
});

test.each(['https://localhost:8443', 'https://gateway.example.com'])(
  'BASE_URL %s takes precedence over the Host header',
  async (url) => {
    configured = url;
    expect(await originFor('127.0.0.1:4000')).toBe(url);
  },
);

test('a public BASE_URL is used for every Host', async () => {
  configured = 'https://gateway.example.com';
  for (const host of ['localhost:4000', 'evil.example']) {
    expect(await originFor(host)).toBe('https://gateway.example.com');
  }
});
