import { serviceNames } from '../scripts/distributed/settings.ts';
import { startDistributed } from '../scripts/distributed/start.ts';
import { waitUntil } from '../tests/support/probe.ts';
import { startSharedServers } from '../tests/support/servers.ts';

// `node bench/start-times.ts`: the time from the start of each service until it is ready, on real servers. Exits with 1
// if a service takes longer than `atMostMs`.
const atMostMs = 2_000;
const rounds = 3;

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
    const best = Math.min(...times);
    process.stdout.write(`${service.padEnd(12)} ${String(best).padStart(6)} ms   of ${times.join(', ')}\n`);
    if (best > atMostMs) process.exitCode = 1;
  }
} finally {
  await running.stop();
  await stop();
}
