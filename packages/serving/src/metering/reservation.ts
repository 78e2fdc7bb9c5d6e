import { modelLabel } from '@tallyport/dispatch';
import type { RecordRefusal, Reservation } from '@tallyport/limits';
import { moneyText, nanodollars } from '@tallyport/pricing';
import type { BudgetReservation } from './budgets/budgets.ts';
import type { MeteringEvents } from './events.ts';
import { unlessDismissed } from '../still-wanted.ts';
import { savedByBatch } from './usage/batch-saving.ts';
import type { UsageRecorder } from './usage/recorder.ts';
import type { Settlement } from './usage/settlement.ts';
import { type AccountedUse, accountFor, type WaitingRequest } from './usage/usage-record.ts';

/** The reservations of one request in progress. */
export interface RequestReservation {
  /** The `x-ratelimit-*-tokens` headers of the answer; empty without a limit. */
  headers: Readonly<Record<string, string>>;
  /** Settles tokens and budget and records the usage. Only the first call counts. */
  settle(settlement: Settlement): void;
  /** Resolves once the record is written, at once if there is none; an answer must not end before. Never rejects. */
  recorded(): Promise<void>;
  /** What its record costs in USD, once it is settled; absent without a record or a price. */
  cost(): string | undefined;
  /** What a batch of the vendor saved at the line that it has answered, in USD, once it is settled. */
  saved(): string | undefined;
}

export interface SettlementTools {
  events: Pick<MeteringEvents, 'used'>;
  recorder: Pick<UsageRecorder, 'record'>;
  refused: RecordRefusal;
}

/** What is reserved for a request; absent where nothing limits it. */
interface Reserved {
  tokens: Reservation | undefined;
  money: BudgetReservation | undefined;
}

export function beginRequest(
  { events, recorder, refused }: SettlementTools,
  request: WaitingRequest,
  { tokens, money }: Reserved,
): RequestReservation {
  let recorded: Promise<void> | undefined;
  let cost: string | undefined;
  let saved: string | undefined;

  function settleNow(settlement: Settlement): Promise<void> {
    const now = request.recordAt === undefined ? new Date() : new Date(request.recordAt);
    const limitHeaders = tokens?.headers;
    const circumstances = { now, limitHeaders, endUserBudget: money?.endUser };
    const accounted = accountFor(request, settlement, circumstances);
    money?.settle(chargedFor(accounted), now);
    tokens?.settle(settlement.limitTokens);
    const { attempts, error, durationMs } = settlement;
    if (attempts.length === 0 && error !== undefined)
      unlessDismissed(request, () => refused({ ...request, durationMs }, error));
    if (accounted === undefined) return atOnce;
    cost = accounted.record.cost ?? undefined;
    if (request.isOwed) saved = moneyText(savedByBatch(settlement, accounted.price));
    events.used(accounted.record, modelLabel((settlement.plan ?? request.plan).model));
    return recorder.record(accounted.record);
  }

  function isOurs({ served }: Settlement): Promise<boolean> | undefined {
    if (request.mayRecord !== undefined) return request.mayRecord(served !== undefined);
    // In a suspended process attempts fail late: another replica may have answered meanwhile.
    return served === undefined ? request.stillWanted?.()?.then(() => true) : undefined;
  }

  /** Another replica serves and charges the request. */
  async function release(): Promise<void> {
    money?.settle(0, new Date());
    tokens?.settle(0);
  }

  return {
    headers: tokens?.headers ?? noHeaders,
    settle(settlement) {
      if (recorded !== undefined) return;
      const asked = isOurs(settlement);
      recorded =
        asked?.then((isStillOurs) => (isStillOurs ? settleNow(settlement) : release())) ?? settleNow(settlement);
    },
    recorded: () => recorded ?? atOnce,
    cost: () => cost,
    saved: () => saved,
  };
}

const noHeaders: Readonly<Record<string, string>> = {};
const atOnce = Promise.resolve();

/** Requests paid by an account's own provider keys do not count towards its budget. */
const chargedFor = (accounted: AccountedUse | undefined): number =>
  accounted === undefined || accounted.record.ownKey ? 0 : nanodollars(accounted.price?.cost ?? 0n);
