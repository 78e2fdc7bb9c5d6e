import { randomUUID } from 'node:crypto';
import { noTokens, type UsageRecord } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { createLedger } from '../../services/ledger-svc/src/usage/keep-ledger.ts';
import { silentLedger } from '../../services/ledger-svc/src/usage/testing/silent-ledger.ts';

const hourMs = 3_600_000;

const offers = [
  { model: 'mistral-large-latest', provider: 'mistral', ms: 1_400, cost: 0.031, weight: 5 },
  { model: 'llama-3.3-70b-versatile', provider: 'groq', ms: 420, cost: 0.008, weight: 4 },
  { model: 'gpt-5.2', provider: 'openai', ms: 2_300, cost: 0.064, weight: 3 },
  { model: 'claude-sonnet-4.5', provider: 'anthropic', ms: 2_900, cost: 0.082, weight: 3 },
  { model: 'gemini-3-flash', provider: 'google', ms: 800, cost: 0.011, weight: 2 },
  { model: 'deepseek-chat', provider: 'deepseek', ms: 1_900, cost: 0.004, weight: 2 },
  { model: 'qwen3-coder', provider: 'together', ms: 1_100, cost: 0.006, weight: 1 },
] as const;

const choices = offers.flatMap((offer) => Array.from({ length: offer.weight }, () => offer));

/** Writes sixty-five days of requests, two hours of each day busy, with failures, failover and an incident. */
export async function writeTraffic(database: Database, keyIds: readonly string[]): Promise<void> {
  const { write } = createLedger(database, { retentionDays: 400, events: silentLedger });
  const now = Math.floor(Date.now() / hourMs) * hourMs;
  const records = Array.from({ length: 65 * 24 }, (_, ago) => recordsOfHour(now, ago, keyIds)).flat();
  for (let at = 0; at < records.length; at += 1_000) await write(records.slice(at, at + 1_000));
}

/** Writes one more request of this moment. */
export async function writeRequest(database: Database, keyId: string): Promise<void> {
  const { write } = createLedger(database, { retentionDays: 400, events: silentLedger });
  const id = randomUUID();
  await write([{ ...recordOf({ now: Date.now() - 2_000, ago: 0, at: 1, keyIds: [keyId] }), id, requestId: id }]);
}

function recordsOfHour(now: number, ago: number, keyIds: readonly string[]): UsageRecord[] {
  const isBusy = ago % 12 === 3 || ago < 24;
  const count = isBusy ? 12 + ((ago * 7) % 9) - Math.floor(ago / 200) : 0;
  return Array.from({ length: Math.max(0, count) }, (_, at) => recordOf({ now, ago, at, keyIds }));
}

interface Place {
  now: number;
  ago: number;
  at: number;
  keyIds: readonly string[];
}

function recordOf({ now, ago, at, keyIds }: Place): UsageRecord {
  const turn = ago * 13 + at * 5;
  // groq is ill in two hours, and mistral answers for it.
  const isRescued = ago === 27 || ago === 3;
  const offer = isRescued ? offers[1] : (choices[turn % choices.length] ?? offers[0]);
  const size = 0.7 + ((turn * 37) % 61) / 60;
  return {
    id: `traffic_${ago}_${at}`,
    requestId: `req_${ago}_${at}`,
    at: new Date(now - ago * hourMs + at * 1_000).toISOString(),
    accountId: 'default',
    keyId: keyIds[turn % keyIds.length] ?? '',
    operation: 'chat',
    requestedModel: offer.model,
    model: offer.model,
    tokens: { ...noTokens, input: Math.round(1_200 * size), output: Math.round(300 * size) },
    images: 0,
    costs: {},
    priceVersion: 'v1',
    source: 'reported',
    flags: [],
    ownKey: false,
    ...outcomeOf(turn, { ...offer, isRescued, size }),
  };
}

type Outcome = Pick<UsageRecord, 'attempts' | 'cached' | 'cost' | 'durationMs' | 'endReason' | 'stream'> &
  Partial<Pick<UsageRecord, 'provider' | 'status' | 'error' | 'firstByteMs'>>;

interface Answer {
  provider: string;
  ms: number;
  cost: number;
  isRescued: boolean;
  size: number;
}

function outcomeOf(turn: number, { provider: first, isRescued, ...answer }: Answer): Outcome {
  const provider = isRescued ? 'mistral' : first;
  const ms = Math.round(answer.ms * answer.size);
  const paid = { cost: (answer.cost * answer.size).toFixed(6), cached: false, stream: true, durationMs: ms, provider };
  const attempts = [
    ...(isRescued ? [{ provider: first, status: 503, error: 'provider_unavailable', ms: 90 }] : []),
    { provider, status: 200, error: 'none', ms },
  ];
  const done: Outcome = { ...paid, attempts, endReason: 'done', firstByteMs: Math.round(ms / 6) };
  if (turn % 41 === 0) {
    const error = turn % 2 === 0 ? 'upstream_error' : 'upstream_timeout';
    const failed = [{ provider, status: 500, error: 'provider_error', ms }];
    return { ...paid, cost: '0', attempts: failed, endReason: 'error', error, status: 502 };
  }
  if (turn % 53 === 0) return { ...done, endReason: 'client_gone', error: 'client_closed_request' };
  if (turn % 9 > 0) return done;
  return { attempts: [], cached: true, cost: '0', durationMs: 3, endReason: 'done', stream: false };
}
