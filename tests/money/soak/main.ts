import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readHeld, readSums } from '../books.ts';
import { compareBooks, type Findings } from '../invariants.ts';
import { type MoneySystem, startMoneySystem } from '../system.ts';
import { disturb } from './disturb.ts';
import { disturbancesOf } from './disturbances.ts';
import { useFeatures } from './further/further.ts';
import { watchGrowth } from './growth.ts';
import { type Inflight, readInflight } from './metrics.ts';
import { reportOf } from './report.ts';
import { runTraffic } from './traffic.ts';
import { breakVendors } from '../trial.ts';

/**
 * `npm run soak [-- --minutes 60 --rate 65 --only hangs --compact]`: sends a steady rate of requests to two replicas of each
 * service, or of the compact form and the services beside it, while services and servers are killed, hang, refuse connections or are full, and clients disconnect. A third
 * of the requests are on sockets. Beside them it uses registered MCP servers, guard webhooks, stored responses, realtime
 * sessions and alerts. Prints figures and fails if an answer or the books are wrong.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '65' },
    only: { type: 'string', default: '' },
    compact: { type: 'boolean', default: false },
  },
});
const soakMs = Number(values.minutes) * 60_000;
const warmUpMs = Math.min(120_000, soakMs / 5);
/** Time until spilled records are written and reservations of killed processes are free. */
const settleMs = 90_000;

const system = await startMoneySystem({
  serversAreProcesses: true,
  replicas: {
    'auth-svc': 2,
    'ledger-svc': 2,
    'mcp-svc': 2,
    ...(values.compact ? { compact: 2, 'chat-svc': 0 } : { edge: 2 }),
  },
  // About 400 records in the journal and 100 in each replica's files: fewer than arrive while the database is away.
  environment: {
    JOURNAL_MAX_BYTES: '600000',
    USAGE_SPILL_MAX_BYTES: '75000',
    ALLOW_LOCAL_TARGETS: 'true',
    // To open a socket counts as a look-up.
    LIMIT_MODELS_PER_MINUTE: '0',
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void system.stop().finally(() => process.exit(1)));
}
const chosen = disturbancesOf(
  values.compact ? { chats: 'compact', edge: 'compact' } : { chats: 'chat-svc', edge: 'edge' },
).filter(({ name }) => name.includes(values.only));
const succeeded = await soak(system).finally(() => system.stop());
process.exit(succeeded ? 0 : 1);

async function soak(money: MoneySystem): Promise<boolean> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), soakMs);
  const [traffic, uses, chaos, growth] = await Promise.all([
    runTraffic(money, { perSecond: Number(values.rate), mostAtOnce: 1_000, over: over.signal }),
    useFeatures(money, over.signal),
    disturb(money, { chosen, over: over.signal }),
    watchGrowth(money.gateway, { warmUpMs, over: over.signal, isLasting: (name) => name.endsWith(' 1') }),
    breakVendors(money, over.signal),
  ]).finally(() => clearTimeout(timer));
  const inflight = await untilNothingRuns(money);
  const requests = [...traffic.requests, ...uses.flatMap(({ asked = [] }) => asked)];
  const findings = await untilBooksAreRight(money, { requests, kills: chaos.kills });
  const sums = await readSums(money);
  const held = await readHeld(money);
  const { text, succeeded: passed } = reportOf({ traffic, uses, chaos, growth, inflight, findings, sums, held });
  console.log(text);
  return passed;
}

/** Waits up to five seconds until nothing is in flight. */
async function untilNothingRuns({ gateway }: MoneySystem): Promise<Inflight> {
  const deadline = performance.now() + 5_000;
  for (;;) {
    const inflight = await readInflight(gateway);
    if (Object.values(inflight).every((count) => count === 0) || performance.now() > deadline) return inflight;
    await pause(100);
  }
}

async function untilBooksAreRight(money: MoneySystem, trial: Parameters<typeof compareBooks>[1]): Promise<Findings> {
  const deadline = performance.now() + settleMs;
  for (;;) {
    const findings = await compareBooks(money, trial);
    const { lines: _lines, bills: _bills, ...wrong } = findings;
    const isSettled = Object.values(wrong).every((found) => found.length === 0);
    const isFree = (await readHeld(money)) === 0;
    if ((isSettled && isFree) || performance.now() > deadline) return findings;
    await pause(3_000);
  }
}
