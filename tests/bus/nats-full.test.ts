import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Link, serve } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import { call, journal, service } from '@tallyport/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startNats, type TestServer } from '../support/servers.ts';

const contract = service('full', {
  echo: call(z.object({ text: z.string() }), z.object({ text: z.string() })),
  records: journal(z.object({ id: z.string(), text: z.string() })),
});

let directory: string;
let server: TestServer;
let link: Link;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tallyport-nats-conf-'));
  await writeFile(join(directory, 'nats.conf'), 'jetstream { max_file_store: 2MB }\n');
  server = await startNats({ args: ['--config', join(directory, 'nats.conf')] });
  link = await natsLink({ url: server.url, name: 'test' });
});
afterAll(async () => {
  await link?.close();
  await server.stop();
  await rm(directory, { recursive: true });
});

test('a full journal refuses entries until some are read, and other requests still work', async () => {
  const full = createClient(link, contract);
  const listener = await serve(link, contract, { echo: (input) => input });
  const text = 'x'.repeat(64 * 1024);
  let written = 0;
  const fill = async (): Promise<unknown> => {
    for (; written < 100; written++) {
      const refused = await full.records.append({ id: `${written}`, text }).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refused !== undefined) return refused;
    }
    return undefined;
  };
  expect(await fill()).toMatchObject({ code: 'unavailable', retryAfterMs: 1000 });
  expect(written).toBeGreaterThan(10);
  expect(await full.echo({ text: 'still here' })).toEqual({ text: 'still here' });

  const read: string[] = [];
  const consumer = await full.records.consume(async (entries) => void read.push(...entries.map(({ id }) => id)));
  await expect.poll(() => read.length).toBe(written);
  const append = () =>
    full.records.append({ id: 'again', text }).then(
      () => 'stored',
      (error: { code: string }) => error.code,
    );
  await expect.poll(append).toBe('stored');
  await expect.poll(() => read.at(-1)).toBe('again');
  await consumer.stop();
  await listener.drain(1_000);
});

test('a journal at its own limit refuses new entries and delivers every entry that it took', async () => {
  const small = await startNats();
  const limited = await natsLink({ url: small.url, name: 'limited', journal: { maxBytes: 100_000 } });
  const { records } = createClient(limited, contract);
  const taken: string[] = [];
  const append = async (id: string, length: number): Promise<boolean> => {
    const isTaken = await records.append({ id, text: 'x'.repeat(length) }).then(() => true, () => false); // prettier-ignore
    if (isTaken) taken.push(id);
    return isTaken;
  };
  // Shorter and shorter, so that one fits by a few bytes: fewer than the server stores around it.
  for (let length = 800, count = 0; length > 0; count += 1) if (!(await append(`${count}`, length))) length -= 20;
  expect(taken.length).toBeGreaterThan(50);

  const read: string[] = [];
  const consumer = await records.consume(async (entries) => void read.push(...entries.map(({ id }) => id)));
  await expect.poll(() => read).toEqual(taken);
  await expect.poll(() => append('again', 1)).toBe(true);
  await consumer.stop();
  await limited.close();
  await small.stop();
});
