/** The one metric of what limits decided, the same in every service; alone: by one replica, without the others. */
export const limitDecisions = {
  name: 'gateway_rate_limit_decisions_total',
  help: 'Requests that were counted against a limit; alone: by one replica, without the others.',
  labels: {
    scope: ['key', 'account', 'concurrency', 'address', 'unknown_keys', 'key_tokens', 'account_tokens'],
    result: ['allowed', 'refused', 'allowed_alone', 'refused_alone'],
  },
} as const;

export type LimitScope = (typeof limitDecisions)['labels']['scope'][number];
export type LimitResult = (typeof limitDecisions)['labels']['result'][number];

export const limitResultOf = (allowed: boolean, alone: boolean): LimitResult =>
  `${allowed ? 'allowed' : 'refused'}${alone ? '_alone' : ''}`;
