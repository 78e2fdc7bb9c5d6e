import type { ModelIndex, Standings } from '@switchyard/dispatch';
import type { Metrics } from '@switchyard/service-kit';

const labels = { provider: 'any', model: 'any' } as const;

const circuitStates = { closed: 0, half_open: 1, open: 2 } as const;

/** Gauges of the state of offers. Only offers that were called get series, so a large catalogue stays cheap. */
export function offerGauges(metrics: Metrics): (index: ModelIndex, standings: Standings) => void {
  const uptime = metrics.gauge({
    name: 'gateway_provider_uptime_ratio',
    help: 'Share of attempts without a provider fault, over all replicas, for recently called offers.',
    labels,
  });
  const circuit = metrics.gauge({
    name: 'gateway_provider_circuit_state',
    help: "This replica's breaker: 0 closed, 1 half open, 2 open.",
    labels,
  });
  return (index, standings) => {
    for (const model of index.models()) {
      for (const offer of model.offers) {
        const { uptime: seen, breaker } = standings.of(offer);
        if (seen.ratio === undefined) continue;
        const series = { provider: offer.providerId, model: model.id };
        uptime.with(series).set(seen.ratio);
        circuit.with(series).set(circuitStates[breaker]);
      }
    }
  };
}
