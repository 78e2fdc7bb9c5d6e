import { GatewayError, type Principal } from '@tallyport/contracts';
import type { Replicas } from '@tallyport/limits';
import { entriesUpTo, type Store } from '@tallyport/store';
import { LRUCache } from 'lru-cache';
import { type Book, type Books, createBooks, type Running } from './book.ts';
import { compare, createLossCheck } from './compare.ts';
import type { CountedEndUser } from './counted-end-user.ts';
import { type AdmittedEndUsers, countedEndUser } from './end-users.ts';
import { type BatchHold, holdIn } from './hold.ts';
import type { ReadLedger } from './ledger-spending.ts';
import { type BudgetRule, budgetRules, endUserRules, hourNumber } from './rules.ts';
import { settleRunning } from './settle.ts';
import { owedLocally, take, type TakingContext } from './take.ts';
import { createWaitingQueues, type WaitingQueues } from './waiting-queue.ts';

/** An amount reserved in every budget that applies to a request. */
export interface BudgetReservation {
  /** Releases the reservation and counts the amount spent, in billionths of a dollar. Only the first call counts. */
  settle(spent: number, at: Date): void;
  /** The end user whose budget counts it; absent without a budget per end user. */
  endUser?: CountedEndUser['counted'];
}

interface BudgetRequest {
  principal: Principal | undefined;
  /** The end user whom the request names. */
  endUser?: string | undefined;
  /** The highest possible cost in billionths of a dollar. Called only if there is a budget. */
  wanted(): number;
  /** The reservation expires after this time; the request must have ended by then. */
  ttlMs: number;
  /** Aborts when the caller leaves. */
  signal?: AbortSignal;
  neverWaits?: boolean | undefined;
  /** The hold of the batch that the request is a line of. */
  hold?: string | undefined;
  /** The id of its settlement, if another replica may settle it again: it counts once. */
  settledAs?: string | undefined;
}

export interface Budgets {
  /**
   * Reserves an amount in the budgets of the end user, the key, its project and its account. `undefined`, without waiting, if none has
   * a budget; nothing is estimated then. Waits while running requests hold the missing amount. Resolves with an error if refused.
   */
  reserve(request: BudgetRequest): Promise<BudgetReservation | GatewayError> | undefined;
  /** The same for an amount that is already owed to a vendor: nothing is held, and it is counted beyond the budget if need be. */
  owe(request: BudgetRequest): Promise<BudgetReservation> | undefined;
  /**
   * What is left of the smallest budget of the key, its project and its account, in USD: infinite if none has one, and as far
   * as this replica knows. Asks the store only for a budget that it does not know yet.
   */
  left(principal: Principal | undefined): number | Promise<number>;
  /**
   * Sets what a batch holds of the budgets of its key, its project and its account. Reservations of its lines take the place of
   * their part. Resolves with an error if a new hold does not fit, or a budget is unknown now.
   */
  hold(principal: Principal, hold: BatchHold): Promise<GatewayError | undefined>;
  stop(): Promise<void>;
}

export interface BudgetsOptions {
  store: Store;
  /** They share the remainder while the store is unavailable. */
  replicas: Pick<Replicas, 'count'>;
  readLedger: ReadLedger;
  /** What happens to requests while the remainder of a budget is unknown. */
  whenAway: 'allow' | 'deny';
  /** The longest wait for amounts that running requests hold; at most half of the request's own timeout. */
  waitMs: number;
  onDecision(result: 'ok' | 'denied' | 'unavailable'): void;
  /** Called when budgets could not be compared with the ledger. */
  onNotCompared(error: unknown): void;
  compareEveryMs?: number;
  /** The maximum number of requests in this process that wait for one budget. */
  maxWaiting?: number;
  now?: () => Date;
}

/** End users that this replica remembers as admitted. */
const mostAdmitted = 20_000;
const checkEveryMs = 1_000;
const retryEveryMs = 100;

