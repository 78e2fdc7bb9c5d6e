import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Link } from '@switchyard/bus';
import { authService, GatewayError } from '@switchyard/contracts';
import { modelLabel } from '@switchyard/dispatch';
import type { TokenRefusal } from '@switchyard/limits';
import { createRecordRefusal, type RecordRefusal } from '@switchyard/refusals';
import { highestCost, nanodollars, type RequestEstimate } from '@switchyard/pricing';
import type { Kit } from '@switchyard/service-kit';
import type { Store } from '@switchyard/store';
import { createBudgets } from './budgets/budgets.ts';
import type { MeteringConfig } from './config.ts';
import { type MeteringEvents, meteringEvents } from './events.ts';
import { createInstallationSpill, type InstallationSpill } from './spill/installation-spill.ts';
import { openTokenLimits } from './token-limits.ts';
import { createUsageRecorder } from './usage/recorder.ts';
import type { Settlement } from './usage/settlement.ts';
import {
  type AccountedUse,
  accountFor,
  type MeteredRequest,
  recordOfHit,
  type WaitingRequest,
} from './usage/usage-record.ts';

/** The longest time a reservation is held; requests that wait longer for their answer may lose it. */
const longestMs = 2 * 3_600_000;

/** Reserves what requests may use, then settles and records what they used. */
export interface Metering {
  /**
   * Reserves tokens of the limits and money of the budgets of key, project and account. If none has any,
   * nothing is estimated. Resolves with a refusal if one of them does not allow the request; nothing stays reserved then.
   */
  reserve(request: WaitingRequest, estimate: () => RequestEstimate): Promise<RequestReservation | MeteringRefusal>;
  /** Records a request that was answered from the cache, at no cost. */
  cached(request: MeteredRequest): void;
  /** Records a request that was refused before a provider was called, at no cost; of a flood only some. */
  refused: RecordRefusal;
  /** Waits until pending records are stored, at most this long. */
  stop(deadlineMs: number): Promise<void>;
}

/** The reservations of one request in progress. */
export interface RequestReservation {
  /** The `x-ratelimit-*-tokens` headers of the answer; empty without a limit. */
  headers: Record<string, string>;
  /** Settles tokens and budget and records the usage. Only the first call counts. */
  settle(settlement: Settlement): void;
  /** Resolves once the record is written, at once if there is none; an answer must not end before. Never rejects. */
  recorded(): Promise<void>;
}

/** Not thrown, because its headers belong to the client's response. */
export type MeteringRefusal = TokenRefusal;

export interface MeteringNeeds {
  link: Link;
  store: Store;
  /** The version of the catalogue in force. */
  priceVersion(): string;
}

export function openMetering(kit: Kit<MeteringConfig>, { link, store, priceVersion }: MeteringNeeds): Metering {
  const { config } = kit;
  const events = meteringEvents(kit);
  const { usage, budgetsSpent, installation } = createClient(link, authService);
  const spill = openSpill(config, async () => (await installation({})).id);
  const tokenLimits = openTokenLimits(config.LIMIT_TOKENS_PER_MINUTE, {
    store,
    metrics: kit.metrics,
    service: kit.name,
  });
  const readLedger: BudgetTools['readLedger'] = async (queries) => (await budgetsSpent({ asked: [...queries] })).spent;
  const budgets = openBudgets(kit, { store, events, readLedger });
  const recorder = createUsageRecorder({ append: usage.append, spill, events });
  const refused = createRecordRefusal({ record: (record) => void recorder.record(record), priceVersion });

  return {
    async reserve(request, estimate) {
      const { principal, timeoutMs } = request.head;
      const counting = tokenLimits.reserve(principal, () => estimate().tokens);
      const tokens = counting && (await counting);
      if (tokens && 'error' in tokens) return tokens;
      const offers = () => request.plan.candidates.map(({ offer }) => offer);
      const wanted = (): number => nanodollars(highestCost(offers(), estimate()));
      const ttlMs = Math.min(Math.max(1, Math.ceil(timeoutMs)), longestMs);
      const paying = budgets.reserve({ principal, wanted, ttlMs, signal: request.signal });
      const money = paying && (await paying);
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
          const known = { ...request, ...(tokens && { limitHeaders: tokens.headers }) };
          const accounted = accountFor(known, settlement, { priceVersion: priceVersion(), now });
          money?.settle(chargedFor(accounted), now);
          tokens?.settle(settlement.limitTokens);
          const { attempts, error, durationMs } = settlement;
          if (attempts.length === 0 && error !== undefined) refused({ ...request, durationMs }, error);
          if (accounted === undefined) return;
          events.used(accounted.record, modelLabel(request.plan.model));
          recorded = recorder.record(accounted.record);
        },
        recorded: () => recorded ?? Promise.resolve(),
      };
    },
    cached(request) {
      const record = recordOfHit(request, { priceVersion: priceVersion(), now: new Date() });
      if (record !== undefined) void recorder.record(record);
    },
    refused,
    async stop(deadlineMs) {
      spill.stop();
      await Promise.all([tokenLimits.stop(), recorder.stop(deadlineMs), budgets.stop()]);
    },
  };
}

interface BudgetTools {
  store: Store;
  events: MeteringEvents;
  readLedger: Parameters<typeof createBudgets>[0]['readLedger'];
}

const openBudgets = ({ name, config }: Kit<MeteringConfig>, { store, events, readLedger }: BudgetTools) =>
  createBudgets({
    store,
    group: name,
    whenAway: config.BUDGET_WHEN_AWAY,
    waitMs: config.BUDGET_WAIT_MS,
    readLedger,
    onDecision: events.budgetDecided,
    onNotCompared: events.budgetsNotCompared,
  });

const openSpill = (
  { USAGE_SPILL_DIR, USAGE_SPILL_MAX_BYTES }: MeteringConfig,
  readInstallation: () => Promise<string>,
): InstallationSpill =>
  createInstallationSpill({
    directory: USAGE_SPILL_DIR ?? join(tmpdir(), 'switchyard-usage'),
    maxBytes: USAGE_SPILL_MAX_BYTES,
    readInstallation,
  });

/** Requests paid by an account's own provider keys do not count towards its budget. */
const chargedFor = (accounted: AccountedUse | undefined): number =>
  accounted === undefined || accounted.record.ownKey ? 0 : nanodollars(accounted.price?.cost ?? 0n);
