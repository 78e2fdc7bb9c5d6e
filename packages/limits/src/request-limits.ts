import { byName, type Caller, oncePer, type RequestKind, requestKinds } from '@tallyport/contracts';
import { rateLimited } from './refusal.ts';
import { type RequestDefaults, type RequestRule, requestRules } from './request-rules.ts';
import type { RuleScope } from './rule-scope.ts';
import type { LimitVerdict } from './request-counter.ts';
import type { RequestWindows } from './request-windows.ts';

interface RequestLimits {
  /**
   * Counts a request. Calls `report` with the state of the tightest limit, whether or not the request is allowed, and
   * throws `rate_limit_exceeded` if it is not. Without a limit `report` is not called.
   */
  take(caller: Caller, kind: RequestKind, report: StandingListener): void | Promise<void>;
}

type StandingListener = (standing: LimitVerdict) => void;

interface RequestLimitsOptions {
  windows: RequestWindows;
  defaults: RequestDefaults;
  onDecision(scope: RuleScope, verdict: LimitVerdict): void;
}

/** Limits the requests per minute of a key, its project and its account. */
export function createRequestLimits({ windows, defaults, onDecision }: RequestLimitsOptions): RequestLimits {
  /** A caller is the same object for all requests of half a minute. */
  const rulesOf = oncePer((caller: Caller) => byName(requestKinds, (kind) => requestRules(caller, kind, defaults)));

  function counted({ scope }: RequestRule, verdict: LimitVerdict): LimitVerdict {
    onDecision(scope, verdict);
    return verdict;
  }

  function conclude({ kind, report }: TakeContext, rule: RequestRule, verdict: LimitVerdict): void {
    report(verdict);
    if (verdict.allowed) return;
    throw rateLimited(
      `This ${rule.scope}'s limit of ${rule.limit} ${kind} requests per minute is reached.`,
      verdict.resetMs,
    );
  }

  function takeOne(context: TakeContext, rule: RequestRule): void | Promise<void> {
    const verdict = windows.take(rule.name, rule.limit);
    if (verdict instanceof Promise) return verdict.then((settled) => conclude(context, rule, counted(rule, settled)));
    return conclude(context, rule, counted(rule, verdict));
  }

  /**
   * Takes of the tightest limit first, then of all others in one round trip. If one refuses, the counts of the others are
   * refunded, or not made at all if the refusal is already known.
   */
  async function takeAll(context: TakeContext, first: RequestRule, others: readonly RequestRule[]): Promise<void> {
    for (const other of others) {
      const refusal = windows.refusal(other.name, other.limit);
      if (refusal) return conclude(context, other, counted(other, refusal));
    }
    const one = counted(first, await windows.take(first.name, first.limit));
    if (!one.allowed) return conclude(context, first, one);
    const asked = others.map((rule) => ({ rule, verdict: windows.take(rule.name, rule.limit) }));
    const taken: TakenRule[] = [{ rule: first, verdict: one }];
    for (const { rule, verdict } of asked) taken.push({ rule, verdict: counted(rule, await verdict) });
    const { rule, verdict } = taken.reduce(tighter);
    if (!verdict.allowed) giveBack(taken);
    conclude(context, rule, verdict);
  }

  function giveBack(taken: readonly TakenRule[]): void {
    for (const { rule, verdict } of taken) if (verdict.allowed) windows.giveBack(rule.name);
  }

  return {
    take(caller, kind, report) {
      const context = { kind, report };
      const rules = rulesOf(caller)[kind];
      const [first] = rules;
      if (!first) return undefined;
      return rules.length > 1 ? takeAll(context, first, rules.slice(1)) : takeOne(context, first);
    },
  };
}

interface TakeContext {
  kind: RequestKind;
  report: StandingListener;
}

interface TakenRule {
  rule: RequestRule;
  verdict: LimitVerdict;
}

/** The one that refused or, if both allowed the request, the one with less left. */
function tighter(one: TakenRule, other: TakenRule): TakenRule {
  if (one.verdict.allowed !== other.verdict.allowed) return one.verdict.allowed ? other : one;
  return one.verdict.remaining < other.verdict.remaining ? one : other;
}
