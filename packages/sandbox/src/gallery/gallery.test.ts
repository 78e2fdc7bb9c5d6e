import { afterEach, expect, test } from 'vitest';
import { startSandbox } from '../sandbox.ts';
import type { Simulator } from '../simulation.ts';
import { ask } from '../testing/raw-client.ts';

let simulator: Simulator | undefined;
afterEach(() => simulator?.close());

const open = async (gatewayUrl?: string) => {
  simulator = await startSandbox({ gatewayUrl: () => gatewayUrl });
  const get = (path: string) => ask({ url: `${simulator?.url}${path}`, method: 'GET' });
  return { get, page: await get('/control/gallery') };
};

test('allows connections only to the gateway', async () => {
  const { page } = await open('https://gateway.example:8443/path?query');
  expect(page.status).toBe(200);
  expect(page.headers['content-security-policy']).toContain('connect-src https://gateway.example:8443');
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.text).toContain('data-gateway="https://gateway.example:8443"');
});

test('serves all its files', async () => {
  const { get, page } = await open('http://127.0.0.1:1');
  const files = [...page.text.matchAll(/(?:href|src)="(\/[^"]+\.(?:css|js))"/g)].map(([, path = '']) => path);
  expect(files).toEqual(['/control/page.css', '/control/gallery.css', '/control/key.js', '/control/gallery.js']);
  const answers = await Promise.all([...files, '/control/gallery/calls.js'].map(get));
  expect(answers.map(({ status, headers }) => [status, headers['content-type']?.split(';')[0]])).toEqual([
    [200, 'text/css'],
    [200, 'text/css'],
    [200, 'text/javascript'],
    [200, 'text/javascript'],
    [200, 'text/javascript'],
  ]);
});

test.each([[undefined], ['']])('reports a missing gateway (%j)', async (url) => {
  const { page } = await open(url);
  expect([page.status, page.text]).toEqual([404, expect.stringContaining('no gateway')]);
});
