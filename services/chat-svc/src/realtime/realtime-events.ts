import type { RequestOutcome } from '@tallyport/dispatch';
import type { Kit } from '@tallyport/service-kit';
import { type RequestEvents, requestEvents } from '@tallyport/serving';

/** Each response of a session is reported like a request. */
export type RealtimeEvents = RequestEvents<RequestOutcome>;

/** Metrics and logs of realtime sessions. */
export function realtimeEvents(kit: Pick<Kit, 'log' | 'metrics' | 'tracing'>): RealtimeEvents {
  const refused = kit.metrics.counter({
    name: 'gateway_realtime_refused_total',
    help: 'Realtime sessions refused before a provider was called.',
    labels: { code: 'any' },
  });
  return requestEvents<RequestOutcome>(kit, {
    operation: 'realtime',
    messages: {
      answered: 'realtime response ended',
      failed: 'realtime response failed',
      refused: 'realtime session refused',
    },
    outcomeFields: () => ({}),
    onRefused: ({ code }) => refused.with({ code }).increment(),
  });
}
