import { request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatedEdge, openGatedEdge } from '../testing/gated-edge.ts';

const paths = ['/status', '/status.json', '/status.atom'];
const html = { accept: 'text/html,*/*' };

describe('without the setting', () => {
  let edge: GatedEdge;
  beforeAll(async () => {
    edge = await openGatedEdge();
  });
  afterAll(() => edge.stop());

  test.each(paths)('%s does not exist, like any unknown path, and nothing is read', async (path) => {
    const answer = async (asked: string) => {
      const response = await fetch(`http://127.0.0.1:${edge.port}${asked}`, { headers: html });
      return [response.status, (await response.text()).replace(asked, '')];
    };
    expect(await answer(path)).toEqual(await answer('/unknown'));
    expect((await answer(path))[0]).toBe(404);
    expect(edge.services.uptimeReads).toBe(0);
    expect(await (await fetch(`http://127.0.0.1:${edge.port}/`, { headers: html })).text()).not.toContain('/status');
  });
});

describe('with the setting', () => {
  let edge: GatedEdge;
  let url: string;
  beforeAll(async () => {
    edge = await openGatedEdge({ STATUS_PAGE: 'true' });
    url = `http://127.0.0.1:${edge.port}`;
    const day = new Date().toISOString().slice(0, 10);
    edge.services.available = [{ provider: 'alpha', state: 'operational' }];
    edge.services.uptimes = { providers: [{ provider: 'alpha', days: [{ day, uptime: 1 }] }], incidents: [] };
  });
  afterAll(() => edge.stop());

  test('a flood in every form is answered from one read', async () => {
    const asked = Array.from({ length: 300 }, (_, at) => fetch(url + paths[at % paths.length]));
    const statuses = await Promise.all(asked.map(async (response) => (await response).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(edge.services.uptimeReads).toBe(1);
  });

  test('browsers get a page with the policy of all pages, programs get JSON, readers a feed', async () => {
    const [page, json, feed] = await Promise.all([
      fetch(`${url}/status`, { headers: html }),
      fetch(`${url}/status`),
      fetch(`${url}/status.atom`),
    ]);
    expect([page, json, feed].map(({ headers }) => headers.get('content-type'))).toEqual(
      ['text/html', 'application/json', 'application/atom+xml'].map((type) => `${type}; charset=utf-8`),
    );
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('content-security-policy')).not.toContain('script-src');
    expect(await page.text()).toContain('All providers are operational');
    expect(json.headers.get('access-control-allow-origin')).toBe('*');
    expect(await json.json()).toMatchObject({ status: 'operational', providers: [{ provider: 'alpha', uptime: 1 }] });
    expect(await feed.text()).toContain('<feed xmlns="http://www.w3.org/2005/Atom">');
    const root = await fetch(`${url}/`, { headers: html });
    expect(await root.text()).toContain('href="/status"');
  });

  test('may be cached by every cache, and is not sent again if it is known', async () => {
    const first = await fetch(`${url}/status.json`);
    const { etag = '', vary, 'cache-control': caching } = Object.fromEntries(first.headers);
    expect([caching, vary]).toEqual(['public, max-age=30', 'accept, accept-encoding']);
    const known = await fetch(`${url}/status.json`, { headers: { 'if-none-match': `"other", ${etag}` } });
    expect([known.status, await known.text()]).toEqual([304, '']);
    expect((await fetch(`${url}/status.json`, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test('is compressed as the client accepts it', async () => {
    const plain = (await sentAs('identity')).body.toString();
    const [br, gzip] = await Promise.all([sentAs('br'), sentAs('gzip')]);
    expect([br.encoding, brotliDecompressSync(br.body).toString()]).toEqual(['br', plain]);
    expect([gzip.encoding, gunzipSync(gzip.body).toString()]).toEqual(['gzip', plain]);
  });

  test('supports HEAD and preflights, and no other method', async () => {
    const head = await fetch(`${url}/status.json`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await fetch(`${url}/status.json`, { method: 'OPTIONS' })).status).toBe(204);
    const posted = await fetch(`${url}/status`, { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  const sentAs = (encoding: string): Promise<{ encoding: string | undefined; body: Buffer }> =>
    new Promise((resolve, reject) => {
      httpRequest(`${url}/status`, { headers: { ...html, 'accept-encoding': encoding } }, (response) => {
        void buffer(response).then((body) => resolve({ encoding: response.headers['content-encoding'], body }), reject);
      })
        .on('error', reject)
        .end();
    });
});

describe('if the status cannot be read', () => {
  let edge: GatedEdge;
  let url: string;
  beforeAll(async () => {
    edge = await openGatedEdge({ STATUS_PAGE: 'true' });
    url = `http://127.0.0.1:${edge.port}`;
  });
  afterAll(() => edge.stop());

  test('a service that does not answer is given up, and a page says so, for a flood of visitors alike', async () => {
    edge.services.gate.close();
    const pages = await Promise.all(Array.from({ length: 100 }, () => fetch(`${url}/status`, { headers: html })));
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([503]));
    expect(pages[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(pages[0]?.headers.get('cache-control')).toBe('no-store');
    expect(await pages[0]?.text()).toMatch(/<h1>Status unknown<\/h1>[^]*<a href="\/status">Try again<\/a>/);
    expect(edge.services.uptimeReads).toBe(1);
    edge.services.gate.open();
  });

  test('programs get an error without the reason, and the status once it can be read', async () => {
    edge.services.uptimes = undefined;
    const refused = async () => {
      const response = await fetch(`${url}/status.json`);
      return [response.status, ((await response.json()) as { error: { code: string; message: string } }).error];
    };
    expect(await refused()).toEqual([503, expect.objectContaining({ code: 'unavailable' })]);
    expect(JSON.stringify(await refused())).not.toContain('10.1.2.3');
    edge.services.uptimes = { providers: [], incidents: [] };
    await expect.poll(async () => (await fetch(`${url}/status.json`)).status).toBe(200);
  });
});
