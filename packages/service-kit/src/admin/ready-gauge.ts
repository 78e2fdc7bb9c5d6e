import type { Readiness } from '../life/readiness.ts';
import type { Metrics } from '../metrics/index.ts';

/** What `/readyz` says, for those who look at metrics only. Parts are named by the composition: few, and always the same. */
export function readyGauge(metrics: Metrics): (readiness: Readiness) => void {
  const parts = metrics.gauge({
    name: 'gateway_part_ready',
    help: '1 while this part of the process says that it works; bus is the connection to NATS.',
    labels: { part: 'any' },
  });
  return (readiness) => {
    for (const [part, { ok }] of Object.entries(readiness.parts)) parts.with({ part }).set(Number(ok));
  };
}
