import type { Readiness } from '../parts/readiness.ts';
import type { Metrics } from '../metrics/index.ts';

/** The result of `/readyz` as a metric. The part names are fixed by the composition, so there are few. */
export function readyGauge(metrics: Metrics): (readiness: Readiness) => void {
  const parts = metrics.gauge({
    name: 'gateway_part_ready',
    help: '1 while the part of the process works; bus is the connection to NATS.',
    labels: { part: 'any' },
  });
  return (readiness) => {
    for (const [part, { ok }] of Object.entries(readiness.parts)) parts.with({ part }).set(Number(ok));
  };
}
