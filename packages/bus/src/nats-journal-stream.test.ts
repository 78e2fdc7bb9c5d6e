import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection, type StreamAPI } from 'nats';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startNats, type TestServer } from '../../../tests/support/servers.ts';
import type { Link } from './link.ts';
import { natsLink } from './nats.ts';

describe('where journals are kept', () => {
  let directory: string;
  let server: TestServer;
  let connection: NatsConnection;
  let streams: StreamAPI;
  const told: string[] = [];
  const links: Link[] = [];
  const open = async (maxBytes?: number) => {
    const link = await natsLink({ url: server.url, name: 'journal', journal: { maxBytes }, onTrouble: (...all) => void told.push(all.join(': ')) }); // prettier-ignore
    links.push(link);
    return link.journals;
  };
  const limit = async () => (await streams.info('switchyard-journal')).config.max_bytes;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'switchyard-nats-conf-'));
    const conf = join(directory, 'nats.conf');
    await writeFile(conf, 'jetstream { max_file_store: 2MB }\n');
    server = await startNats({ args: ['--config', conf] });
    connection = await connect({ servers: server.url });
    ({ streams } = await connection.jetstreamManager());
  });
  beforeEach(async () => {
    told.length = 0;
    await streams.delete('switchyard-journal').catch(() => false);
  });
  afterAll(async () => {
    await Promise.all([connection, ...links].map((each) => each.close()));
    await server.stop();
    await rm(directory, { recursive: true });
  });
  const entry = Buffer.alloc(10_000, 'x');

  test('is as large as we are told, and as large as the server allows where that is less', async () => {
    await (await open(1_000_000)).append('sy.j.a.b', '1', entry);
    expect(await limit()).toBe(1_000_000);
    await (await open(200_000)).append('sy.j.a.b', '2', entry);
    expect(await limit()).toBe(200_000);
    await (await open()).append('sy.j.a.b', '3', entry);
    expect([await limit(), told]).toEqual([200_000, []]);
    await (await open(3_000_000)).append('sy.j.a.b', '4', entry);
    expect([await limit(), told]).toEqual([200_000, ['error: The NATS server has no room for a journal of 3000000 bytes.']]); // prettier-ignore
    await streams.delete('switchyard-journal');
    await (await open()).append('sy.j.a.b', '5', entry);
    expect(await limit()).toBe(-1);
  });

  test('refuses what is beyond it, and loses nothing when it is told to be smaller than what it holds', async () => {
    const journals = await open(100_000);
    let stored = 0;
    const fill = async (): Promise<void> => {
      for (;;) await journals.append('sy.j.a.b', String(stored), entry).then(() => (stored += 1));
    };
    await expect(fill()).rejects.toMatchObject({ code: 'unavailable', retryAfterMs: 1000 });
    expect(stored).toBe(9);
    await (await open(70_000)).append('sy.j.a.b', 'more', entry).catch(() => undefined);
    expect((await streams.info('switchyard-journal')).state.messages).toBe(9);
    expect(told).toEqual([expect.stringMatching(/^error: The journal holds \d+ bytes; its limit is set when it is less\.$/)]); // prettier-ignore
  });

  test('is made again when somebody removed it, for who writes and for who reads', async () => {
    const journals = await open();
    const read: string[] = [];
    await journals.consume('sy.j.a.b', async (entries) => void read.push(...entries.map(String)));
    await journals.append('sy.j.a.b', '1', Buffer.from('one'));
    await expect.poll(() => read).toEqual(['one']);
    await streams.delete('switchyard-journal');
    const append = () => journals.append('sy.j.a.b', '2', Buffer.from('two')).then(() => 'stored', () => 'refused'); // prettier-ignore
    await expect.poll(append, { timeout: 10_000 }).toBe('stored');
    await expect.poll(() => read, { timeout: 10_000 }).toEqual(['one', 'two']);
  });
});
