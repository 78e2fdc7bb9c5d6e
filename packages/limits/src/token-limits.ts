import type { GatewayError, Principal } from '@tallyport/contracts';
import { entriesUpTo, type Store } from '@tallyport/store';
import { LRUCache } from 'lru-cache';
import { tokenHeaders } from './headers.ts';
import { rateLimited } from './refusal.ts';
import type { Replicas } from './replicas.ts';
import type { RuleScope } from './rule-scope.ts';
import { type SetAside, TokenCounter } from './token-counter.ts';
import { type TokenRule, tokenRules } from './token-rules.ts';

/** Tokens reserved for one request until its usage is known. */
export interface Reservation {
  /** The `x-ratelimit-*-tokens` headers of the response. */
  headers: Record<string, string>;
  /** Settles the reservation with the tokens used, 0 for none. Only the first call counts. */
  settle(usedTokens: number): void;
}

/** Returned rather than thrown, because the client must get its headers. */
export interface TokenRefusal {
  headers: Record<string, string>;
  error: GatewayError;
}

export interface TokenLimits {
  /**
   * Reserves tokens of the key, its project and its account. `undefined`, without waiting, if none has a limit; then
   * nothing is estimated.
   */
  reserve(principal: Principal | undefined, estimate: () => number): Promise<Reservation | TokenRefusal> | undefined;
  stop(): Promise<void>;
}

interface TokenLimitsOptions {
  store: Store;
  /** The replicas that share the same counts. */
  replicas: Pick<Replicas, 'count'>;
  /** The limit of keys and accounts without their own; 0 means no limit. */
  defaultLimit: number;
  onDecision(scope: `${RuleScope}_tokens`, allowed: boolean, alone: boolean): void;
}

const windowMs = 60_000;
/** How often the store learns what was counted while it was unavailable. */
const tellEveryMs = 2_000;

/** Maximum number of local counters. The least recently used are evicted; the store keeps counting them. */
const maxNames = 20_000;

/** The count of one limit. */
interface RuleReservation extends SetAside {
  rule: TokenRule;
}

/**
 * Limits tokens per minute of a key, its project and its account. Reserves an estimate, and settles it with the usage in
 * the same minute.
 */
export function createTokenLimits(options: TokenLimitsOptions): TokenLimits {
  const { store, replicas, defaultLimit, onDecision } = options;
  const counters = new LRUCache<string, TokenCounter>(entriesUpTo(maxNames));
  const tools = { store, windowMs, replicas: replicas.count, now: () => performance.now() };

  const telling = setInterval(() => void tellAll(), tellEveryMs);

  async function tellAll(): Promise<void> {
    await Promise.all([...counters.values()].map((counter) => counter.report()));
  }

  async function count(rule: TokenRule, wanted: number): Promise<RuleReservation> {
    const counter = counters.get(rule.name) ?? new TokenCounter(rule.name, tools);
    counters.set(rule.name, counter);
    const aside = await counter.setAside(rule.limit, wanted);
    onDecision(`${rule.scope}_tokens`, aside.granted, aside.alone);
    return { rule, ...aside };
  }

  async function reserveAll(
    [first, ...others]: readonly [TokenRule, ...TokenRule[]],
    tokens: number,
  ): Promise<Reservation | TokenRefusal> {
    // The tightest limit first and, if it allows the request, all others in one round trip.
    const one = await count(first, tokens);
    const more = others.length > 0 && one.granted ? await Promise.all(others.map((rule) => count(rule, tokens))) : [];
    const taken = [one, ...more];
    const refused = taken.find(({ granted }) => !granted);
    if (refused) {
      for (const each of taken) if (each.granted) each.correct(-tokens);
      return { headers: headersOf(refused), error: refusal(refused, tokens) };
    }
    const nearest = taken.reduce((one, other) => (other.left < one.left ? other : one));
    return {
      headers: headersOf(nearest),
      settle: once((used) => taken.forEach((each) => each.correct(used - tokens))),
    };
  }

  return {
    reserve(principal, estimate) {
      const [first, ...others] = principal ? tokenRules(principal, defaultLimit) : [];
      return first && reserveAll([first, ...others], estimate());
    },
    async stop() {
      clearInterval(telling);
      await tellAll();
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
