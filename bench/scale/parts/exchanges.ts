import { setTimeout as pause } from 'node:timers/promises';
import { operationSubject } from '../../../packages/bus/src/subject.ts';
import { gatewayOf } from '../gateway.ts';
import type { Mechanism } from '../mechanism.ts';
import { startMeteredNats } from '../nats-meter.ts';

const requests = 1_500;
/** With more, their own pings cost NATS more than the requests do. */
const mostLinks = 100;
const service = 'chat-svc';
const body = Buffer.alloc(1_000, 'x');
/** For the reports of how many frames were sent, which follow an exchange. */
const settleMs = 2_000;

export const exchanges: Mechanism = {
  name: 'exchanges',
  title: 'NATS: requests, edge to chat-svc',
  unit: 'request',
  payer: 'NATS',
  replicasOf: ({ chats }) => chats,
  mostReplicas: mostLinks,
  unitsPerSecond: ({ requestsPerSecond }) => requestsPerSecond,
  /** One edge with its rate of requests: each chat-svc is met less often the more there are. */
  async measure({ sizes, undo }) {
    const nats = await startMeteredNats(undo);
    const edge = await nats.open('edge');
    const ask = async (index: number): Promise<void> => {
      const head = { requestId: `r${index}`, timeoutMs: 10_000, headers: {} };
      await (await edge.open(operationSubject(service, 'go'), { head, body })).body.bytes();
    };
    const points = [];
    let listening = 0;
    for (const replicas of sizes) {
      for (; listening < replicas; listening += 1) {
        const chat = await nats.open(service);
        const go = async () => ({ head: { status: 200, headers: {} }, body });
        await chat.listen({ service, version: '1.0.0', handlers: { go } });
      }
      const micros = await nats.microsOf(async () => {
        const pending: Promise<void>[] = [];
        for (const startedAt = performance.now(); pending.length < requests; await pause(5)) {
          const due = ((performance.now() - startedAt) / 1_000) * gatewayOf(1).requestsPerSecond * 3;
          while (pending.length < Math.min(due, requests)) pending.push(ask(pending.length));
        }
        await Promise.all(pending);
        await pause(settleMs);
      });
      points.push({ replicas, micros: micros / requests });
    }
    return points;
  },
};
