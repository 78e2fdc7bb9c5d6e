import { setTimeout as delay } from 'node:timers/promises';
import { startDistributed } from '../scripts/distributed/start.ts';
import type { Distributed, DistributedOptions } from '../scripts/distributed/start.ts';
import { startSharedServers } from '../tests/support/servers.ts';
import { environmentFor } from './gateway/gateway.ts';
import { startGenerator } from './load/generator.ts';
import type { Generator } from './load/generator.ts';
import type { LoadResult } from './load/plan.ts';
import { targetOf } from './load/target.ts';
import { cpuSeconds, difference, sum } from './measure/cpu.ts';
import { createUndo } from './support/undo.ts';
import { startUpstream } from './upstream/upstream.ts';

// `node bench/scaling.ts`: the load of case a with one and two replicas of edge and chat-svc, and with a chat-svc that
// is suspended half of the time. On two cores more replicas cannot be faster; they must not be slower.
const shapes: { title: string; edges: number; chats: number; isSlow?: boolean }[] = [
  { title: 'edge × 1, chat-svc × 1', edges: 1, chats: 1 },
  { title: 'edge × 1, chat-svc × 2', edges: 1, chats: 2 },
  { title: 'edge × 2, chat-svc × 2', edges: 2, chats: 2 },
  { title: 'edge × 1, chat-svc × 2, one of them slow', edges: 1, chats: 2, isSlow: true },
];
const connections = 64;
const mode = { kind: 'answer', delayMs: 0 } as const;
const [warmUpMs, measureMs, rounds] = [10_000, 5_000, 3];
/** A slow replica is suspended this long, and then runs as long. */
const suspendedMs = 50;

interface Figures {
  perSecond: number;
  p99: number;
  cpuMicroseconds: number;
  failures: number;
}

const undo = createUndo();
try {
  const { environment, stop } = await startSharedServers();
  undo.add(stop);
  const upstream = await startUpstream();
  undo.add(upstream.stop);
  await upstream.setMode(mode);
  const generators = [await startGenerator(), await startGenerator()];
  for (const generator of generators) undo.add(generator.stop);
  const servers = {
    NATS_URL: environment.TEST_NATS_URL,
    REDIS_URL: environment.TEST_REDIS_URL,
    DATABASE_URL: environment.TEST_DATABASE_URL,
  };
  for (const { title, edges, chats, isSlow } of shapes) {
    const replicas = { edge: edges, 'chat-svc': chats, 'image-svc': 0, 'console-svc': 0, 'mcp-svc': 0 };
    const figures = await measureShape({ upstreamPort: upstream.port, generators, servers, replicas, isSlow });
    print(title, figures);
  }
} finally {
  await undo.all();
}

interface Shape extends Pick<DistributedOptions, 'servers' | 'replicas'> {
  upstreamPort: number;
  generators: readonly Generator[];
  isSlow: boolean | undefined;
}

/** The round with the median rate. */
async function measureShape({ upstreamPort, generators, servers, replicas, isSlow }: Shape): Promise<Figures> {
  const running = await startDistributed({
    servers,
    replicas,
    environment: environmentFor(upstreamPort),
    sandboxUrl: `http://127.0.0.1:${upstreamPort}`,
  });
  const over = new AbortController();
  const slowness = isSlow ? slowDown(running.pids('chat-svc')[0] ?? 0, over.signal) : undefined;
  try {
    const figures: Figures[] = [];
    for (let round = 0; round < rounds; round++) figures.push(await measureRound(running, generators));
    return figures.sort((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds / 2)]!;
  } finally {
    over.abort();
    await slowness;
    await running.stop();
  }
}

async function measureRound(running: Distributed, generators: readonly Generator[]): Promise<Figures> {
  const pids = Object.fromEntries(
    (['edge', 'chat-svc', 'auth-svc', 'ledger-svc', 'catalog-svc'] as const).flatMap((service) =>
      running.pids(service).map((pid, index) => [`${service} ${index}`, pid] as const),
    ),
  );
  let before = cpuSeconds(pids);
  const { baseUrls, apiKey } = running;
  const loads = await Promise.all(
    baseUrls.map((url, index) => {
      const headers = { authorization: `Bearer ${apiKey}`, 'x-no-cache': 'true' };
      const system = { port: Number(new URL(url).port), model: 'openai/gpt-6-luna', headers };
      const plan = { kind: 'closed', connections: connections / baseUrls.length, warmUpMs, measureMs } as const;
      return generators[index]!.run(
        { ...plan, target: targetOf(system, mode) },
        { deadlineMs: 60_000, onMeasuring: () => (before = cpuSeconds(pids)) },
      );
    }),
  );
  return figuresOf(loads, sum(difference(before, cpuSeconds(pids))));
}

function figuresOf(loads: readonly LoadResult[], seconds: number): Figures {
  const requests = loads.reduce((total, load) => total + load.requests, 0);
  return {
    perSecond: loads.reduce((total, load) => total + load.requests / load.seconds, 0),
    p99: Math.max(...loads.map(({ latencyMs }) => latencyMs.p99)),
    cpuMicroseconds: (seconds * 1e6) / requests,
    failures: loads.reduce((total, { failures }) => total + failures, 0),
  };
}

async function slowDown(pid: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    process.kill(pid, 'SIGSTOP');
    await delay(suspendedMs);
    process.kill(pid, 'SIGCONT');
    await delay(suspendedMs);
  }
}

function print(title: string, { perSecond, p99, cpuMicroseconds, failures }: Figures): void {
  const figures = `${perSecond.toFixed(0).padStart(6)}/s   p99 ${p99.toFixed(1).padStart(6)} ms   CPU ${cpuMicroseconds.toFixed(0)} µs`;
  console.log(`${title.padEnd(42)} ${figures}${failures > 0 ? `   ${failures} failed` : ''}`);
}
