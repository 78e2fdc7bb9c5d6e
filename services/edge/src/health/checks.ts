import { toGatewayError } from '@tallyport/contracts';
import type { HealthCheckResult, HealthChecks } from './health.ts';

const withinMs = 2_000;
/** The endpoint is public: a result is reused for this long. */
const keptMs = 1_000;

interface ProbeResult {
  connected: boolean;
  error?: string | undefined;
}

interface HealthProbes {
  /** Pings Redis, or its in-memory twin. */
  redis(withinMs: number): Promise<ProbeResult>;
  /** Asks auth-svc, which holds the database connection. Edge has none. */
  database(withinMs: number): Promise<ProbeResult>;
  /** Receives the reason. It may name internal addresses, so it is only logged. */
  onAway(name: string, reason: string): void;
}

/** Each check resolves within two seconds and runs at most once a second. */
export const healthChecks = ({ redis, database, onAway }: HealthProbes): HealthChecks => ({
  redis: kept(() => bounded('redis', redis(withinMs), onAway)),
  database: kept(() => bounded('database', database(withinMs), onAway)),
});

function kept(check: () => Promise<HealthCheckResult>): () => Promise<HealthCheckResult> {
  let last: { result: Promise<HealthCheckResult>; until: number } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || last.until <= now) last = { result: check(), until: now + keptMs };
    return last.result;
  };
}

async function bounded(
  name: string,
  probe: Promise<ProbeResult>,
  onAway: HealthProbes['onAway'],
): Promise<HealthCheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ProbeResult>((resolve) => {
    timer = setTimeout(() => resolve({ connected: false, error: 'no response in time' }), withinMs);
  });
  const answer = probe.catch((thrown: unknown): ProbeResult => ({
    connected: false,
    error: toGatewayError(thrown).message,
  }));
  const result = await Promise.race([answer, late]);
  clearTimeout(timer);
  if (result.connected) return { connected: true };
  onAway(name, result.error ?? 'not connected');
  return { connected: false, error: `${name} is not reachable` };
}
