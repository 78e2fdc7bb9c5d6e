import { createClient } from '../../packages/bus/src/index.ts';
import { natsLink } from '../../packages/bus/src/nats.ts';
import { ledgerService, noTokens, type Principal } from '../../packages/contracts/src/index.ts';
import { offerOf } from '../../packages/contracts/src/testing/index.ts';
import { accountFor } from '../../packages/serving/src/metering/usage/usage-record.ts';
import { nothingUsed } from '../../packages/serving/src/metering/usage/settlement.ts';
import { median } from '../measure/stats.ts';
import { chatPlanOf } from '../support/chat-plan.ts';
import { startBusServer } from '../support/nats.ts';

/**
 * CPU cost of one usage record in the service that writes it: making it, pricing it and appending it to the journal,
 * 100 at once.
 */
const records = 4_000;
const atOnce = 100;

const offer = offerOf('provider', { pricing: { prompt: '0.000003', completion: '0.000015' } });
const plan = chatPlanOf([offer]);
const principal: Principal = { accountId: 'account', keyId: 'key' };
const head = { requestId: 'req_0123456789', principal, timeoutMs: 1_000, headers: {} };
const attempt = { provider: 'provider', model: 'model', status_code: 200, succeeded: true, duration_ms: 1234.567 };

const { signal } = new AbortController();

const make = () =>
  accountFor(
    { head, operation: 'chat', plan, planMs: 0.4, stream: true, cache: 'miss', signal },
    {
      ...nothingUsed,
      attempts: [{ ...attempt, error_type: 'none' }],
      routes: [{ reason: 'score', score: 1.2345678, startMs: 0.12 }],
      served: offer,
      counted: { tokens: { ...noTokens, input: 1_234, output: 567 }, adjusted: false },
      durationMs: 1234.567,
      firstContentMs: 456.789,
    },
    { now: new Date() },
  )?.record;

async function costOf(use: (record: NonNullable<ReturnType<typeof make>>) => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; done < records; done += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, () => use(make()!)));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / records;
}

const rounds = async (use: Parameters<typeof costOf>[0]): Promise<string> => {
  const costs: number[] = [];
  for (let round = 0; round < 7; round += 1) costs.push(await costOf(use));
  return median(costs.slice(2)).toFixed(1);
};

const nats = await startBusServer();
const link = await natsLink({ url: nats.url, name: 'bench' });
const { usage } = createClient(link, ledgerService);
console.log(`${await rounds(async () => {})} µs of CPU to make a record and price it`);
console.log(`${await rounds(usage.append)} µs with the journal`);
await link.close();
await nats.stop();
