import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createClient, type Link, serve } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import { call, journal, service } from '@tallyport/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { firstAnswer } from '../support/probe.ts';
import { startNats, type TestServer } from '../support/servers.ts';
import { patient } from '../support/patience.ts';

// Long: it fills a disk.
// About: packages/bus/src.

const contract = service('disk', {
  echo: call(z.object({ text: z.string() }), z.object({ text: z.string() })),
  records: journal(z.object({ id: z.string(), text: z.string() })),
});

let server: TestServer;
let link: Link;

beforeAll(async () => {
  // With custom arguments the server is a local process, whose file size can be limited.
  server = await startNats({ args: ['--logtime=true'] });
  link = await natsLink({ url: server.url, name: 'test' });
});
afterAll(async () => {
  const startedAt = performance.now();
  await link.close();
  expect(performance.now() - startedAt).toBeLessThan(patient(5_000));
  await server.stop();
});

test('a full disk stops the journal but no request, and a restart delivers the stored entries', async () => {
  const disk = createClient(link, contract);
  await serve(link, contract, { echo: (input) => input });
  const append = (id: string) => disk.records.append({ id, text: 'x'.repeat(64 * 1024) });
  await append('first');
  execFileSync('prlimit', ['--fsize=1000000:', '--pid', String(server.pid)]);
  const stored: string[] = ['first'];
  const fill = async (): Promise<void> => {
    for (let count = 0; count < 100; count++) await append(`${count}`).then(() => stored.push(`${count}`));
  };
  await expect(fill()).rejects.toMatchObject({ code: 'unavailable', retryAfterMs: 1000 });
  for (let count = 0; count < 20; count++) expect(await disk.echo({ text: 'here' })).toEqual({ text: 'here' });

  await server.restart();
  await expect.poll(() => append('last').then(() => 'stored', () => 'refused')).toBe('stored'); // prettier-ignore
  const read = new Set<string>();
  await disk.records.consume(async (entries) => entries.forEach(({ id }) => read.add(id)));
  await expect.poll(() => [...stored, 'last'].filter((id) => !read.has(id))).toEqual([]);
});

test('the server of these tests has a version that docs/operate.md supports', async () => {
  const { hostname, port } = new URL(server.url);
  const greeting = (await firstAnswer(hostname, Number(port)))?.toString() ?? '';
  const running = /"version":"(\d+\.\d+\.\d+)"/.exec(greeting)?.[1] ?? '';
  const text = readFileSync(new URL('../../docs/operate.md', import.meta.url), 'utf8');
  const oldest = /\*\*NATS\*\* is supported from (\d+\.\d+\.\d+)/.exec(text)?.[1] ?? '';
  const inOrder = [oldest, running].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  expect([oldest, running]).toEqual(inOrder);
  expect(oldest).not.toBe('');
});
