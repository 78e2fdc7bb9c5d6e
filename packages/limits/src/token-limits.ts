import type { GatewayError, Principal } from '@switchyard/contracts';
import { openMemoryStore, type Spent, type Store } from '@switchyard/store';
import { tokenHeaders } from './headers.ts';
import { rateLimited } from './refusal.ts';
import { joinReplicas } from './replicas.ts';
import type { Scope } from './request-rules.ts';
import { type TokenRule, tokenRules } from './token-rules.ts';

/** Tokens set aside for one request until it is known what it used. */
export interface Reservation {
  /** `x-ratelimit-*-tokens` of the answer. */
  headers: Record<string, string>;
  /** What was used after all, 0 when nothing was. Only the first call counts. */
  settle(usedTokens: number): void;
}

/** An answer rather than an error: its headers belong to the client. */
export interface TokenRefusal {
  headers: Record<string, string>;
  error: GatewayError;
}

export interface TokenLimits {
  /** Sets tokens aside at the key and its account; `undefined` where neither has a limit, and then nothing is estimated. */
  reserve(principal: Principal | undefined, estimate: () => number): Promise<Reservation | TokenRefusal | undefined>;
  stop(): Promise<void>;
}

export interface TokenLimitsOptions {
  store: Store;
  /** Those that count the same things. */
  group: string;
  /** For keys and accounts that have none of their own; 0 is none. */
  defaultLimit: number;
  onDecision(scope: `${Scope}_tokens`, allowed: boolean, alone: boolean): void;
}

const windowMs = 60_000;

/** What one limit counted, and where. */
interface Counted {
  rule: TokenRule;
  store: Store;
  spent: Spent;
}

/** Tokens per minute of a key and of its account: set aside by estimate, settled by what was used, in the same minute. */
export function createTokenLimits(options: TokenLimitsOptions): TokenLimits {
  const { store, group, defaultLimit, onDecision } = options;
  const replicas = joinReplicas({ store, group });
  /** While the store is away each replica keeps to its part. */
  const own = openMemoryStore();

  async function count(rule: TokenRule, wanted: number): Promise<Counted> {
    const shared = await store.spend(rule.name, { limit: rule.limit, windowMs, wanted });
    if (shared) return counted(rule, wanted, { store, spent: shared });
    const limit = Math.ceil(rule.limit / Math.max(1, replicas.count()));
    const spent = (await own.spend(rule.name, { limit, windowMs, wanted })) ?? nothing;
    return counted(rule, wanted, { store: own, spent });
  }

  function counted(rule: TokenRule, wanted: number, where: Omit<Counted, 'rule'>): Counted {
    onDecision(`${rule.scope}_tokens`, where.spent.granted === wanted, where.store === own);
    return { rule, ...where };
  }

  function correct({ rule, store: where, spent }: Counted, owed: number): void {
    if (owed !== 0) void where.spend(rule.name, { limit: rule.limit, windowMs, wanted: 0, owed, owedAt: spent.slot });
  }

  return {
    async reserve(principal, estimate) {
      const rules = principal ? tokenRules(principal, defaultLimit) : [];
      if (rules.length === 0) return undefined;
      const tokens = estimate();
      const taken: Counted[] = [];
      for (const rule of rules) {
        const one = await count(rule, tokens);
        if (one.spent.granted === tokens) {
          taken.push(one);
          continue;
        }
        for (const each of taken) correct(each, -tokens);
        return { headers: headersOf(one), error: refusal(one, tokens) };
      }
      const nearest = taken.reduce((one, other) => (left(other) < left(one) ? other : one));
      return {
        headers: headersOf(nearest),
        settle: once((used) => taken.forEach((each) => correct(each, used - tokens))),
      };
    },
    stop: replicas.stop,
  };
}

const nothing: Spent = { granted: 0, used: 0, comesBackMs: 0, slot: 0 };

const left = ({ rule, spent }: Counted): number => Math.max(0, rule.limit - spent.used);

const headersOf = (counted: Counted): Record<string, string> =>
  tokenHeaders({ limit: counted.rule.limit, remaining: left(counted), resetMs: counted.spent.comesBackMs });

function refusal({ rule: { scope, limit }, spent }: Counted, tokens: number): GatewayError {
  const which = `This ${scope}'s limit of ${limit} tokens per minute is reached`;
  const needs = `this request may need ${tokens}, counting its max_tokens`;
  if (tokens > limit) return rateLimited(`${which} by one request: ${needs}. Ask for less.`, spent.comesBackMs);
  return rateLimited(`${which}: ${needs}, and ${Math.max(0, limit - spent.used)} are left.`, spent.comesBackMs);
}

function once(task: (value: number) => void): (value: number) => void {
  let done = false;
  return (value) => {
    if (done) return;
    done = true;
    task(Math.max(0, Math.round(value)));
  };
}
