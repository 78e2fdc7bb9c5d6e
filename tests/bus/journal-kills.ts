import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Link } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import {
  createUsageRecorder,
  type RecorderEvents,
  type UsageRecorder,
} from '../../packages/serving/src/metering/usage/recorder.ts';
import { createSpill } from '../../packages/serving/src/metering/spill/spill.ts';
import { usageRecord } from '../../packages/serving/src/metering/testing/usage-record.ts';
import type { TestServer } from '../support/servers.ts';

/** A process that records usage, and a ledger that reads it from the same journal. */
export interface Bookkeeping {
  /** Records usage every few milliseconds; returns the function that ends it. */
  recordSteadily(): () => Promise<void>;
  recorded(): number;
  /** Ids of records that the ledger does not have. */
  missing(): string[];
  close(): Promise<void>;
}

interface Places {
  /** Addresses for the writer and the reader: they use different servers of a cluster. */
  urls: { writer: string; reader: string };
  replicas: number;
}

const subject = 'tp.j.auth.usage';
const maxBytes = 64 * 1024 * 1024;
const longestPauseMs = 10;
let count = 0;
const ignored = () => undefined;

/** For records whose ways these tests do not follow. */
export const ignoredEvents: RecorderEvents = {
  journalAway: ignored,
  journalBack: ignored,
  usageSpilled: ignored,
  usageSentAgain: ignored,
  notCompared: ignored,
  waiting: ignored,
  usageHeld: ignored,
  heldBytes: ignored,
  usageLost: ignored,
};

export async function openBookkeeping({ urls, replicas }: Places): Promise<Bookkeeping> {
  const journal = { replicas, maxBytes };
  const directory = await mkdtemp(join(tmpdir(), 'tallyport-kills-'));
  const [writer, reader] = await Promise.all([
    natsLink({ url: urls.writer, name: 'writer', journal }),
    natsLink({ url: urls.reader, name: 'reader', journal }),
  ]);
  const ids: string[] = [];
  const lost: string[] = [];
  const written = new Set<string>();
  const recorder = createUsageRecorder({
    append: ({ id }, onSent) => appendTo(writer, id, onSent),
    spill: createSpill({ directory, maxBytes }),
    findMissing: async (records) => new Set(records.flatMap(({ id }) => (written.has(id) ? [] : [id]))),
    storedWaitsMs: [2_000, 5_000, 10_000],
    events: { ...ignoredEvents, usageLost: ({ id }) => void lost.push(id) },
  });
  await reader.journals.consume(subject, async (entries) => entries.forEach((entry) => written.add(String(entry))), {
    gatherMs: 10,
  });
  return {
    recordSteadily: () => recordSteadily(recorder, ids),
    recorded: () => ids.length,
    missing: () => [...lost, ...ids.filter((id) => !written.has(id))],
    async close() {
      await recorder.stop(1_000);
      await Promise.all([writer.close(), reader.close()]);
      await rm(directory, { recursive: true });
    },
  };
}

export const appendTo = ({ journals }: Link, id: string, onSent?: () => void): Promise<void> =>
  journals.append(subject, { id, bytes: Buffer.from(id), ...(onSent && { onSent }) });

function recordSteadily(recorder: UsageRecorder, ids: string[]): () => Promise<void> {
  let recording = true;
  async function record(): Promise<void> {
    while (recording) {
      const id = `use_${count++}`;
      ids.push(id);
      void recorder.record(usageRecord(id));
      await sleep(Math.random() * longestPauseMs);
    }
  }
  const running = record();
  return async () => {
    recording = false;
    await running;
  };
}

/** Kills servers within a few milliseconds, while all record, and starts them again with the same data. */
export async function killWhileRecording(
  all: readonly Bookkeeping[],
  victims: readonly TestServer[],
  recordMs: number,
): Promise<void> {
  const stops = all.map((one) => one.recordSteadily());
  await sleep(recordMs * (0.5 + Math.random()));
  for (const victim of victims) {
    process.kill(victim.pid ?? 0, 'SIGKILL');
    await sleep(Math.random() * longestPauseMs);
  }
  // The last records are sent just before and after the kill.
  await Promise.all(stops.map((stop) => stop()));
  await Promise.all(victims.map((victim) => victim.restart()));
}
