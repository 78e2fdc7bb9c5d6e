import { toGatewayError } from '@switchyard/contracts';
import type { Checked, HealthChecks } from './health.ts';

const withinMs = 2_000;

interface Asked {
  /** Asks Redis itself, or its twin. */
  redis(withinMs: number): Promise<Checked>;
  /** Asks the service that holds the database: edge has no connection of its own. */
  database(withinMs: number): Promise<Checked>;
}

/** Each check answers within two seconds, whatever happens. */
export const healthChecks = ({ redis, database }: Asked): HealthChecks => ({
  redis: () => bounded('redis', redis(withinMs)),
  database: () => bounded('database', database(withinMs)),
});

async function bounded(name: string, asked: Promise<Checked>): Promise<Checked> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Checked>((resolve) => {
    timer = setTimeout(() => resolve({ connected: false, error: `${name} did not answer in time` }), withinMs);
  });
  const told = asked.catch((thrown: unknown): Checked => ({ connected: false, error: toGatewayError(thrown).message }));
  const checked = await Promise.race([told, late]);
  clearTimeout(timer);
  return checked.connected ? { connected: true } : checked;
}
