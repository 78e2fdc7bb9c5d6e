import type { GatewayError, Principal } from '@switchyard/contracts';
import { joinReplicas } from '@switchyard/limits';
import { openMemoryStore, type PurseState, type PurseStep, type Store } from '@switchyard/store';
import { LRUCache } from 'lru-cache';
import { type AskLedger, ledgersWord } from './ledger-word.ts';
import { budgetExceeded, budgetUnknown } from './refusal.ts';
import { type BudgetRule, budgetRules, hourNumber } from './rules.ts';

/** An amount set aside at every budget a request is bound by. */
export interface BudgetReservation {
  /** Billionths of a dollar that were spent after all, 0 when nothing was. Only the first call counts. */
  settle(spent: number, at: Date): void;
}

export interface Budgets {
  /** Sets an amount aside at the key and its account; `undefined` where neither has a budget, and then nothing is estimated. */
  reserve(
    principal: Principal | undefined,
    wanted: () => number,
    ttlMs: number,
  ): Promise<BudgetReservation | GatewayError | undefined>;
  stop(): Promise<void>;
}

export interface BudgetsOptions {
  store: Store;
  /** Those that share what is left while the store is away. */
  group: string;
  askLedger: AskLedger;
  /** What happens while it is not known what is left. */
  whenAway: 'allow' | 'deny';
  onDecision(result: 'ok' | 'denied' | 'unavailable'): void;
  /** Budgets could not be compared with the ledger. */
  onNotCompared(error: unknown): void;
  compareEveryMs?: number;
  now?: () => Date;
}

/** Longer than any request: a purse that was not used for so long is read from the ledger again. */
const keepMs = 35 * 86_400_000;
const maxRemembered = 10_000;
/** Asked of the ledger at once. */
const mostAsked = 200;

interface KnownBudget extends Pick<PurseState, 'spent' | 'held'> {
  rule: BudgetRule;
  /** Used since it was last compared with the ledger. */
  used: boolean;
}

/** What was set aside of one budget, and where. */
interface PurseReservation {
  rule: BudgetRule;
  purses: Store;
  slot: number;
}

export function createBudgets(options: BudgetsOptions): Budgets {
  const { store, group, now = () => new Date(), onDecision, compareEveryMs = 30_000 } = options;
  const replicas = joinReplicas({ store, group });
  const known = new LRUCache<string, KnownBudget>({ max: maxRemembered });
  const context: Context = { ...options, now, known, own: openMemoryStore(), replicas: replicas.count };
  const timer = setInterval(() => void compare(context, compareEveryMs), compareEveryMs);

  return {
    async reserve(principal, wanted, ttlMs) {
      const rules = principal ? budgetRules(principal, now()) : [];
      if (rules.length === 0) return undefined;
      const amount = wanted();
      const taken: PurseReservation[] = [];
      const giveBack = (spent: number, at: Date): void => {
        for (const each of taken.splice(0)) settle(each, { amount, spent, at });
      };
      for (const rule of rules) {
        const one = await take(context, rule, { amount, ttlMs });
        if ('slot' in one) {
          taken.push(one);
          continue;
        }
        giveBack(0, now());
        onDecision(one.code === 'budget_exceeded' ? 'denied' : 'unavailable');
        return one;
      }
      onDecision('ok');
      return { settle: giveBack };
    },
    async stop() {
      clearInterval(timer);
      await replicas.stop();
    },
  };
}

interface Context extends Pick<BudgetsOptions, 'store' | 'askLedger' | 'whenAway' | 'onNotCompared'> {
  now: () => Date;
  known: LRUCache<string, KnownBudget>;
  /** This replica's part while the store is away. */
  own: Store;
  replicas(): number;
}

interface WantedAmount {
  amount: number;
  ttlMs: number;
}

async function take(
  context: Context,
  rule: BudgetRule,
  { amount, ttlMs }: WantedAmount,
): Promise<PurseReservation | GatewayError> {
  const { store, known, now } = context;
  const step = { kind: 'reserve', amount, limit: rule.limit, ttlMs } as const;
  let state = await store.purse(rule.name, step, keepMs);
  if (state?.known === false) {
    const word = await wordFor(context, rule);
    if (word !== undefined) await store.purse(rule.name, word, keepMs);
    state = word === undefined ? undefined : await store.purse(rule.name, step, keepMs);
  }
  if (state === undefined) return takeAlone(context, rule, { amount, ttlMs });
  known.set(rule.name, { rule, spent: state.spent, held: state.held, used: true });
  if (state.granted) return { rule, purses: store, slot: state.slot };
  return budgetExceeded(rule, state, { wanted: amount, now: now() });
}

/** Each replica may spend its part of what was left when it last knew. */
async function takeAlone(
  context: Context,
  rule: BudgetRule,
  { amount, ttlMs }: WantedAmount,
): Promise<PurseReservation | GatewayError> {
  const { own, whenAway, known, replicas, now } = context;
  if (whenAway === 'deny') return budgetUnknown(rule);
  const last = known.get(rule.name);
  const spent = last === undefined ? 0 : last.spent + last.held;
  const limit = Math.min(rule.limit, spent + Math.ceil(Math.max(0, rule.limit - spent) / Math.max(1, replicas())));
  const step = { kind: 'reserve', amount, limit, ttlMs } as const;
  let state = await own.purse(rule.name, step, keepMs);
  if (state?.known === false) {
    await own.purse(rule.name, { kind: 'know', before: spent, from: 0, hours: [] }, keepMs);
    state = await own.purse(rule.name, step, keepMs);
  }
  if (state?.granted) return { rule, purses: own, slot: state.slot };
  return budgetExceeded(rule, state ?? { spent, held: 0 }, { wanted: amount, now: now() });
}

async function wordFor({ askLedger, now }: Context, rule: BudgetRule): Promise<PurseStep | undefined> {
  const [word] = await ledgersWord(askLedger, [rule], now()).catch(() => []);
  return word;
}

function settle(
  { rule, purses, slot }: PurseReservation,
  { amount, spent, at }: { amount: number; spent: number; at: Date },
): void {
  void purses.purse(rule.name, { kind: 'settle', slot, reserved: amount, spent, hour: hourNumber(at) }, keepMs);
}

/** Brings what was used lately in line with the ledger; of all replicas one does it for each budget. */
async function compare({ store, askLedger, known, now, onNotCompared }: Context, everyMs: number): Promise<void> {
  const rules: BudgetRule[] = [];
  for (const each of known.values()) {
    if (!each.used || rules.length === mostAsked) continue;
    each.used = false;
    const mine = await store.setIfAbsent(`compared:${each.rule.name}`, new Uint8Array(1), Math.ceil(everyMs * 0.8));
    if (mine === 'stored') rules.push(each.rule);
  }
  if (rules.length === 0) return;
  try {
    const words = await ledgersWord(askLedger, rules, now());
    await Promise.all(words.map((word, at) => word && store.purse(rules[at]?.name ?? '', word, keepMs)));
  } catch (error) {
    onNotCompared(error);
  }
}
