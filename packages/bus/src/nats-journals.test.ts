import { randomUUID } from 'node:crypto';
import { connect } from 'nats';
import { expect, test } from 'vitest';
import { natsLink } from './nats.ts';

const url = process.env['TEST_NATS_URL'] ?? '';

test('a journal that somebody made with other settings is used as it is, but for the number of copies we are told', async () => {
  const first = await natsLink({ url, name: 'first' });
  const subject = `sy.j.${randomUUID()}`;
  await first.journals.append(subject, randomUUID(), Buffer.from('one'));
  const connection = await connect({ servers: url });
  const { streams } = await connection.jetstreamManager();
  await streams.update('switchyard-journal', { description: 'changed by an operator' });
  const second = await natsLink({ url, name: 'second', journal: { replicas: 1 } });
  await second.journals.append(subject, randomUUID(), Buffer.from('two'));
  const { config } = await streams.info('switchyard-journal');
  expect([config.description, config.num_replicas]).toEqual(['changed by an operator', 1]);
  await streams.purge('switchyard-journal', { filter: subject });
  await streams.update('switchyard-journal', { description: '' });
  await Promise.all([first.close(), second.close(), connection.close()]);
});

test('what cannot be written comes again after a pause, not in a hot loop', async () => {
  const link = await natsLink({ url, name: 'reader' });
  const subject = `sy.j.${randomUUID()}`;
  const tries: number[] = [];
  const written: string[] = [];
  await Promise.all(['one', 'two'].map((text) => link.journals.append(subject, text + subject, Buffer.from(text))));
  await link.journals.consume(subject, async (entries) => {
    tries.push(performance.now());
    if (tries.length < 5) throw new Error('away');
    written.push(...entries.map(String));
  });
  await expect.poll(() => written.toSorted(), { timeout: 15_000 }).toEqual(['one', 'two']);
  const pauses = tries.slice(1, 5).map((at, index) => at - (tries[index] ?? 0));
  expect(pauses.filter((ms) => ms < 400)).toEqual([]);
  await link.close();
});

test('what comes again comes together', async () => {
  const link = await natsLink({ url, name: 'reader' });
  const subject = `sy.j.${randomUUID()}`;
  const texts = Array.from({ length: 50 }, (_, at) => `entry ${at}`);
  // One after the other: each is a message of its own.
  for (const text of texts) await link.journals.append(subject, text + subject, Buffer.from(text));
  const handed: number[] = [];
  const written = new Set<string>();
  await link.journals.consume(
    subject,
    async (entries) => {
      handed.push(entries.length);
      if (handed.length === 1) throw new Error('away');
      for (const entry of entries) written.add(String(entry));
    },
    { gatherMs: 20 },
  );
  await expect.poll(() => [...written].toSorted(), { timeout: 15_000 }).toEqual(texts.toSorted());
  expect(handed[0]).toBe(50);
  expect(handed.length).toBeLessThanOrEqual(4);
  await link.close();
});

test('where much waits already, nothing waits for company', async () => {
  const link = await natsLink({ url, name: 'reader' });
  const subject = `sy.j.${randomUUID()}`;
  const count = 500;
  for (let at = 0; at < count; at += 1) await link.journals.append(subject, `${at}${subject}`, Buffer.from(`${at}`));
  let handed = 0;
  const since = performance.now();
  // Each batch would wait for ten seconds.
  await link.journals.consume(subject, async (entries) => void (handed += entries.length), { gatherMs: 1_000 });
  await expect.poll(() => handed, { timeout: 15_000 }).toBeGreaterThan(count - 150);
  expect(performance.now() - since).toBeLessThan(9_000);
  await link.close();
});
