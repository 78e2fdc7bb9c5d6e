import { type GatewayError, toGatewayError } from '@tallyport/contracts';
import type { Link } from '@tallyport/bus';
import { within } from '@tallyport/service-kit';
import type { HealthCheckResult, HealthChecks } from './health.ts';

const withinMs = 2_000;
/** The endpoint is public: a result is reused for this long. */
const keptMs = 1_000;

interface ProbeResult {
  connected: boolean;
  error?: string | undefined;
}

interface HealthProbes {
  link: Pick<Link, 'connected' | 'unheard'>;
  /** Pings Redis, or its in-memory twin. */
  redis(withinMs: number): Promise<ProbeResult>;
  /** Asks auth-svc, which holds the database connection. Edge has none. */
  database(withinMs: number): Promise<ProbeResult>;
  /** Receives the reason. It may name internal addresses, so it is only logged. */
  onAway(name: string, reason: string): void;
}

/** Each check resolves within two seconds and runs at most once a second. */
export function healthChecks({ link, redis, database, onAway }: HealthProbes): HealthChecks {
  const overNats = (check: () => HealthCheckResult | Promise<HealthCheckResult>) => async () =>
    link.connected() ? check() : notKnown;
  return {
    redis: kept(() => probed('redis', redis(withinMs), onAway)),
    database: overNats(kept(() => checkDatabase(database(withinMs), onAway))),
    nats: async () => (link.connected() ? { connected: true } : away('nats')),
    services: overNats(() => checkServices(link)),
  };
}

/** It is away itself only if auth-svc says so. */
async function checkDatabase(probe: Promise<ProbeResult>, onAway: HealthProbes['onAway']): Promise<HealthCheckResult> {
  const unasked = (error: string): HealthCheckResult => {
    onAway('auth-svc', error);
    return notConnected('not known, because auth-svc does not respond', ['auth-svc']);
  };
  const asked = await within(probe, withinMs).catch((thrown: unknown): GatewayError => toGatewayError(thrown));
  if (asked === undefined) return unasked('no response in time');
  return 'connected' in asked ? resultOf('database', asked, onAway) : unasked(asked.message);
}

/** Services that an installation can run without do not count. */
function checkServices(link: HealthProbes['link']): HealthCheckResult {
  const names = link.unheard().flatMap(({ name, isOptional }) => (isOptional ? [] : [name]));
  return names.length === 0 ? { connected: true } : notConnected(`no replica answers of ${names.join(', ')}`, names);
}

const notConnected = (error: string, names: readonly string[]): HealthCheckResult => ({
  connected: false,
  error,
  away: names,
});
const away = (name: string): HealthCheckResult => notConnected(`${name} is not reachable`, [name]);
const notKnown = notConnected('not known, because nats is not reachable', ['nats']);

function kept(check: () => Promise<HealthCheckResult>): () => Promise<HealthCheckResult> {
  let last: { result: Promise<HealthCheckResult>; until: number } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || last.until <= now) last = { result: check(), until: now + keptMs };
    return last.result;
  };
}

async function probed(
  name: string,
  probe: Promise<ProbeResult>,
  onAway: HealthProbes['onAway'],
): Promise<HealthCheckResult> {
  const answer = within(probe, withinMs).catch((thrown: unknown): ProbeResult => ({
    connected: false,
    error: toGatewayError(thrown).message,
  }));
  return resultOf(name, (await answer) ?? { connected: false, error: 'no response in time' }, onAway);
}

function resultOf(name: string, { connected, error }: ProbeResult, onAway: HealthProbes['onAway']): HealthCheckResult {
  if (connected) return { connected: true };
  onAway(name, error ?? 'not connected');
  return away(name);
}
