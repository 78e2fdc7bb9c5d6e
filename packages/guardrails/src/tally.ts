import { type Finding, GatewayError } from '@tallyport/contracts';

/** Counts what rules did to a request or an answer. */
export interface RuleTally {
  add(rule: string, action: Finding['action'], count?: number): void;
  findings(): Finding[];
}

export function createTally(): RuleTally {
  const counts = new Map<string, Finding>();
  return {
    add(rule, action, count = 1) {
      const key = `${action} ${rule}`;
      const known = counts.get(key);
      counts.set(key, { rule, action, count: (known?.count ?? 0) + count });
    },
    findings: () => [...counts.values()],
  };
}

export type GuardedPart = 'answer' | 'request';

/** The error of a blocked request or answer. It names the rule and never the text. */
export const blocked = (rule: string, part: GuardedPart): GatewayError =>
  new GatewayError(
    'guardrail_blocked',
    `${sentences[part]} the rule '${rule}' of the account's guardrails. ${advice[part]}`,
    {
      domain: 'policy',
    },
  );

const sentences: Readonly<Record<GuardedPart, string>> = {
  answer: 'The answer was blocked by',
  request: 'The request was blocked by',
};

const advice: Readonly<Record<GuardedPart, string>> = {
  answer: 'Ask for something else, or ask an admin of the account.',
  request: 'Remove what the rule forbids, or ask an admin of the account.',
};
