import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createPublicAgent,
  createPublicFetch,
  type Lookup,
  privateTargets,
  type PublicAgent,
} from '@tallyport/outbound';
import { createImageFetcher } from './image-fetcher.ts';

/** What the name server answers, one list of addresses for each look-up. */
let answers: string[][];
let asked: string[];
let server: Server;
let port: number;
let paths: string[];
let agent: PublicAgent | undefined;

const lookup: Lookup = (host, _options, callback) => {
  asked.push(host);
  callback(
    null,
    (answers.shift() ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );
};

beforeEach(async () => {
  [answers, asked, paths] = [[], [], []];
  server = createServer((request, response) => {
    paths.push(request.url ?? '');
    const redirect = request.url === '/redirect' ? { location: `http://127.0.0.1:${port}/elsewhere` } : {};
    response.writeHead(request.url === '/redirect' ? 307 : 200, { connection: 'close', ...redirect }).end('decided');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  await agent?.close();
  server.closeAllConnections();
  server.close();
});

function fetchWith(...entries: string[]) {
  const rules = { allowLocal: false, privateTargets: privateTargets(entries) };
  agent = createPublicAgent({ ...rules, connectMs: 2_000, lookup });
  const fetch = createPublicFetch({ ...rules, agent, maxBytes: 1_000 });
  return async (url: string) => {
    const response = await fetch(url, { method: 'POST', body: '{}' });
    return [response.status, await response.text()];
  };
}
const url = (path = '/') => `http://dlp.svc:${port}${path}`;
const refused = expect.objectContaining({ cause: expect.objectContaining({ message: 'must be at a public address' }) });

test('connects to the address that was checked, with one look-up for each connection', async () => {
  const post = fetchWith('dlp.svc', '127.0.0.1');
  answers = [['127.0.0.1'], ['::ffff:127.0.0.1']];
  expect(await post(url())).toEqual([200, 'decided']);
  expect(await post(url())).toEqual([200, 'decided']);
  expect(asked).toEqual(['dlp.svc', 'dlp.svc']);
});

test('refuses a name that another look-up resolves to another address', async () => {
  const post = fetchWith('dlp.svc', '127.0.0.1');
  answers = [['127.0.0.1'], ['127.0.0.3'], ['169.254.169.254']];
  expect(await post(url())).toEqual([200, 'decided']);
  await expect(post(url())).rejects.toEqual(refused);
  await expect(post(url())).rejects.toEqual(refused);
  expect(paths).toEqual(['/']);
});

test('refuses a name of which one address is not allowed', async () => {
  const post = fetchWith('dlp.svc', '127.0.0.1');
  answers = [['127.0.0.1', '127.0.0.2']];
  await expect(post(url())).rejects.toEqual(refused);
  expect(paths).toEqual([]);
});

test('does not follow a redirect, also not to an address that is allowed', async () => {
  const post = fetchWith('dlp.svc', '127.0.0.1');
  answers = [['127.0.0.1']];
  expect(await post(url('/redirect'))).toEqual([307, 'decided']);
  expect(paths).toEqual(['/redirect']);
});

test('a listed name does not open loopback', async () => {
  const post = fetchWith('dlp.svc');
  answers = [['127.0.0.1']];
  await expect(post(url())).rejects.toEqual(refused);
  expect(paths).toEqual([]);
});

test('images are never fetched from private targets', async () => {
  const targets = { privateTargets: privateTargets(['127.0.0.1']) };
  const images = createImageFetcher({ ...(targets as object), lookup });
  expect(() => images.check(`https://127.0.0.1:${port}/`)).toThrow('must be at a public address');
  await images.close();
});
