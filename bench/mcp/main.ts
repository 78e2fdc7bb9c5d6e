import { setTimeout as pause } from 'node:timers/promises';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { startPostgres, startRedis } from '../../tests/support/servers.ts';
import { cpuSeconds, difference, type Pids, sum } from '../measure/cpu.ts';
import { describeMachine } from '../measure/machine.ts';
import { privateKib } from '../measure/memory.ts';
import { median } from '../measure/stats.ts';
import { startBusServer } from '../support/nats.ts';
import { printMeasure } from '../support/print-measure.ts';
import { createUndo } from '../support/undo.ts';
import { requestInLoops, requestAtRate, holdStreams, type Load, type Target } from './load.ts';

// `node bench/mcp/main.ts`: what a list of tools costs edge and mcp-svc, and the memory of an idle stream.

const services = ['edge', 'mcp-svc'] as const;
const streamCount = 2_000;
const undo = createUndo();
process.once('SIGINT', () => void undo.all().finally(() => process.exit(130)));

try {
  await run(await start());
} finally {
  await undo.all();
}

async function start(): Promise<Distributed> {
  const [bus, redis, postgres] = await Promise.all([startBusServer(), startRedis(), startPostgres()]);
  for (const server of [bus, redis, postgres]) undo.add(server.stop);
  const running = await startDistributed({
    servers: { NATS_URL: bus.url, REDIS_URL: redis.url, DATABASE_URL: postgres.url },
    replicas: { 'chat-svc': 0, 'image-svc': 0 },
    environment: {
      LIMIT_MCP_PER_MINUTE: '0',
      SANDBOX: 'off',
      MCP_MAX_STREAMS_PER_ACCOUNT: String(streamCount),
    },
    sandboxUrl: 'http://127.0.0.1:1',
  });
  undo.add(running.stop);
  return running;
}

async function run(running: Distributed): Promise<void> {
  const edge: Target = {
    url: `${running.baseUrl}/mcp`,
    headers: { authorization: `Bearer ${running.apiKey}` },
  };
  await requestInLoops(edge, { concurrency: 32, forMs: 4_000 });

  const pids: Pids = Object.fromEntries(services.map((name) => [name, running.pids(name)[0]!]));
  const rounds: Load[] = [];
  const cpuBefore = cpuSeconds(pids);
  for (let round = 0; round < 6; round++) rounds.push(await requestInLoops(edge, { concurrency: 32, forMs: 1_500 }));
  const used = difference(cpuBefore, cpuSeconds(pids));
  const p50 = median(rounds.map(({ latency }) => latency.p50));
  const requests = rounds.reduce((total, { latency }) => total + latency.count, 0);
  printMeasure('tools/list at 32 at once, p50', `${p50.toFixed(1)} ms`);
  printMeasure('tools/list at 32 at once, a second', (requests / 9).toFixed(0));
  for (const service of services) printMeasure(`CPU time of ${service} per request`, micro(used[service], requests));

  const before = sum(privateKib(pids));
  const held = await holdStreams(edge, streamCount);
  await pause(3_000);
  const perStream = (sum(privateKib(pids)) - before) / streamCount;
  printMeasure(
    `${streamCount} idle streams, memory of edge and mcp-svc each`,
    `${perStream.toFixed(1)} KiB`,
    '≤ 64 KiB',
    perStream <= 64,
  );
  const beside = await requestAtRate(edge, { perSecond: 200, forMs: 8_000 });
  const lost = streamCount - held.open();
  printMeasure(
    '200 lists a second during them: failed, streams lost',
    `${beside.failed}, ${lost}`,
    '0, 0',
    beside.failed + lost === 0,
  );
  printMeasure('p50 and p99 of the lists', `${beside.latency.p50.toFixed(1)} ms, ${beside.latency.p99.toFixed(1)} ms`);
  held.close();
  console.log(`\n${JSON.stringify(describeMachine())}`);
}

function micro(seconds: number | undefined, requests: number): string {
  return `${(((seconds ?? NaN) / requests) * 1e6).toFixed(0)} µs`;
}
