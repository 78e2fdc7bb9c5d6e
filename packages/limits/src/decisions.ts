/**
 * The metric of rate limit decisions, shared by all services. `alone` means decided by one replica without the store.
 */
export const limitDecisions = {
  name: 'gateway_rate_limit_decisions_total',
  help: 'Requests counted against a limit; alone: decided by one replica without the store.',
  labels: {
    scope: [
      'key',
      'project',
      'account',
      'concurrency',
      'address',
      'unknown_keys',
      'key_tokens',
      'project_tokens',
      'account_tokens',
    ],
    result: ['allowed', 'refused', 'allowed_alone', 'refused_alone'],
  },
} as const;

export type LimitScope = (typeof limitDecisions)['labels']['scope'][number];
type LimitResult = (typeof limitDecisions)['labels']['result'][number];

export const limitResultOf = (allowed: boolean, alone: boolean): LimitResult =>
  `${allowed ? 'allowed' : 'refused'}${alone ? '_alone' : ''}`;
