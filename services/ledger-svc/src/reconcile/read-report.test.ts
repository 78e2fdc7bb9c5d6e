import { costReports } from '@tallyport/providers/cost-reports';
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { readReport, type ReportLimits } from './read-report.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const reportOf = (id: string) => costReports.get(id) ?? expect.fail(`no report of ${id}`);
const report = reportOf('openrouter');
const period = { from: '2026-11-01', to: '2026-11-01' };
const read = (baseUrl: string, limits: Partial<ReportLimits> = {}) =>
  readReport({ report, period, adminKey: 'k', baseUrl }, { firstPauseMs: 1, ...limits });

const activity = (usage: string) => `{"data":[{"date":"2026-11-01","model":"m","usage":${usage},"requests":1}]}`;

test('asks with the key at the configured address, and keeps every digit', async () => {
  const seen: unknown[] = [];
  const baseUrl = await served(({ url, method, headers }, response) => {
    seen.push([method, url, headers.authorization]);
    response.end(activity('0.12345678901234567'));
  });
  expect(await read(baseUrl)).toEqual({
    lines: [{ day: '2026-11-01', model: 'm', billedClass: 'all', amount: '0.12345678901234567' }],
    uses: [{ day: '2026-11-01', model: 'm', requests: 1, counts: {} }],
  });
  expect(seen).toEqual([['GET', '/v1/activity?date=2026-11-01', 'Bearer k']]);
});

test('adds what vendors billed keys of their own to what OpenRouter charged', async () => {
  const baseUrl = await served((_request, response) => {
    response.end(activity('0.05,"byok_usage_inference":1'));
  });
  const line = { day: '2026-11-01', model: 'm', billedClass: 'all' };
  expect((await read(baseUrl)).lines).toEqual([
    { ...line, amount: '0.05' },
    { ...line, amount: '1' },
  ]);
});

test('tries again after 429 and 5xx, and gives up after the last try', async () => {
  let calls = 0;
  const baseUrl = await served((_request, response) => {
    calls += 1;
    response.statusCode = calls === 1 ? 429 : calls === 2 ? 503 : 200;
    if (calls === 1) response.setHeader('retry-after', '0');
    response.end(activity('1'));
  });
  expect((await read(baseUrl)).lines).toHaveLength(1);
  calls = 0;
  await expect(read(baseUrl, { tries: 2 })).rejects.toMatchObject({
    code: 'upstream_error',
    message: 'OpenRouter answered with status 503. Try again later.',
  });
  expect(calls).toBe(2);
});

test.for([
  [401, 'upstream_auth', 'OpenRouter refused the key. Its reports need a management key.'],
  [403, 'upstream_auth', 'OpenRouter refused the key. Its reports need a management key.'],
  [400, 'upstream_error', 'OpenRouter answered with status 400. Check the period and the base URL.'],
  [302, 'upstream_error', 'OpenRouter answered with status 302. Check the period and the base URL.'],
] as const)('does not try again after status %d', async ([status, code, message]) => {
  let calls = 0;
  const baseUrl = await served((_request, response) => {
    calls += 1;
    response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('{"error":"k"}');
  });
  await expect(read(baseUrl)).rejects.toMatchObject({ code, message });
  expect(calls).toBe(1);
});

test('refuses what is no JSON, too large, or never ends', async () => {
  const html = await served((_request, response) => response.end('<html>'));
  await expect(read(html)).rejects.toThrow('The report of OpenRouter is not JSON. Check the base URL.');
  const body = activity('1');
  const whole = await served((_request, response) => response.end(body));
  expect((await read(whole, { maxBytes: body.length })).lines).toHaveLength(1);
  await expect(read(whole, { maxBytes: body.length - 1 })).rejects.toThrow('OpenRouter sent more than');
  const silent = await served(() => {});
  await expect(read(silent, { deadlineMs: 50 })).rejects.toMatchObject({
    code: 'upstream_timeout',
    message: 'OpenRouter did not complete its report in 0.05 s. Try again later.',
  });
  await expect(read('http://127.0.0.1:1/v1', { tries: 1 })).rejects.toThrow('OpenRouter could not be reached');
});

test('follows pages up to a bound', async () => {
  let pages = 0;
  const baseUrl = await served(({ url = '' }, response) => {
    pages += 1;
    const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? '1');
    const isCosts = url.startsWith('/v1/organization/costs');
    response.end(JSON.stringify({ data: [], has_more: isCosts && page < 3, next_page: String(page + 1) }));
  });
  const source = { report: reportOf('openai'), period, adminKey: 'k', baseUrl };
  expect(await readReport(source, { mostPages: 8 })).toEqual({ lines: [], uses: [] });
  expect(pages).toBe(8);
  await expect(readReport(source, { mostPages: 7 })).rejects.toThrow('The report of OpenAI is too long.');
});

test('keeps lines up to a bound', async () => {
  const baseUrl = await served((_request, response) => response.end(activity('1')));
  expect((await read(baseUrl, { mostLines: 2 })).lines).toHaveLength(1);
  await expect(read(baseUrl, { mostLines: 1 })).rejects.toThrow('is too long. Choose fewer days.');
});
