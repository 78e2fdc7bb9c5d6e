import type { ServerResponse } from 'node:http';
import { GatewayError } from '@tallyport/contracts';
import { corsHeaders } from '../http/cors.ts';
import { securityHeaders } from '../http/security-headers.ts';
import manifest from '../../package.json' with { type: 'json' };

export interface HealthCheckResult {
  connected: boolean;
  error?: string | undefined;
}

const items = ['redis', 'database'] as const;
type Item = (typeof items)[number];

/** The available checks. Each has its own deadline and never throws. */
export type HealthChecks = Readonly<Record<Item, () => Promise<HealthCheckResult>>>;

/** `GET /`: whether the gateway and its dependencies work. Never calls a model. */
export async function health(
  checks: HealthChecks,
  query: string,
  { response, requestId }: HealthAnswer,
): Promise<number> {
  const skipped = skippedItems(query);
  const [redis, database] = await Promise.all(items.map((item) => (skipped.has(item) ? notChecked : checks[item]())));
  const away = items.filter((item) => !skipped.has(item) && !(item === 'redis' ? redis : database)?.connected);
  const status = away.length === 0 ? 200 : 503;
  const body = JSON.stringify({
    message: away.length === 0 ? 'OK' : `Not reachable: ${away.join(', ')}.`,
    version: manifest.version,
    health: { status: away.length === 0 ? 'ok' : 'error', redis, database },
  });
  response.writeHead(status, {
    ...securityHeaders,
    ...corsHeaders,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': requestId,
  });
  response.end(body);
  return status;
}

/** Says nothing about the health of the gateway. */
const notChecked: HealthCheckResult = { connected: false, error: 'not checked, because the request skips it' };

interface HealthAnswer {
  response: ServerResponse;
  requestId: string;
}

function skippedItems(query: string): Set<string> {
  const names = (new URLSearchParams(query).get('skip') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const unknown = names.find((name) => !items.some((item) => item === name));
  if (unknown === undefined) return new Set(names);
  const message = `"${unknown.slice(0, 50)}" is not a health check. Known checks: ${items.join(', ')}.`;
  throw new GatewayError('invalid_parameters', message, { param: 'skip' });
}
