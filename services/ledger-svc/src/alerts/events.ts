import { type Kit, throttledLog } from '@tallyport/service-kit';

const kinds = ['fired', 'resolved', 'test'] as const;
const channels = ['webhook', 'email'] as const;

export interface AlertEvents {
  raised(alertId: string, kind: (typeof kinds)[number]): void;
  delivered(channel: (typeof channels)[number]): void;
  /** `final` if it is not tried again. */
  notDelivered(channel: (typeof channels)[number], failure: { alertId: string; problem: string; final: boolean }): void;
  checkFailed(alertId: string, error: unknown): void;
  roundFailed(error: unknown): void;
}

/** Counts and logs what alerts find and send. Addresses do not appear, because they may be secrets. */
export function alertEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): AlertEvents {
  const raised = metrics.counter({
    name: 'gateway_alert_events_total',
    help: 'Alerts that fired, were resolved or were tested.',
    labels: { kind: kinds },
  });
  const deliveries = metrics.counter({
    name: 'gateway_alert_deliveries_total',
    help: 'Attempts to send a message about an alert, by result. A failed one is not tried again.',
    labels: { channel: channels, result: ['delivered', 'retried', 'failed'] },
  });
  const warn = throttledLog(log);
  return {
    raised(alertId, kind) {
      raised.with({ kind }).increment();
      log.info({ alertId, kind }, 'alert raised');
    },
    delivered: (channel) => deliveries.with({ channel, result: 'delivered' }).increment(),
    notDelivered(channel, { alertId, problem, final }) {
      deliveries.with({ channel, result: final ? 'failed' : 'retried' }).increment();
      warn(`alert ${alertId}`, { alertId, channel, problem, final }, 'a message about an alert was not delivered');
    },
    checkFailed: (alertId, error) => warn('check', { alertId, error }, 'an alert could not be checked, trying again'),
    roundFailed: (error) => warn('round', { error }, 'alerts could not be checked, trying again'),
  };
}
