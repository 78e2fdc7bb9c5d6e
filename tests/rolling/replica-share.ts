import { setTimeout as pause } from 'node:timers/promises';
import { cpuSeconds } from '../../bench/measure/cpu.ts';
import type { Distributed } from '../../scripts/distributed/start.ts';
import { waitUntil } from '../support/probe.ts';
import { type Ask, type ScaledService, type ServiceLoad, serviceLoads } from './service-loads.ts';

/** What a replica that is added under load takes over, and what becomes of the load when the other one stops. */
export interface ReplicaShare {
  /** Requests that each replica counted, the new one last. */
  requests: readonly number[];
  /** Seconds of CPU of each replica. */
  cpu: readonly number[];
  /** Requests that failed, from before the new replica to after the end of the other. */
  failures: readonly string[];
  /** Requests that were answered during that time. */
  answered: number;
  /** How the replica that was stopped ended. */
  ending: string | undefined;
}

interface Measuring {
  /** How long the work of two replicas is counted. */
  forMs: number;
  /** It is counted until they have counted this many requests together, too. */
  atLeast: number;
}

const askers = 5;
const everyMs = 100;
const drainMs = 30_000;
const patienceMs = 120_000;

/** Adds a second replica of a service under load, counts what each does, stops the first, and counts failures. */
export async function measureShare(
  running: Distributed,
  service: ScaledService,
  measuring: Measuring,
): Promise<ReplicaShare> {
  const load = await serviceLoads[service](running);
  const traffic = keepAsking(load.asks);
  try {
    await traffic.more(askers);
    await running.add(service);
    const work = await workDuring(measuring, () => workOf(running, service, load), traffic);
    const ending = await running.drain(service, { index: 0, deadlineMs: drainMs });
    await traffic.more(10 * askers);
    await traffic.stop();
    return { ...work, failures: traffic.failures, answered: traffic.answered(), ending };
  } finally {
    await traffic.stop();
  }
}

/** Ends early if a request fails. */
async function workDuring(
  { forMs, atLeast }: Measuring,
  workSoFar: () => Promise<Work>,
  { failures }: SteadyTraffic,
): Promise<Work> {
  const before = await workSoFar();
  const work = async () => difference(await workSoFar(), before);
  await pause(forMs);
  const hasEnough = async () => total((await work()).requests) >= atLeast || failures.length > 0;
  await waitUntil(`${atLeast} requests are counted`, hasEnough, { deadlineMs: patienceMs, everyMs: 250 });
  return work();
}

interface SteadyTraffic {
  failures: readonly string[];
  answered(): number;
  /** Resolves when this many more requests have ended. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Repeats all requests, each by several askers that pause between two. */
function keepAsking(asks: readonly Ask[]): SteadyTraffic {
  const failures: string[] = [];
  let answered = 0;
  let stopping = false;
  async function repeat(ask: Ask): Promise<void> {
    while (!stopping) {
      await ask().then(
        () => (answered += 1),
        (error: unknown) => failures.push(describe(error)),
      );
      await pause(everyMs);
    }
  }
  const ended = () => answered + failures.length;
  const asking = Array.from({ length: askers }, (_, index) => asks[index % asks.length]!).map(repeat);
  return {
    failures,
    answered: () => answered,
    more: (count) => {
      const goal = ended() + count;
      return waitUntil(`${count} more requests`, () => ended() >= goal, { deadlineMs: patienceMs });
    },
    async stop() {
      stopping = true;
      await Promise.all(asking);
    },
  };
}

interface Work {
  requests: readonly number[];
  cpu: readonly number[];
}

async function workOf(running: Distributed, service: ScaledService, { counted }: ServiceLoad): Promise<Work> {
  const pids = Object.fromEntries(running.pids(service).map((pid, index) => [`${index}`, pid]));
  const urls = running.replicas(service).map(({ adminUrl }) => adminUrl);
  return { requests: await Promise.all(urls.map((url) => sumOf(url, counted))), cpu: Object.values(cpuSeconds(pids)) };
}

const difference = (after: Work, before: Work): Work => ({
  requests: after.requests.map((count, index) => count - before.requests[index]!),
  cpu: after.cpu.map((seconds, index) => seconds - before.cpu[index]!),
});

/** The sum of the series whose name and labels begin like this. */
async function sumOf(adminUrl: string, series: string): Promise<number> {
  const lines = (await (await fetch(`${adminUrl}/metrics`)).text()).split('\n');
  const own = lines.filter((line) => line.startsWith(series));
  return total(own.map((line) => Number(line.slice(line.lastIndexOf(' ') + 1))));
}

const total = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** The part of the new replica, from 0 to 1. */
export const shareOfNew = (values: readonly number[]): number => (values.at(-1) ?? 0) / total(values);

/** `fetch` hides why a connection failed in the cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${String(error.cause)}`;
}
