import { serviceNames } from '../scripts/distributed/settings.ts';
import { startDistributed } from '../scripts/distributed/start.ts';
import { waitUntil } from '../tests/support/probe.ts';
import { startOneProcess } from '../tests/gateway/one-process.ts';
import { startSharedServers } from '../tests/support/servers.ts';

// `node bench/start-times.ts`: the time from the start of each service until it is ready, on real servers, and of the one
// process of `npm start` until its welcome text. Exits with 1 if one takes longer than `atMostMs`.
const atMostMs = 2_000;
const rounds = 3;

function report(name: string, times: readonly number[]): void {
  const best = Math.min(...times);
  process.stdout.write(
    `${name.padEnd(12)} ${best.toFixed(0).padStart(6)} ms   of ${times.map(Math.round).join(', ')}\n`,
  );
  if (best > atMostMs) process.exitCode = 1;
}

const { environment, stop } = await startSharedServers();
const started = new Map<string, number>();
const running = await startDistributed({
  servers: {
    NATS_URL: environment.TEST_NATS_URL,
    REDIS_URL: environment.TEST_REDIS_URL,
    DATABASE_URL: environment.TEST_DATABASE_URL,
  },
  onLine(name, line) {
    const startMs = /"startMs":(\d+)/.exec(line)?.[1];
    if (startMs !== undefined) started.set(name, Number(startMs));
  },
});
try {
  for (const service of serviceNames) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      started.delete(service);
      await running.restart(service);
      await waitUntil(`${service} to log its start time`, () => started.has(service));
      times.push(started.get(service) ?? Infinity);
    }
    report(service, times);
  }
} finally {
  await running.stop();
  await stop();
}

const times: number[] = [];
for (let round = 0; round < rounds; round++) {
  const startedAt = performance.now();
  const one = await startOneProcess();
  times.push(performance.now() - startedAt);
  await one.stop();
}
report('one process', times);
