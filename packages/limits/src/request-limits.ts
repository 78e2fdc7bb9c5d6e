import type { Caller, RequestKind } from '@switchyard/contracts';
import { rateLimited } from './refusal.ts';
import { type RequestDefaults, type RequestRule, requestRules, type RuleScope } from './request-rules.ts';
import type { LimitVerdict } from './request-counter.ts';
import type { RequestWindows } from './request-windows.ts';

export interface RequestLimits {
  /**
   * Counts a request. Calls `report` with the state of the tightest limit, whether or not the request is allowed, and
   * throws `rate_limit_exceeded` if it is not. Without a limit `report` is not called.
   */
  take(caller: Caller, kind: RequestKind, report: StandingListener): void | Promise<void>;
}

export type StandingListener = (standing: LimitVerdict) => void;

export interface RequestLimitsOptions {
  windows: RequestWindows;
  defaults: RequestDefaults;
  onDecision(scope: RuleScope, verdict: LimitVerdict): void;
}

/** Limits the requests per minute of a key and of its account. */
export function createRequestLimits({ windows, defaults, onDecision }: RequestLimitsOptions): RequestLimits {
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

  /** If one limit refuses, the count of the other is refunded, or not made at all if the refusal is already known. */
  async function takeBoth(context: TakeContext, first: RequestRule, second: RequestRule): Promise<void> {
    const refusal = windows.refusal(second.name, second.limit);
    if (refusal) return conclude(context, second, counted(second, refusal));
    const one = counted(first, await windows.take(first.name, first.limit));
    if (!one.allowed) return conclude(context, first, one);
    const two = counted(second, await windows.take(second.name, second.limit));
    if (!two.allowed) windows.giveBack(first.name);
    if (two.allowed && one.remaining < two.remaining) conclude(context, first, one);
    else conclude(context, second, two);
  }

  return {
    take(caller, kind, report) {
      const context = { kind, report };
      const [first, second] = requestRules(caller, kind, defaults);
      if (!first) return undefined;
      return second ? takeBoth(context, first, second) : takeOne(context, first);
    },
  };
}

interface TakeContext {
  kind: RequestKind;
  report: StandingListener;
}
