import { offerOf } from '../../packages/contracts/src/testing/index.ts';
import { noTokens, type UsageRecord } from '../../packages/contracts/src/index.ts';
import type { AttemptRoute } from '../../packages/dispatch/src/index.ts';
import { nothingUsed } from '../../packages/serving/src/metering/usage/settlement.ts';
import { accountFor } from '../../packages/serving/src/metering/usage/usage-record.ts';
import { median } from '../measure/stats.ts';
import { chatPlanOf } from '../support/chat-plan.ts';

/**
 * CPU that the story of a request costs chat-svc: the time, place and reason of each attempt, and how the request was
 * planned, cached and limited. It is the difference between a record with all of it and one without, each made and
 * encoded for the journal. A story of two attempts. Goal: at most 5 µs.
 *
 * `node bench/micro/story.ts [records per round]`
 */
const records = Number(process.argv[2] ?? 50_000);
const rounds = 15;

const offer = offerOf('provider', { pricing: { prompt: '0.000003', completion: '0.000015' } });
const plan = chatPlanOf([offer]);
const head = { requestId: 'req_1', principal: { accountId: 'account', keyId: 'key' }, timeoutMs: 1_000, headers: {} };
const request = { head, operation: 'chat', plan, planMs: 0.4, stream: true, cache: 'miss' } as const;
const { signal } = new AbortController();
const limitHeaders = { 'x-ratelimit-limit-tokens': '60000', 'x-ratelimit-remaining-tokens': '58123' };
const failed = { provider: 'provider', model: 'model', status_code: 503, succeeded: false, duration_ms: 123.4 };
const answered = { ...failed, status_code: 200, succeeded: true, error_type: 'none' } as const;
const startedAt = performance.now();

/** What dispatch notes about each attempt. */
const routeOf = (score: number): AttemptRoute => ({ reason: 'score', score, startMs: performance.now() - startedAt });

function makeRecord(routes: readonly AttemptRoute[], limits: object): UsageRecord {
  const accounted = accountFor(
    { ...request, signal, ...limits },
    {
      ...nothingUsed,
      attempts: [{ ...failed, error_type: 'provider_overloaded' }, answered],
      routes,
      served: offer,
      counted: { tokens: { ...noTokens, input: 1_234, output: 567 }, adjusted: false },
      durationMs: 1_234.567,
      firstContentMs: 456.789,
    },
    { now: new Date() },
  );
  if (accounted === undefined) throw new Error('A request with a caller has a record.');
  return accounted.record;
}

const encode = (record: UsageRecord): number => Buffer.from(JSON.stringify(record)).length;

const withStory = (): number => encode(makeRecord([routeOf(1.234_567), routeOf(1.345_678)], { limitHeaders }));

/** Members are unset rather than deleted: deleting one would make encoding slower. */
const withoutStory = (): number => encode(Object.assign(makeRecord([], {}), { details: undefined, status: undefined }));

/** Microseconds for one record. */
function costOf(make: () => number): number {
  const before = process.cpuUsage();
  for (let done = 0; done < records; done += 1) make();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / records;
}

const costs: { whole: number; bare: number }[] = [];
for (let round = 0; round < rounds; round += 1) costs.push({ whole: costOf(withStory), bare: costOf(withoutStory) });
const measured = costs.slice(rounds / 3);
const text = (values: readonly number[]): string => median([...values]).toFixed(2);

console.log(`${text(measured.map(({ whole }) => whole))} µs to make and encode a record with its story`);
console.log(`${text(measured.map(({ bare }) => bare))} µs without`);
console.log(`${text(measured.map(({ whole, bare }) => whole - bare))} µs for the story (goal: at most 5)`);
console.log(`${withStory() - withoutStory()} bytes for the story`);
