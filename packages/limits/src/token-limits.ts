import type { GatewayError, Principal } from '@switchyard/contracts';
import type { Store } from '@switchyard/store';
import { LRUCache } from 'lru-cache';
import { tokenHeaders } from './headers.ts';
import { rateLimited } from './refusal.ts';
import { joinReplicas } from './replicas.ts';
import type { RuleScope } from './request-rules.ts';
import { type SetAside, TokenCounter } from './token-counter.ts';
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
  onDecision(scope: `${RuleScope}_tokens`, allowed: boolean, alone: boolean): void;
}

const windowMs = 60_000;

/** The least recently used are forgotten here; the store goes on counting them. */
const maxNames = 20_000;

/** What one limit counted. */
interface RuleReservation extends SetAside {
  rule: TokenRule;
}

/** Tokens per minute of a key and of its account: set aside by estimate, settled by what was used, in the same minute. */
export function createTokenLimits(options: TokenLimitsOptions): TokenLimits {
  const { store, group, defaultLimit, onDecision } = options;
  const counters = new LRUCache<string, TokenCounter>({ max: maxNames });
  const replicas = joinReplicas({ store, group, onBeat: () => void tellAll() });
  const tools = { store, windowMs, replicas: replicas.count, now: () => performance.now() };

  async function tellAll(): Promise<void> {
    await Promise.all([...counters.values()].map((counter) => counter.tell()));
  }

  async function count(rule: TokenRule, wanted: number): Promise<RuleReservation> {
    const counter = counters.get(rule.name) ?? new TokenCounter(rule.name, tools);
    counters.set(rule.name, counter);
    const aside = await counter.setAside(rule.limit, wanted);
    onDecision(`${rule.scope}_tokens`, aside.granted, aside.alone);
    return { rule, ...aside };
  }

  return {
    async reserve(principal, estimate) {
      const rules = principal ? tokenRules(principal, defaultLimit) : [];
      if (rules.length === 0) return undefined;
      const tokens = estimate();
      const taken: RuleReservation[] = [];
      for (const rule of rules) {
        const one = await count(rule, tokens);
        if (one.granted) {
          taken.push(one);
          continue;
        }
        for (const each of taken) each.correct(-tokens);
        return { headers: headersOf(one), error: refusal(one, tokens) };
      }
      const nearest = taken.reduce((one, other) => (other.left < one.left ? other : one));
      return {
        headers: headersOf(nearest),
        settle: once((used) => taken.forEach((each) => each.correct(used - tokens))),
      };
    },
    async stop() {
      await Promise.all([tellAll(), replicas.stop()]);
    },
  };
}

const headersOf = ({ rule, left, comesBackMs }: RuleReservation): Record<string, string> =>
  tokenHeaders({ limit: rule.limit, remaining: left, resetMs: comesBackMs });

function refusal({ rule: { scope, limit }, left, comesBackMs }: RuleReservation, tokens: number): GatewayError {
  const which = `This ${scope}'s limit of ${limit} tokens per minute is reached`;
  const needs = `this request may need ${tokens}, counting its max_tokens`;
  if (tokens > limit) return rateLimited(`${which} by one request: ${needs}. Ask for less.`, comesBackMs);
  return rateLimited(`${which}: ${needs}, and ${left} are left.`, comesBackMs);
}

function once(task: (value: number) => void): (value: number) => void {
  let done = false;
  return (value) => {
    if (done) return;
    done = true;
    task(Math.max(0, Math.round(value)));
  };
}
