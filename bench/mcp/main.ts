import { setTimeout as pause } from 'node:timers/promises';
import { internalTokenHeader, signInternalToken } from '@tallyport/contracts';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { freePort } from '../../tests/support/probe.ts';
import { startPostgres, startRedis } from '../../tests/support/servers.ts';
import { cpuSeconds, difference, type Pids, sum } from '../measure/cpu.ts';
import { describeMachine } from '../measure/machine.ts';
import { privateKib } from '../measure/memory.ts';
import { median } from '../measure/stats.ts';
import { startBusServer } from '../support/nats.ts';
import { printMeasure } from '../support/print-measure.ts';
import { createUndo } from '../support/undo.ts';
import { requestInLoops, requestAtRate, holdStreams, type Load, type Target } from './load.ts';

// `node bench/mcp/main.ts`: the latency edge adds to a list of tools, and the memory of an idle stream.

const secret = 'a-secret-of-the-bench-with-32-characters';
const services = ['edge', 'mcp-svc'] as const;
const streamCount = 2_000;
const undo = createUndo();
let count = 0;
process.once('SIGINT', () => void undo.all().finally(() => process.exit(130)));

try {
  const mcpUrl = `http://127.0.0.1:${await freePort()}`;
  await run(await start(mcpUrl), `${mcpUrl}/mcp`);
} finally {
  await undo.all();
}

async function start(mcpUrl: string): Promise<Distributed> {
  const [bus, redis, postgres] = await Promise.all([startBusServer(), startRedis(), startPostgres()]);
  for (const server of [bus, redis, postgres]) undo.add(server.stop);
  const running = await startDistributed({
    servers: { NATS_URL: bus.url, REDIS_URL: redis.url, DATABASE_URL: postgres.url },
    replicas: { 'chat-svc': 0, 'image-svc': 0 },
    environment: {
      INTERNAL_SECRET: secret,
      LIMIT_MCP_PER_MINUTE: '0',
      SANDBOX: 'off',
      MCP_MAX_STREAMS_PER_ACCOUNT: String(streamCount),
      MCP_URL: mcpUrl,
      MCP_PORT: new URL(mcpUrl).port,
    },
    sandboxUrl: 'http://127.0.0.1:1',
  });
  undo.add(running.stop);
  return running;
}

async function run(running: Distributed, mcpUrl: string): Promise<void> {
  const edge: Target = {
    url: `${running.baseUrl}/mcp`,
    headers: () => ({ authorization: `Bearer ${running.apiKey}` }),
  };
  const behind: Target = { url: mcpUrl, headers: signedHeaders };
  for (const target of [behind, edge]) await requestInLoops(target, { concurrency: 32, forMs: 2_000 });

  const pids: Pids = Object.fromEntries(services.map((name) => [name, running.pids(name)[0]!]));
  const rounds: { direct: Load; through: Load }[] = [];
  const cpuBefore = cpuSeconds(pids);
  for (let round = 0; round < 6; round++) {
    const direct = await requestInLoops(behind, { concurrency: 32, forMs: 1_500 });
    rounds.push({ direct, through: await requestInLoops(edge, { concurrency: 32, forMs: 1_500 }) });
  }
  const used = difference(cpuBefore, cpuSeconds(pids));
  const direct = median(rounds.map((round) => round.direct.latency.p50));
  const through = median(rounds.map((round) => round.through.latency.p50));
  printMeasure('tools/list at 32 at once, p50 of mcp-svc alone', `${direct.toFixed(1)} ms`);
  printMeasure('the same through edge', `${through.toFixed(1)} ms`);
  printMeasure('added by edge', `${(through - direct).toFixed(1)} ms`, '≤ 3 ms', through - direct <= 3);
  const counted = (side: 'direct' | 'through') => rounds.reduce((total, round) => total + round[side].latency.count, 0);
  printMeasure('CPU time of edge per request', micro(used.edge, counted('through')));
  printMeasure('CPU time of mcp-svc per request', micro(used['mcp-svc'], counted('direct') + counted('through')));

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

function signedHeaders(): Record<string, string> {
  const requestId = `bench-${++count}`;
  const principal = { accountId: 'bench', keyId: 'bench' };
  return {
    'x-request-id': requestId,
    [internalTokenHeader]: signInternalToken({ principal, limits: {}, requestId }, secret),
  };
}

function micro(seconds: number | undefined, requests: number): string {
  return `${(((seconds ?? NaN) / requests) * 1e6).toFixed(0)} µs`;
}
