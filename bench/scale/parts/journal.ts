import { createClient } from '../../../packages/bus/src/index.ts';
import { ledgerService } from '../../../packages/contracts/src/index.ts';
import { usageRecord } from '../../../services/ledger-svc/src/usage/testing/usage-record.ts';
import type { Mechanism } from '../mechanism.ts';
import { startMeteredNats } from '../nats-meter.ts';

const mostLinks = 100;
const records = 3_000;

export const journal: Mechanism = {
  name: 'journal',
  title: 'NATS: usage records, in and out',
  unit: 'record',
  payer: 'NATS',
  replicasOf: ({ chats }) => chats,
  mostReplicas: mostLinks,
  unitsPerSecond: ({ requestsPerSecond }) => requestsPerSecond,
  /** A chat-svc with 33 requests a second sends each record by itself, so each writer here has one at a time. */
  async measure({ sizes, undo }) {
    const nats = await startMeteredNats(undo);
    const reader = createClient(await nats.open('ledger-svc'), ledgerService);
    let read = 0;
    const consumer = await reader.usage.consume(async (entries) => void (read += entries.length), { gatherMs: 10 });
    undo.add(() => consumer.stop());
    const writers: ReturnType<typeof createClient<typeof ledgerService.operations>>[] = [];
    const points = [];
    for (const replicas of sizes) {
      while (writers.length < replicas) writers.push(createClient(await nats.open('chat-svc'), ledgerService));
      const before = read;
      const micros = await nats.microsOf(async () => {
        let left = records;
        const write = async (writer: (typeof writers)[number]): Promise<void> => {
          while (left > 0) {
            left -= 1;
            await writer.usage.append(usageRecord({ id: `${replicas}-${left}` }));
          }
        };
        await Promise.all(writers.map(write));
        while (read - before < records) await new Promise((resolve) => setTimeout(resolve, 20));
      });
      points.push({ replicas, micros: micros / records });
    }
    return points;
  },
};
