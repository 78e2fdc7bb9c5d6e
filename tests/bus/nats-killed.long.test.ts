import type { Link } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import { connect, type NatsConnection } from 'nats';
import { expect, onTestFinished, test } from 'vitest';
import { startNats } from '../support/servers.ts';

// Long: it kills NATS under load.
// About: packages/bus/src.

const subject = 'tp.j.killed.records';

test('after NATS was killed, entries it kept although they were read are read again, until the journal is empty', async () => {
  const server = await startNats();
  onTestFinished(() => server.stop());
  const open = async (): Promise<Link> => {
    const link = await natsLink({ url: server.url, name: 'test' });
    onTestFinished(() => link.close());
    return link;
  };
  const [writer, ...readers] = await Promise.all([open(), open(), open()]);
  const read = new Set<string>();
  for (const reader of readers) {
    await reader.journals.consume(subject, async (entries) => entries.forEach((entry) => read.add(String(entry))), {
      gatherMs: 10,
    });
  }
  const stored: string[] = [];
  let count = 0;
  let writing = true;
  async function write(): Promise<void> {
    while (writing) {
      const id = `${count++}`;
      await writer?.journals.append(subject, { id, bytes: Buffer.from(id) }).then(
        () => stored.push(id),
        () => undefined,
      );
    }
  }
  const written = Promise.all([write(), write()]);
  await expect.poll(() => read.size).toBeGreaterThan(1_000);
  await server.kill('SIGKILL');
  await server.restart();
  const before = stored.length;
  await expect.poll(() => stored.length).toBeGreaterThan(before + 200);
  writing = false;
  await written;

  const connection = await connect({ servers: server.url });
  onTestFinished(() => connection.close());
  await expect.poll(() => storedMessages(connection), { interval: 500 }).toBe(0);
  expect(stored.filter((id) => !read.has(id))).toEqual([]);
});

async function storedMessages(connection: NatsConnection): Promise<number> {
  const { streams } = await connection.jetstreamManager();
  return (await streams.info('tallyport-journal')).state.messages;
}
