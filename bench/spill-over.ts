import { startDistributed } from '../scripts/distributed/start.ts';
import type { Distributed } from '../scripts/distributed/start.ts';
import { startSharedServers } from '../tests/support/servers.ts';
import { environmentFor } from './gateway/gateway.ts';
import { startGenerator } from './load/generator.ts';
import type { Generator } from './load/generator.ts';
import type { LoadResult } from './load/plan.ts';
import { targetOf } from './load/target.ts';
import { cpuSeconds, difference, sum } from './measure/cpu.ts';
import { createUndo } from './support/undo.ts';
import { startUpstream } from './upstream/upstream.ts';

// `node bench/spill-over.ts`: 100 requests a second, about ten at once, at a compact process whose chat-svc has room for all, for
// some or for one of them. The others go to a chat-svc of its own, over NATS.
const rooms = [10_000, 10, 5, 1];
const perSecond = 100;
const mode = { kind: 'answer', delayMs: 100 } as const;
const [warmUpMs, measureMs, rounds] = process.argv.includes('--quick') ? [2_000, 3_000, 1] : [10_000, 10_000, 3];

interface Figures {
  /** Of the requests, those that the compact process passed on. */
  share: number;
  load: LoadResult;
  cpuMicroseconds: number;
}

const undo = createUndo();
try {
  const { environment, stop } = await startSharedServers();
  undo.add(stop);
  const { TEST_NATS_URL: NATS_URL, TEST_REDIS_URL: REDIS_URL, TEST_DATABASE_URL: DATABASE_URL } = environment;
  const upstream = await startUpstream();
  undo.add(upstream.stop);
  await upstream.setMode(mode);
  const generator = await startGenerator();
  undo.add(generator.stop);
  for (const room of rooms) {
    const running = await startDistributed({
      servers: { NATS_URL, REDIS_URL, DATABASE_URL },
      replicas: { compact: 1, 'chat-svc': 1, 'console-svc': 0, 'mcp-svc': 0 },
      environment: environmentFor(upstream.port),
      serviceEnvironment: { compact: { CHAT_MAX_CONCURRENT: String(room) } },
      sandboxUrl: `http://127.0.0.1:${upstream.port}`,
    });
    undo.add(running.stop);
    const figures: Figures[] = [];
    for (let round = 0; round < rounds; round++) figures.push(await measureRound(running, generator));
    print(room, figures.sort((a, b) => a.load.outsideMs.p99 - b.load.outsideMs.p99)[Math.floor(rounds / 2)]!);
    await running.stop();
  }
} finally {
  await undo.all();
}

async function measureRound(running: Distributed, generator: Generator): Promise<Figures> {
  const system = {
    port: Number(new URL(running.baseUrl).port),
    model: 'openai/gpt-6-luna',
    headers: { authorization: `Bearer ${running.apiKey}`, 'x-no-cache': 'true' },
  };
  const pids = Object.fromEntries(
    (['compact', 'chat-svc'] as const).map((program) => [program, running.pids(program)[0] ?? 0] as const),
  );
  const [own, other] = await attemptsOf(running);
  let before = cpuSeconds(pids);
  const load = await generator.run(
    { kind: 'rate', perSecond, warmUpMs, measureMs, target: targetOf(system, mode) },
    { deadlineMs: 60_000, onMeasuring: () => (before = cpuSeconds(pids)) },
  );
  const cpu = sum(difference(before, cpuSeconds(pids)));
  const [ownAfter, otherAfter] = await attemptsOf(running);
  const passedOn = otherAfter - other;
  return { share: passedOn / (passedOn + ownAfter - own), load, cpuMicroseconds: (cpu * 1e6) / load.requests };
}

/** The calls of the upstream by the compact process, and by chat-svc, so far. */
async function attemptsOf({ adminUrls }: Distributed): Promise<readonly [own: number, other: number]> {
  const count = async (url = '') => {
    const text = await (await fetch(`${url}/metrics`)).text();
    const values = text.matchAll(/^gateway_provider_attempts_total\{.*\} (\d+)$/gm);
    return values.reduce((total, [, value]) => total + Number(value), 0);
  };
  return [await count(adminUrls.compact[0]), await count(adminUrls['chat-svc'][0])];
}

function print(room: number, { share, load, cpuMicroseconds }: Figures): void {
  const { p50, p99 } = load.outsideMs;
  const failed = load.failures > 0 ? `   ${load.failures} failed: ${load.firstFailure}` : '';
  console.log(
    `room for ${String(room).padStart(6)}   passed on ${(share * 100).toFixed(0).padStart(3)} %   added p50 ${p50.toFixed(1).padStart(5)} ms   p99 ${p99.toFixed(1).padStart(6)} ms   CPU ${cpuMicroseconds.toFixed(0).padStart(5)} µs${failed}`,
  );
}
