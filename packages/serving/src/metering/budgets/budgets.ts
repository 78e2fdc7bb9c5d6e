import type { GatewayError, Principal } from '@tallyport/contracts';
import { joinReplicas } from '@tallyport/limits';
import type { Store } from '@tallyport/store';
import { createBooks, type Running } from './book.ts';
import { compare, createLossCheck } from './compare.ts';
import type { ReadLedger } from './ledger-spending.ts';
import { type BudgetRule, budgetRules, hourNumber } from './rules.ts';
import { settleRunning } from './settle.ts';
import { take } from './take.ts';
import { createWaitingQueues } from './waiting-queue.ts';

/** An amount reserved in every budget that applies to a request. */
export interface BudgetReservation {
  /** Releases the reservation and counts the amount spent, in billionths of a dollar. Only the first call counts. */
  settle(spent: number, at: Date): void;
}

interface BudgetRequest {
  principal: Principal | undefined;
  /** The highest possible cost in billionths of a dollar. Called only if there is a budget. */
  wanted(): number;
  /** The reservation expires after this time; the request must have ended by then. */
  ttlMs: number;
  /** Aborts when the caller leaves. */
  signal?: AbortSignal;
}

export interface Budgets {
  /**
   * Reserves an amount in the budgets of the key, its project and its account. `undefined`, without waiting, if none has
   * a budget; nothing is estimated then. Waits while running requests hold the missing amount. Resolves with an error if refused.
   */
  reserve(request: BudgetRequest): Promise<BudgetReservation | GatewayError> | undefined;
  stop(): Promise<void>;
}

export interface BudgetsOptions {
  store: Store;
  /** The replicas of this group share the remainder while the store is unavailable. */
  group: string;
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

const checkEveryMs = 1_000;
const retryEveryMs = 100;

export function createBudgets(options: BudgetsOptions): Budgets {
  const { store, group, now = () => new Date(), onDecision, compareEveryMs = 30_000, maxWaiting = 500 } = options;
  const replicas = joinReplicas({ store, group });
  const books = createBooks();
  const context = { ...options, now, books, replicas: replicas.count };
  const queues = createWaitingQueues<Running>({ maxWaiting, retryEveryMs });
  const checkForLoss = createLossCheck(context);
  const timers = [
    setInterval(() => void compare(context, compareEveryMs), compareEveryMs),
    setInterval(() => void checkForLoss(), checkEveryMs),
  ];
  const settle = (running: Running, spent: number, at: Date): void => {
    void settleRunning(store, running, { spent, hour: hourNumber(at) }).then(() => queues.wake(running.book.rule.name));
  };

  async function reserveIn(
    rules: readonly BudgetRule[],
    { wanted, ttlMs, signal }: BudgetRequest,
  ): Promise<BudgetReservation | GatewayError> {
    const amount = wanted();
    const waitMs = Math.min(options.waitMs, Math.floor(ttlMs / 2));
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
        tryGrant: () => take(context, books.of(rule), { amount, ttlMs }),
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

  return {
    reserve(request) {
      const { principal } = request;
      if (principal?.budgets === undefined) return undefined;
      const rules = budgetRules(principal, now());
      return rules.length === 0 ? undefined : reserveIn(rules, request);
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await replicas.stop();
    },
  };
}
