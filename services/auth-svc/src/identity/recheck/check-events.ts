import { type Kit, throttledLog } from '@tallyport/service-kit';

const outcomes = ['present', 'refused', 'no_access', 'unanswered', 'unanswered_too_long'] as const;

type CheckOutcome = (typeof outcomes)[number];

export interface CheckEvents {
  /** A provider was asked whether the person of a session is still there. `problem` is for the operator. */
  sessionChecked(outcome: CheckOutcome, provider: string, problem?: string): void;
  /** A session began with a refresh token that cannot be stored. */
  sessionNotChecked(provider: string, problem: string): void;
  checkFailed(error: unknown): void;
}

export function checkEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): CheckEvents {
  const checks = metrics.counter({
    name: 'gateway_session_checks_total',
    help: 'Questions to identity providers whether the person of a session is still there, by outcome.',
    labels: { outcome: outcomes },
  });
  const warn = throttledLog(log);
  return {
    sessionChecked(outcome, provider, problem) {
      checks.with({ outcome }).increment();
      if (outcome === 'present') return;
      const line = { outcome, provider, ...(problem !== undefined && { problem }) };
      if (outcome === 'unanswered') warn(`check ${provider}`, line, 'identity provider did not confirm a session');
      else log.info(line, 'session ended by a check at its identity provider');
    },
    sessionNotChecked: (provider, problem) =>
      warn(`no check ${provider}`, { provider, problem }, 'session will not be checked at its identity provider'),
    checkFailed: (error) => warn('checks', { error }, 'sessions of identity providers could not be checked'),
  };
}
