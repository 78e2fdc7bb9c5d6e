import { createServer, request } from 'node:http';
import { listen, stopServer } from '@switchyard/service-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicUrls } from './public-url.ts';

let configured: string | undefined;
const server = createServer((asked, response) => response.end(publicUrls(configured)(asked).origin));
let port = '';
beforeAll(async () => {
  ({ port } = new URL(await listen(server, { host: '127.0.0.1', port: 0 })));
});
afterAll(() => stopServer(server, 1_000));

const askedAs = (host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, headers: { host } }, async (response) => {
      resolve(Buffer.concat(await response.toArray()).toString());
    });
    asking.on('error', reject).end();
  });

test.each(['localhost', '127.0.0.1', '[::1]'])('without BASE_URL we go by %s when asked so', async (name) => {
  configured = undefined;
  expect(await askedAs(`${name}:4000`)).toBe(`http://${name}:4000`);
});

test.each(['evil.example', 'localhost.evil.example', 'localhost@evil.example', '192.0.2.1:4000', 'a b'])(
  'without BASE_URL we do not go by %j, whoever says so',
  async (host) => {
    configured = undefined;
    expect(await askedAs(host)).toBe(`http://localhost:${port}`);
  },
);

test('with BASE_URL we go by nothing else', async () => {
  configured = 'https://gateway.example.com';
  for (const host of ['localhost:4000', 'evil.example']) {
    expect(await askedAs(host)).toBe('https://gateway.example.com');
  }
});
