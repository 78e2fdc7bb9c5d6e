import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection, type StreamAPI } from 'nats';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startNats, type TestServer } from '../../../tests/support/servers.ts';
import type { Link } from './link.ts';
import { natsLink } from './nats.ts';

describe('the stream of the journals', () => {
  let directory: string;
  let server: TestServer;
  let connection: NatsConnection;
  let streams: StreamAPI;
  const warnings: string[] = [];
  const links: Link[] = [];
  const open = async (maxBytes?: number) => {
    const link = await natsLink({ url: server.url, name: 'journal', journal: { maxBytes }, onTrouble: (...all) => void warnings.push(all.join(': ')) }); // prettier-ignore
    links.push(link);
    return link.journals;
  };
  const limit = async () => (await streams.info('tallyport-journal')).config.max_bytes;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tallyport-nats-conf-'));
    const conf = join(directory, 'nats.conf');
    await writeFile(conf, 'jetstream { max_file_store: 2MB }\n');
    server = await startNats({ args: ['--config', conf] });
    connection = await connect({ servers: server.url });
    ({ streams } = await connection.jetstreamManager());
  });
  beforeEach(async () => {
    warnings.length = 0;
    await streams.delete('tallyport-journal').catch(() => false);
  });
  afterAll(async () => {
    await Promise.all([connection, ...links].map((each) => each.close()));
    await server.stop();
    await rm(directory, { recursive: true });
  });
  const entry = Buffer.alloc(10_000, 'x');

  test('has the configured size, or the size that the server allows if that is smaller', async () => {
    await (await open(1_000_000)).append('tp.j.a.b', { id: '1', bytes: entry });
    expect(await limit()).toBe(1_000_000);
    await (await open(200_000)).append('tp.j.a.b', { id: '2', bytes: entry });
    expect(await limit()).toBe(200_000);
    await (await open()).append('tp.j.a.b', { id: '3', bytes: entry });
    expect([await limit(), warnings]).toEqual([200_000, []]);
    await (await open(3_000_000)).append('tp.j.a.b', { id: '4', bytes: entry });
    expect([await limit(), warnings]).toEqual([200_000, ['error: The NATS server has no room for a journal of 3000000 bytes. Raise its storage limit or lower the size.']]); // prettier-ignore
    await streams.delete('tallyport-journal');
    await (await open()).append('tp.j.a.b', { id: '5', bytes: entry });
    expect(await limit()).toBe(-1);
  });

  test('is found by the next service, although it takes all the room of the server', async () => {
    await (await open(2 * 1024 ** 2)).append('tp.j.a.b', { id: '1', bytes: entry });
    await (await open(2 * 1024 ** 2)).append('tp.j.a.b', { id: '2', bytes: entry });
    await (await open()).append('tp.j.a.b', { id: '3', bytes: entry });
    expect([await limit(), warnings]).toEqual([2 * 1024 ** 2, []]);
  });

  test('refuses entries beyond its size, and loses none when the configured size is below its contents', async () => {
    const journals = await open(100_000);
    let stored = 0;
    const fill = async (): Promise<void> => {
      for (;;) await journals.append('tp.j.a.b', { id: String(stored), bytes: entry }).then(() => (stored += 1));
    };
    await expect(fill()).rejects.toMatchObject({ code: 'unavailable', retryAfterMs: 1000 });
    expect(stored).toBe(4);
    await (await open(70_000)).append('tp.j.a.b', { id: 'more', bytes: entry }).catch(() => undefined);
    expect((await streams.info('tallyport-journal')).state.messages).toBe(4);
    expect(warnings).toEqual([expect.stringMatching(/^error: The journal holds \d+ bytes, too many for its new limit\. It is applied at a later start\.$/)]); // prettier-ignore
  });

  test('is created again after it was deleted, for writers and for readers', async () => {
    const journals = await open();
    const read: string[] = [];
    await journals.consume('tp.j.a.b', async (entries) => void read.push(...entries.map(String)));
    await journals.append('tp.j.a.b', { id: '1', bytes: Buffer.from('one') });
    await expect.poll(() => read).toEqual(['one']);
    await streams.delete('tallyport-journal');
    const append = () => journals.append('tp.j.a.b', { id: '2', bytes: Buffer.from('two') }).then(() => 'stored', () => 'refused'); // prettier-ignore
    await expect.poll(append).toBe('stored');
    await expect.poll(() => read).toEqual(['one', 'two']);
  });
});
