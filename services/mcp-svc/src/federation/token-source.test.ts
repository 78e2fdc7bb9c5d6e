import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPublicAgent, createPublicFetch } from '@tallyport/outbound';
import { createTokenSource, type TokenSource } from './token-source.ts';

let server: Server;
let time: number;
let lifetime: number | undefined;
let requests: { authorization: string | undefined; body: string }[];
let told: string[];
let tokens: TokenSource;

beforeEach(async () => {
  [time, lifetime, requests, told] = [0, 3_600, [], []];
  server = createServer(async (request, response) => {
    requests.push({ authorization: request.headers.authorization, body: await text(request) });
    response.writeHead(200, { 'content-type': 'application/json' });
    const token = { access_token: `token ${requests.length}`, token_type: 'Bearer', expires_in: lifetime };
    response.end(JSON.stringify(token));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  const agent = createPublicAgent({ allowLocal: true, connectMs: 1_000 });
  tokens = createTokenSource({
    auth: {
      type: 'client_credentials',
      tokenUrl,
      clientId: 'gate way',
      clientSecret: 's:ecret',
      scope: 'read',
      resource: 'https://docs.example/mcp',
    },
    fetch: createPublicFetch({ agent, allowLocal: true, maxBytes: 10_000 }),
    onToken: (token) => void told.push(token),
    now: () => time,
  });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('requests one token for concurrent calls, with the credentials in the header', async () => {
  expect(await Promise.all([tokens.token(), tokens.token(), tokens.token()])).toEqual(Array(3).fill('token 1'));
  expect(requests).toEqual([
    {
      authorization: `Basic ${Buffer.from('gate+way:s%3Aecret').toString('base64')}`,
      body: 'scope=read&resource=https%3A%2F%2Fdocs.example%2Fmcp&grant_type=client_credentials',
    },
  ]);
  expect(told).toEqual(['token 1']);
});

test.each([
  ['a minute before it expires', 3_600, 3_540_000],
  ['at half of a short lifetime', 60, 30_000],
  ['after some minutes if its lifetime is not stated', undefined, 240_000],
])('replaces a token %s', async (_when, seconds, at) => {
  lifetime = seconds;
  await tokens.token();
  time = at - 1;
  expect(await tokens.token()).toBe('token 1');
  time = at;
  expect(await tokens.token()).toBe('token 2');
});

test('replaces a token that the server refused', async () => {
  await tokens.token();
  tokens.forget();
  expect(await tokens.token()).toBe('token 2');
});
