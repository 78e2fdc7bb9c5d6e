import { parseArgs } from 'node:util';
import { startDistributed } from '../scripts/distributed/start.ts';
import { createTestDatabase } from '../packages/database/src/testing/index.ts';
import { measureShare, type ReplicaShare, shareOfNew } from '../tests/rolling/replica-share.ts';
import { loadSettings, type ScaledService, serviceLoads } from '../tests/rolling/service-loads.ts';
import { startSharedServers } from '../tests/support/servers.ts';
import { describeMachine } from './measure/machine.ts';
import { createUndo } from './support/undo.ts';

// `node bench/replica-shares.ts`: a second replica of each service is added under load of its own kind; its share of the work, and
// the requests that fail when the first one then stops.
// --seconds: how long the work is counted; --only: services whose name contains this text.

const goal = 0.35;
const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, only: { type: 'string', default: '' } },
});

const undo = createUndo();
process.once('SIGINT', () => void undo.all().finally(() => process.exit(130)));

try {
  const { environment, stop } = await startSharedServers();
  undo.add(stop);
  const database = await createTestDatabase(environment.TEST_DATABASE_URL);
  undo.add(database.drop);
  const running = await startDistributed({
    servers: { NATS_URL: environment.TEST_NATS_URL, REDIS_URL: environment.TEST_REDIS_URL, DATABASE_URL: database.url },
    consoleAddresses: 2,
    environment: loadSettings,
    onDeath: (name, how) => console.error(`bench: ${name} ${how}`),
  });
  undo.add(running.stop);
  const services = (Object.keys(serviceLoads) as ScaledService[]).filter((service) => service.includes(options.only));
  console.log('| service | requests, old : new | new | CPU, old : new | new | failed | |\n|-|-:|-:|-:|-:|-:|-|');
  for (const service of services)
    print(service, await measureShare(running, service, { forMs: Number(options.seconds) * 1_000, atLeast: 0 }));
  console.log(JSON.stringify(describeMachine()));
} finally {
  await undo.all();
}

function print(service: string, { requests, cpu, failures, answered }: ReplicaShare): void {
  const isMet = shareOfNew(requests) >= goal && failures.length === 0;
  const seconds = cpu.map((each) => each.toFixed(2)).join(' : ');
  const failed = `${failures.length} of ${answered + failures.length}`;
  const cells = [service, requests.join(' : '), percent(requests), `${seconds} s`, percent(cpu), failed];
  console.log(`| ${cells.join(' | ')} | ${isMet ? 'met' : `MISSED ${failures[0] ?? ''}`} |`);
  if (!isMet) process.exitCode = 1;
}

function percent(values: readonly number[]): string {
  return `${(shareOfNew(values) * 100).toFixed(0)} %`;
}