export function createBudgets(options: BudgetsOptions): Budgets {
  const { store, now = () => new Date(), compareEveryMs = 30_000, maxWaiting = 500 } = options;
  const books = createBooks();
  const context = { ...options, now, books, replicas: options.replicas.count };
  const queues = createWaitingQueues<Running>({ maxWaiting, retryEveryMs });
  const checkForLoss = createLossCheck(context);
  const timers = [
    setInterval(() => void compare(context, compareEveryMs), compareEveryMs),
    setInterval(() => void checkForLoss(), checkEveryMs),
  ];
  const settle = (running: Running, spent: number, at: Date): void => {
    void settleRunning(store, running, { spent, hour: hourNumber(at) }).then(() => queues.wake(running.book.rule.name));
  };

  const admitted = new LRUCache<string, true>(entriesUpTo(mostAdmitted));
  const reserving: ReservingTools = { context, admitted, queues, settle };

  const reserve: Budgets['reserve'] = (request) => {
    const { principal } = request;
    if (principal?.endUserBudgets !== undefined) return reserveForEndUser(reserving, principal, request);
    if (principal?.budgets === undefined) return undefined;
    const rules = budgetRules(principal, now());
    return rules.length === 0 ? undefined : reserveIn(reserving, rules, request);
  };

  return {
    reserve,
    owe(request) {
      const nothing = reserve({ ...request, wanted: () => 0, neverWaits: true });
      return nothing?.then((reserved) =>
        reserved instanceof GatewayError ? owedBeyond(reserving, request) : reserved,
      );
    },
    left(principal) {
      const rules = principal?.budgets === undefined ? [] : budgetRules(principal, now());
      const least = (): number => Math.min(...rules.map((rule) => leftIn(books.of(rule)))) / nanodollarsInDollar;
      if (rules.every((rule) => books.has(rule) && books.of(rule).isReported)) return least();
      const asking = reserveIn(reserving, rules, { principal, wanted: () => 0, ttlMs: askingMs });
      return asking.then((reserved) => {
        if ('settle' in reserved) reserved.settle(0, now());
        return least();
      });
    },
    hold: (principal, hold) => holdIn(context, budgetRules(principal, now()), hold),
    async stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

const nanodollarsInDollar = 1_000_000_000;
/** The longest wait for figures of the store. */
const askingMs = 1_000;

const leftIn = ({ rule, spent, held, spentLocally }: Book): number => rule.limit - spent - held - spentLocally;

interface ReservingTools {
  context: TakingContext & Pick<BudgetsOptions, 'onDecision' | 'waitMs'> & { books: Books };
  admitted: AdmittedEndUsers;
  queues: WaitingQueues<Running>;
  settle(running: Running, spent: number, at: Date): void;
}

/** Counts an amount in budgets that have nothing left. The ledger counts it for an end user. */
function owedBeyond(
  { context: { books, now }, settle }: ReservingTools,
  { principal, settledAs }: BudgetRequest,
): BudgetReservation {
  const rules = principal === undefined ? [] : budgetRules(principal, now());
  const running = rules.map((rule) => owedLocally(books.of(rule), settledAs));
  return {
    settle(spent, at) {
      for (const each of running.splice(0)) settle(each, spent, at);
    },
  };
}

type Reserving = Promise<BudgetReservation | GatewayError>;

/** Reserves in all of these budgets, or in none. */
async function reserveIn(
  { context, queues, settle }: ReservingTools,
  rules: readonly BudgetRule[],
  { wanted, ttlMs, signal, neverWaits, hold, settledAs }: BudgetRequest,
): Reserving {
  const { books, now, onDecision } = context;
  const amount = wanted();
  const waitMs = neverWaits === true ? 0 : Math.min(context.waitMs, Math.floor(ttlMs / 2));
  const reserved: Running[] = [];
  const giveBack = (spent: number, at: Date): void => {
    for (const each of reserved.splice(0)) settle(each, spent, at);
  };
  for (const rule of rules) {
    const outcome = await queues.request({
      name: rule.name,
      amount,
      waitMs,
      signal,
      tryGrant: () => take(context, books.of(rule), { amount, ttlMs, hold, settledAs }),
      giveBack: (running) => settle(running, 0, now()),
    });
    if ('book' in outcome) {
      reserved.push(outcome);
      continue;
    }
    giveBack(0, now());
    onDecision(outcome.code === 'unavailable' ? 'unavailable' : 'denied');
    return outcome;
  }
  onDecision('ok');
  return { settle: giveBack };
}

async function reserveForEndUser(tools: ReservingTools, principal: Principal, request: BudgetRequest): Reserving {
  const { store, books, now } = tools.context;
  const rulesOf = (endUser: CountedEndUser): BudgetRule[] => endUserRules(principal, endUser, now());
  const isKnown = (endUser: CountedEndUser): boolean => rulesOf(endUser).some(books.has);
  const named = { accountId: principal.accountId, endUser: request.endUser };
  const endUser = await countedEndUser({ store, admitted: tools.admitted, now, isKnown }, named);
  const reserved = await reserveIn(tools, [...rulesOf(endUser), ...budgetRules(principal, now())], request);
  return 'settle' in reserved ? { ...reserved, endUser: endUser.counted } : reserved;
}
