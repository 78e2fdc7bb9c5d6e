import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient, type Link } from '@tallyport/bus';
import { authService, GatewayError, ledgerService } from '@tallyport/contracts';
import {
  createRecordRefusal,
  type RecordRefusal,
  type Replicas,
  type Reservation,
  type TokenRefusal,
} from '@tallyport/limits';
import { highestCost, nanodollars, type RequestEstimate } from '@tallyport/pricing';
import type { Kit } from '@tallyport/service-kit';
import type { Store } from '@tallyport/store';
import { type Budgets, createBudgets } from './budgets/budgets.ts';
import { chargedOffers } from './charged-offers.ts';
import type { MeteringConfig } from './config.ts';
import { type MeteringEvents, meteringEvents } from './events.ts';
import { createInstallationSpill, type InstallationSpill } from './spill/installation-spill.ts';
import { openTokenLimits } from './token-limits.ts';
import { beginRequest, type RequestReservation, type SettlementTools } from './reservation.ts';
import { createUsageRecorder } from './usage/recorder.ts';
import type { FindMissing } from './usage/stored-records.ts';
import { type MeteredRequest, recordOfHit, type WaitingRequest } from './usage/usage-record.ts';

/** The longest time a reservation is held; requests that wait longer for their answer may lose it. */
const longestMs = 2 * 3_600_000;

/** Reserves what requests may use, then settles and records what they used. */
export interface Metering {
  /**
   * Reserves tokens of the limits and money of the budgets of key, project and account. If none has any,
   * nothing is estimated or waited for. No money is reserved for a request that can only use its account's own
   * provider keys. Resolves with a refusal if a limit or budget does not allow the request; nothing stays reserved then.
   */
  reserve(request: WaitingRequest, estimate: () => RequestEstimate): Reserving;
  /** What is left of the budgets of a caller, see `Budgets.left`. */
  budgetLeft: Budgets['left'];
  /** Sets what a batch holds of its budgets, see `Budgets.hold`. */
  holdBudgets: Budgets['hold'];
  /** Records a request that was answered from the cache, at no cost. */
  cached(request: MeteredRequest): void;
  /** Records a request that was refused before a provider was called, at no cost; of a flood only some. */
  refused: RecordRefusal;
  /** Waits until pending records are stored, at most this long. */
  stop(deadlineMs: number): Promise<void>;
}

type Reserving = RequestReservation | Promise<RequestReservation | MeteringRefusal>;

/** Not thrown, because its headers belong to the client's response. */
type MeteringRefusal = TokenRefusal;

interface MeteringTools {
  link: Link;
  store: Store;
  /** The replicas of this service. */
  replicas: Replicas;
  /** The version of the catalogue in force. */
  priceVersion(): string;
}

export function openMetering(
  kit: Kit<MeteringConfig>,
  { link, store, replicas, priceVersion }: MeteringTools,
): Metering {
  const { config } = kit;
  const events = meteringEvents(kit);
  const { usage, missingUsage, budgetsSpent } = createClient(link, ledgerService);
  const { installation } = createClient(link, authService);
  const spill = openSpill(config, async () => (await installation({})).id);
  const tokenLimits = openTokenLimits(config.LIMIT_TOKENS_PER_MINUTE, {
    store,
    metrics: kit.metrics,
    replicas,
  });
  const readLedger: BudgetTools['readLedger'] = async (queries) => (await budgetsSpent({ asked: [...queries] })).spent;
  const budgets = openBudgets(kit, { store, replicas, events, readLedger });
  const findMissing = usage.mayLose ? missingIn(missingUsage) : undefined;
  const recorder = createUsageRecorder({ append: usage.append, spill, findMissing, events });
  const refused = createRecordRefusal({ record: (record) => void recorder.record(record), priceVersion });

  const settling: SettlementTools = { events, recorder, refused };

  function reserveMoney(request: WaitingRequest, estimate: () => RequestEstimate, tokens?: Reservation): Reserving {
    const offers = chargedOffers(request.plan);
    const wanted = (): number => nanodollars(highestCost(offers, estimate()));
    const paying =
      offers.length === 0 ? undefined : budgets[request.isOwed ? 'owe' : 'reserve'](budgetRequestOf(request, wanted));
    if (paying === undefined) return beginRequest(settling, request, { tokens, money: undefined });
    return paying.then((money) => {
      if (!(money instanceof GatewayError)) return beginRequest(settling, request, { tokens, money });
      tokens?.settle(0);
      return { headers: {}, error: money };
    });
  }

  return {
    reserve(request, estimate) {
      if (request.isOwed) return reserveMoney(request, estimate);
      const counting = tokenLimits.reserve(request.head.principal, () => estimate().tokens);
      if (counting === undefined) return reserveMoney(request, estimate);
      return counting.then((tokens) => ('error' in tokens ? tokens : reserveMoney(request, estimate, tokens)));
    },
    budgetLeft: budgets.left,
    holdBudgets: budgets.hold,
    cached(request) {
      const record = recordOfHit(request, { now: new Date() });
      if (record !== undefined) void recorder.record(record);
    },
    refused,
    async stop(deadlineMs) {
      spill.stop();
      await Promise.all([tokenLimits.stop(), recorder.stop(deadlineMs), budgets.stop()]);
    },
  };
}

/** What a request asks of its budgets. A record that may be written again is settled under its own id. */
function budgetRequestOf(request: WaitingRequest, wanted: () => number) {
  const { head, endUser, signal, neverWaits, recordAt, recordId } = request;
  return {
    principal: head.principal,
    endUser,
    wanted,
    ttlMs: Math.min(Math.max(1, Math.ceil(head.timeoutMs)), longestMs),
    signal,
    neverWaits,
    hold: head.batch?.id,
    settledAs: recordAt === undefined ? undefined : recordId,
  };
}

const missingIn =
  (missingUsage: Client<typeof ledgerService.operations>['missingUsage']): FindMissing =>
  async (records) => {
    const { ids } = await missingUsage({ records: records.map(({ id, at }) => ({ id, at })) });
    return new Set(ids);
  };

interface BudgetTools {
  store: Store;
  replicas: Replicas;
  events: MeteringEvents;
  readLedger: Parameters<typeof createBudgets>[0]['readLedger'];
}

const openBudgets = ({ config }: Kit<MeteringConfig>, { store, replicas, events, readLedger }: BudgetTools) =>
  createBudgets({
    store,
    replicas,
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
    directory: USAGE_SPILL_DIR ?? join(tmpdir(), 'tallyport-usage'),
    maxBytes: USAGE_SPILL_MAX_BYTES,
    readInstallation,
  });
