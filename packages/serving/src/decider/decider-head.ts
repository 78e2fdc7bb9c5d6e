import type { RequestHead } from '@tallyport/contracts';

const unlimited = { key: 0, project: 0, account: 0 };

/**
 * The head of a decision that a request depends on: the caller's key, project and account pay, and it may use what they may
 * use. Limits of tokens and budgets of end users are for what clients send, and its headers are about their own request.
 */
export function deciderHead({ requestId, timeoutMs, principal }: RequestHead, mostMs: number): RequestHead {
  const head = { requestId, timeoutMs: Math.min(timeoutMs, mostMs), headers: {} };
  if (principal === undefined) return head;
  const { endUserBudgets: _endUsers, ...caller } = principal;
  return { ...head, principal: { ...caller, tokensPerMinute: unlimited } };
}
