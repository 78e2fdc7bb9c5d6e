import { setTimeout as delay } from 'node:timers/promises';
import { serviceNames } from '../scripts/distributed/settings.ts';
import { startDistributed } from '../scripts/distributed/start.ts';
import { startSharedServers } from '../tests/support/servers.ts';
import { sum } from './measure/cpu.ts';
import { privateKib } from './measure/memory.ts';

// `node bench/idle-memory.ts`: private memory of each service that has answered nothing yet, on real servers. Exits with
// 1 if all services together need more than `atMostMb`.
const atMostMb = 360;
/** Until then the services have read the catalogue and compiled what a start needs. */
const settleMs = 20_000;

const { environment, stop } = await startSharedServers();
const running = await startDistributed({
  servers: {
    NATS_URL: environment.TEST_NATS_URL,
    REDIS_URL: environment.TEST_REDIS_URL,
    DATABASE_URL: environment.TEST_DATABASE_URL,
  },
});
try {
  await delay(settleMs);
  const pids = Object.fromEntries(serviceNames.flatMap((name) => running.pids(name).map((pid) => [name, pid])));
  const kib = privateKib(pids);
  for (const [name, value] of [...Object.entries(kib), ['together', sum(kib)] as const])
    process.stdout.write(`${name.padEnd(12)} ${(value / 1024).toFixed(0).padStart(6)} MB\n`);
  if (sum(kib) / 1024 > atMostMb) process.exitCode = 1;
} finally {
  await running.stop();
  await stop();
}
