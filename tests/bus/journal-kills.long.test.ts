import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// Pause: the moment of a kill is chosen at random.
import { setTimeout as sleep } from 'node:timers/promises';
import { natsLink } from '@tallyport/bus/nats';
import { expect, onTestFinished, test } from 'vitest';
import { startNats } from '../support/servers.ts';
import { wholly } from '../support/scale.ts';
import { accountUrl, startCluster } from './cluster.ts';
import { type Bookkeeping, killWhileRecording, openBookkeeping } from './journal-kills.ts';
import { startProgram } from './start-program.ts';

// Long: it kills servers and processes a thousand times.
// About: packages/bus/src, packages/serving/src/metering/spill.

/** Rounds with a single server, each with a kill. */
const rounds = wholly ? 1_000 : 20;
/** Each starts a process. */
const recorderKills = wholly ? 100 : 5;
/** Of a cluster, each kill is a round for every account, whose journal has its own leader. */
const [kills, accounts] = wholly ? [25, 40] : [1, 20];

const missingOf = (all: readonly Bookkeeping[]) => all.flatMap((one) => one.missing());

test(
  `no record is lost in ${rounds} kills of a single server at the moment of publishing`,
  { meta: { tries: rounds } },
  async () => {
    const server = await startNats({ args: [] });
    onTestFinished(() => server.stop());
    const books = await openBookkeeping({ urls: { writer: server.url, reader: server.url }, replicas: 1 });
    onTestFinished(() => books.close());
    for (let round = 0; round < rounds; round++) await killWhileRecording([books], [server], 40);
    await expect.poll(() => books.missing(), { interval: 50 }).toEqual([]);
    expect(books.recorded()).toBeGreaterThan(rounds);
  },
);

test(
  `no record that counts as sent is lost in ${recorderKills} kills of the service that records`,
  { meta: { tries: recorderKills } },
  async () => {
    const server = await startNats();
    onTestFinished(() => server.stop());
    const folder = await mkdtemp(join(tmpdir(), 'tallyport-kills-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const reader = await natsLink({ url: server.url, name: 'reader' });
    onTestFinished(() => reader.close());
    const read = new Set<string>();
    await reader.journals.consume('tp.j.auth.usage', async (entries) => entries.forEach((entry) => read.add(String(entry)))); // prettier-ignore
    const sent: string[] = [];
    for (let round = 0; round < recorderKills; round++) {
      const child = await startProgram('recorder', server.url, folder);
      let output = '';
      child.stdout?.on('data', (text: Buffer) => (output += text.toString()));
      // On a busy machine the first record can take longer than the whole round.
      await expect.poll(() => output, { interval: 5 }).toContain('use_');
      await sleep(Math.random() * 100);
      child.kill('SIGKILL');
      await once(child, 'close');
      sent.push(...output.split('\n').filter((line) => line.startsWith('use_')));
    }
    const kept = async (): Promise<string> => {
      const files = (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8'));
      return (await Promise.all(files)).join('');
    };
    const missing = async () => {
      const inFiles = await kept();
      return sent.filter((id) => !read.has(id) && !inFiles.includes(`"${id}"`));
    };
    await expect.poll(missing).toEqual([]);
    expect(sent.length).toBeGreaterThan(recorderKills);
  },
);

test(
  `no record is lost in ${kills * accounts} rounds in which two of three servers are killed at the moment of publishing`,
  { meta: { tries: kills * accounts } },
  async () => {
    const cluster = await startCluster({ accounts });
    onTestFinished(() => cluster.stop());
    const places = Array.from({ length: accounts }, (_, account) => ({
      urls: { writer: accountUrl(cluster, account, account), reader: accountUrl(cluster, account, account + 1) },
      replicas: 3,
    }));
    const all = await Promise.all(places.map(openBookkeeping));
    onTestFinished(async () => void (await Promise.all(all.map((one) => one.close()))));
    for (let kill = 0; kill < kills; kill++) {
      const victims = cluster.servers.filter((_, index) => index !== kill % 3);
      await killWhileRecording(all, Math.random() < 0.5 ? victims : victims.toReversed(), 200);
      await expect.poll(() => missingOf(all), { interval: 50 }).toEqual([]);
    }
    for (const one of all) expect(one.recorded()).toBeGreaterThan(kills);
  },
);
