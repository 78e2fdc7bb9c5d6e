import { randomUUID } from 'node:crypto';
import { connect } from 'nats';
import { expect, test } from 'vitest';
import { natsLink } from './nats.ts';
import { patient } from '../../../tests/support/patience.ts';

const url = process.env['TEST_NATS_URL'] ?? '';

test('an existing journal with other settings is kept, except for the configured number of copies', async () => {
  const first = await natsLink({ url, name: 'first' });
  const subject = `tp.j.${randomUUID()}`;
  await first.journals.append(subject, { id: randomUUID(), bytes: Buffer.from('one') });
  const connection = await connect({ servers: url });
  const { streams } = await connection.jetstreamManager();
  await streams.update('tallyport-journal', { description: 'changed by an operator' });
  const second = await natsLink({ url, name: 'second', journal: { replicas: 1 } });
  await second.journals.append(subject, { id: randomUUID(), bytes: Buffer.from('two') });
  const { config } = await streams.info('tallyport-journal');
  expect([config.description, config.num_replicas]).toEqual(['changed by an operator', 1]);
  await streams.purge('tallyport-journal', { filter: subject });
  await streams.update('tallyport-journal', { description: '' });
  await Promise.all([first.close(), second.close(), connection.close()]);
});

test('an entry that the server has lost is stored again when it is appended again', async () => {
  const link = await natsLink({ url, name: 'writer' });
  const connection = await connect({ servers: url });
  const { streams } = await connection.jetstreamManager();
  const subject = `tp.j.${randomUUID()}`;
  const entry = { id: subject, bytes: Buffer.from('entry') };
  await link.journals.append(subject, entry);
  await streams.purge('tallyport-journal', { filter: subject });
  await link.journals.append(subject, entry);
  const read: string[] = [];
  await link.journals.consume(subject, async (entries) => void read.push(...entries.map(String)));
  await expect.poll(() => read).toEqual(['entry']);
  await Promise.all([link.close(), connection.close()]);
});

test('a failed batch is delivered again after a pause, not in a hot loop', async () => {
  const link = await natsLink({ url, name: 'reader' });
  const subject = `tp.j.${randomUUID()}`;
  const tries: number[] = [];
  const written: string[] = [];
  await Promise.all(
    ['one', 'two'].map((text) => link.journals.append(subject, { id: text + subject, bytes: Buffer.from(text) })),
  );
  await link.journals.consume(subject, async (entries) => {
    tries.push(performance.now());
    if (tries.length < 5) throw new Error('away');
    written.push(...entries.map(String));
  });
  await expect.poll(() => written.toSorted()).toEqual(['one', 'two']);
  const pauses = tries.slice(1, 5).map((at, index) => at - (tries[index] ?? 0));
  expect(pauses.filter((ms) => ms < 400)).toEqual([]);
  await link.close();
});

test('redelivered entries arrive in few batches', async () => {
  const link = await natsLink({ url, name: 'reader' });
  const subject = `tp.j.${randomUUID()}`;
  const texts = Array.from({ length: 50 }, (_, at) => `entry ${at}`);
  // One after the other, so that each entry is its own message.
  for (const text of texts) await link.journals.append(subject, { id: text + subject, bytes: Buffer.from(text) });
  const batchSizes: number[] = [];
  const written = new Set<string>();
  await link.journals.consume(
    subject,
    async (entries) => {
      batchSizes.push(entries.length);
      if (batchSizes.length === 1) throw new Error('away');
      for (const entry of entries) written.add(String(entry));
    },
    { gatherMs: 50 },
  );
  await expect.poll(() => [...written].toSorted()).toEqual(texts.toSorted());
  expect(batchSizes[0]).toBe(50);
  expect(batchSizes.length).toBeLessThanOrEqual(4);
  await link.close();
});

test('batches are not delayed while many entries wait', async () => {
  const link = await natsLink({ url, name: 'reader' });
  const subject = `tp.j.${randomUUID()}`;
  const count = 500;
  for (let at = 0; at < count; at += 1)
    await link.journals.append(subject, { id: `${at}${subject}`, bytes: Buffer.from(`${at}`) });
  let delivered = 0;
  const since = performance.now();
  // If it were delayed, each batch would wait ten seconds.
  await link.journals.consume(subject, async (entries) => void (delivered += entries.length), { gatherMs: 1_000 });
  await expect.poll(() => delivered).toBeGreaterThan(count - 150);
  expect(performance.now() - since).toBeLessThan(patient(9_000));
  await link.close();
});
