import { type ModelIndex, offerKey, type Standings } from '@tallyport/dispatch';
import type { Metrics } from '@tallyport/service-kit';

const labels = { provider: 'any', model: 'model' } as const;

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
    const called = [...calledOffers(index, standings)];
    // Offers of a provider may share the series of the model `other`, which shows the worst of them: it is set last.
    for (const { series, ratio } of called.toSorted((one, other) => other.ratio - one.ratio))
      uptime.with(series).set(ratio);
    for (const { series, state } of called.toSorted((one, other) => one.state - other.state))
      circuit.with(series).set(state);
  };
}

function* calledOffers(index: ModelIndex, standings: Standings) {
  const keys = standings.health.keys();
  for (const model of index.models()) {
    for (const offer of model.offers) {
      if (!keys.has(offerKey(offer))) continue;
      const { ratio } = standings.uptime(offer);
      if (ratio === undefined) continue;
      const series = { provider: offer.providerId, model: model.id };
      yield { series, ratio, state: circuitStates[standings.breakers.state(offerKey(offer))] };
    }
  }
}
