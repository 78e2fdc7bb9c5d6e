import { defaultRouting } from '../settings.ts';
import { replay } from './replay.ts';

/** An outage of the cheaper one of two providers, as docs/routing.md shows it. */
export interface Outage {
  perSecond: number;
  minutes: number;
  replicas: number;
}

export const outages: readonly Outage[] = [1, 100].flatMap((perSecond) =>
  [1, 60].flatMap((minutes) => [1, 3].map((replicas) => ({ perSecond, minutes, replicas }))),
);

/** What clients noticed. */
export interface OutageReport {
  /** Requests whose first attempt failed, while the provider was down. */
  failed: number;
  /** Of all requests in that time. */
  failedShare: number;
  /** Seconds from the repair to the first request that it answers. */
  firstAfter: number;
  /** Seconds from the repair until every request goes there first. */
  allAfter: number;
}

const warmUpSeconds = 60;
/** The longest pause, and the return. */
const watchedSeconds = 90;

/** Replays an outage with 100 ms for each failure and about a second to the first content, without exploration. */
export async function replayOutage({ perSecond, minutes, replicas }: Outage): Promise<OutageReport> {
  const from = warmUpSeconds;
  const to = from + minutes * 60;
  const settings = { ...defaultRouting, exploration: 0 };
  const usual = { latencyMs: 1_000, tokensPerSecond: 60 };
  const all = await replay({
    seed: 1,
    perSecond,
    replicas,
    requests: (to + watchedSeconds) * perSecond,
    settings,
    offers: [
      { providerId: 'down', price: 1, ...usual, uptime: (second) => (second >= from && second < to ? 0 : 1) },
      { providerId: 'other', price: 1.4, ...usual, uptime: () => 1 },
    ],
  });
  const during = all.filter(({ second }) => second >= from && second < to);
  const failed = during.filter(({ called }) => called[0] === 'down').length;
  const after = all.filter(({ second }) => second >= to);
  const first = after.find(({ called }) => called[0] === 'down');
  const last = after.findLast(({ called }) => called[0] !== 'down');
  return {
    failed,
    failedShare: failed / during.length,
    firstAfter: (first?.second ?? Infinity) - to,
    allAfter: Math.max(first?.second ?? Infinity, last?.second ?? to) - to,
  };
}
