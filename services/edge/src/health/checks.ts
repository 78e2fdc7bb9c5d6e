import { toGatewayError } from '@switchyard/contracts';
import type { HealthCheckResult, HealthChecks } from './health.ts';

const withinMs = 2_000;

interface HealthProbes {
  /** Asks Redis itself, or its twin. */
  redis(withinMs: number): Promise<HealthCheckResult>;
  /** Asks the service that holds the database: edge has no connection of its own. */
  database(withinMs: number): Promise<HealthCheckResult>;
}

/** Each check answers within two seconds, whatever happens. */
export const healthChecks = ({ redis, database }: HealthProbes): HealthChecks => ({
  redis: () => bounded('redis', redis(withinMs)),
  database: () => bounded('database', database(withinMs)),
});

async function bounded(name: string, probe: Promise<HealthCheckResult>): Promise<HealthCheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<HealthCheckResult>((resolve) => {
    timer = setTimeout(() => resolve({ connected: false, error: `${name} did not answer in time` }), withinMs);
  });
  const answer = probe.catch((thrown: unknown): HealthCheckResult => ({
    connected: false,
    error: toGatewayError(thrown).message,
  }));
  const result = await Promise.race([answer, late]);
  clearTimeout(timer);
  return result.connected ? { connected: true } : result;
}
