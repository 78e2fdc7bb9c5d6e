import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Link } from '@switchyard/bus';
import { authService, GatewayError } from '@switchyard/contracts';
import type { TokenRefusal } from '@switchyard/limits';
import { highestCost, nanodollars, type RequestEstimate } from '@switchyard/pricing';
import type { Kit } from '@switchyard/service-kit';
import type { Store } from '@switchyard/store';
import { createBudgets } from './budgets/budgets.ts';
import type { MeteringConfig } from './config.ts';
import { meteringEvents } from './events.ts';
import { createSpill } from './spill/spill.ts';
import { openTokenLimits } from './token-limits.ts';
import { createUsageRecorder } from './usage/recorder.ts';
import type { Settlement } from './usage/settlement.ts';
import { type AccountedUse, accountFor, type MeteredRequest, recordOfHit } from './usage/usage-record.ts';

/** Requests whose callers wait longer than this may lose their reservations before they end. */
const longestMs = 2 * 3_600_000;

/** Reserves what requests may use, and settles and records what they used. */
export interface Metering {
  /**
   * Reserves tokens of the limits and money of the budgets of key and account. Where neither has any, nothing is
   * estimated. Resolves with a refusal when one of them does not allow the request; then nothing stays reserved.
   */
  reserve(request: MeteredRequest, estimate: () => RequestEstimate): Promise<RequestReservation | MeteringRefusal>;
  /** Records a request that was answered from the cache, at no cost. */
  cached(request: MeteredRequest): void;
  /** Waits for records on their way. */
  stop(deadlineMs: number): Promise<void>;
}

/** What is reserved for one request that is being served. */
export interface RequestReservation {
  /** `x-ratelimit-*-tokens` of the answer; empty where there is no limit. */
  headers: Record<string, string>;
  /** Settles tokens and budget and writes the record. Only the first call counts. */
  settle(settlement: Settlement): void;
  /** Resolves when the record is written, at once where there is none: an answer ends after it. Never rejects. */
  recorded(): Promise<void>;
}

/** An answer rather than an error: its headers belong to the client. */
export type MeteringRefusal = TokenRefusal;

export interface MeteringNeeds {
  link: Link;
  store: Store;
  /** Of the catalogue in force. */
  priceVersion(): string;
}

export function openMetering(kit: Kit<MeteringConfig>, { link, store, priceVersion }: MeteringNeeds): Metering {
  const { config } = kit;
  const events = meteringEvents(kit);
  const directory = config.USAGE_SPILL_DIR ?? join(tmpdir(), 'switchyard-usage');
  const spill = createSpill({ directory, maxBytes: config.USAGE_SPILL_MAX_BYTES });
  const { usage, budgetsSpent } = createClient(link, authService);
  const tokenLimits = openTokenLimits(config.LIMIT_TOKENS_PER_MINUTE, {
    store,
    metrics: kit.metrics,
    service: kit.name,
  });
  const budgets = createBudgets({
    store,
    group: kit.name,
    whenAway: config.BUDGET_WHEN_AWAY,
    askLedger: async (asked) => (await budgetsSpent({ asked: [...asked] })).spent,
    onDecision: events.budgetDecided,
    onNotCompared: events.budgetsNotCompared,
  });
  const recorder = createUsageRecorder({ append: usage.append, spill, events });

  return {
    async reserve(request, estimate) {
      const { principal, timeoutMs } = request.head;
      const tokens = await tokenLimits.reserve(principal, () => estimate().tokens);
      if (tokens && 'error' in tokens) return tokens;
      const offers = () => request.plan.candidates.map(({ offer }) => offer);
      const wanted = (): number => nanodollars(highestCost(offers(), estimate()));
      const ttlMs = Math.min(Math.max(1, Math.ceil(timeoutMs)), longestMs);
      const money = await budgets.reserve(principal, wanted, ttlMs);
      if (money instanceof GatewayError) {
        tokens?.settle(0);
        return { headers: {}, error: money };
      }
      let recorded: Promise<void> | undefined;
      return {
        headers: tokens?.headers ?? {},
        settle(settlement) {
          if (recorded !== undefined) return;
          recorded = Promise.resolve();
          const now = new Date();
          const accounted = accountFor(request, settlement, { priceVersion: priceVersion(), now });
          money?.settle(chargedFor(accounted), now);
          tokens?.settle(settlement.limitTokens);
          if (accounted === undefined) return;
          events.used(accounted.record);
          recorded = recorder.record(accounted.record);
        },
        recorded: () => recorded ?? Promise.resolve(),
      };
    },
    cached(request) {
      const record = recordOfHit(request, { priceVersion: priceVersion(), now: new Date() });
      if (record !== undefined) void recorder.record(record);
    },
    async stop(deadlineMs) {
      await Promise.all([tokenLimits.stop(), recorder.stop(deadlineMs), budgets.stop()]);
    },
  };
}

/** What the account pays its providers itself does not count towards its budget here. */
const chargedFor = (accounted: AccountedUse | undefined): number =>
  accounted === undefined || accounted.record.ownKey ? 0 : nanodollars(accounted.price?.cost ?? 0n);
