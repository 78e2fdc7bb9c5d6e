import type { Principal } from '@tallyport/contracts';

const unlimited = { key: 0, project: 0, account: 0 };

/** The payer of a request that the gateway makes by itself: limits of tokens and budgets of end users are for what clients send. */
export function withoutClientLimits({ endUserBudgets: _endUsers, ...payer }: Principal): Principal {
  return { ...payer, tokensPerMinute: unlimited };
}
