import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createInstallationSpill, type InstallationSpill } from './installation-spill.ts';
import { usageRecord } from '../testing/usage-record.ts';

let directory: string;
let opened: InstallationSpill[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tallyport-spill-'));
  opened = [];
});
afterEach(async () => {
  for (const spill of opened) spill.stop();
  await rm(directory, { recursive: true });
});

function open(readInstallation: () => Promise<string>): InstallationSpill {
  const spill = createInstallationSpill({ directory, maxBytes: 1_000_000, readInstallation, retryMs: 10 });
  opened.push(spill);
  return spill;
}
const of = async (id: string): Promise<InstallationSpill> => {
  const spill = open(async () => id);
  await expect.poll(() => spill.isReady()).toBe(true);
  return spill;
};

async function anHourPasses(): Promise<void> {
  const then = new Date(Date.now() - 3_600_000);
  for (const name of await readdir(directory, { recursive: true })) await utimes(join(directory, name), then, then);
}

async function replayedBy(spill: InstallationSpill): Promise<string[]> {
  const replayed: string[] = [];
  await spill.replay(async ({ id }) => void replayed.push(id));
  return replayed;
}

test('records are read only by processes of their own installation, even in a shared folder', async () => {
  await (await of('one')).add(usageRecord('use_1'));
  await anHourPasses();
  expect(await replayedBy(await of('other'))).toEqual([]);
  expect(await replayedBy(await of('one'))).toEqual(['use_1']);
});

test('nothing is written until the installation is known, which is retried', async () => {
  let answer = (): Promise<string> => Promise.reject(new Error('away'));
  const spill = open(() => answer());
  await expect(spill.add(usageRecord('use_1'))).rejects.toThrow('not known yet');
  expect([await replayedBy(spill), spill.isEmpty(), spill.bytes(), await readdir(directory)]).toEqual([
    [],
    true,
    0,
    [],
  ]);
  answer = async () => 'one';
  await expect.poll(() => spill.add(usageRecord('use_1')).then(() => true, () => false)).toBe(true); // prettier-ignore
  expect(await replayedBy(spill)).toEqual(['use_1']);
});
