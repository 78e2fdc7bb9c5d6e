import { type Kit, throttledLog } from '@tallyport/service-kit';

export interface PlaceEvents {
  /** Sentences about accounts and projects that rules name and that do not exist. */
  placesChecked(problems: readonly string[]): void;
  placesNotChecked(error: unknown): void;
}

/** In one line of the log. */
const mostReported = 20;

/** Counts what is missing, and logs it when it changes. */
export function placeEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): PlaceEvents {
  const missing = metrics.gauge({
    name: 'gateway_identity_missing_places',
    help: 'Accounts and projects that rules of IDENTITY_CONFIG name and that do not exist.',
  });
  const warn = throttledLog(log);
  let reported = '';
  return {
    placesChecked(problems) {
      missing.with().set(problems.length);
      const problem = problems.slice(0, mostReported).join(' ');
      if (problem === reported) return;
      reported = problem;
      if (problem === '') log.info('all accounts and projects of IDENTITY_CONFIG exist');
      else log.warn({ count: problems.length, problem }, 'rules of IDENTITY_CONFIG have no effect');
    },
    placesNotChecked: (error) =>
      warn('identity places', { error }, 'accounts and projects of IDENTITY_CONFIG not checked'),
  };
}
