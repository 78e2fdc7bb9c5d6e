import type { ServerResponse } from 'node:http';
import { GatewayError } from '@tallyport/contracts';
import { corsHeaders } from '../http/cors.ts';
import { securityHeaders } from '../http/security-headers.ts';
import manifest from '../../package.json' with { type: 'json' };

export interface HealthCheckResult {
  connected: boolean;
  error?: string | undefined;
  /** What is not reachable, by name. */
  away?: readonly string[];
}

const items = ['redis', 'database', 'nats', 'services'] as const;
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
  const results = await Promise.all(
    items.map(async (item) => [item, skipped.has(item) ? notChecked : await checks[item]()] as const),
  );
  const isWell = results.every(([item, { connected }]) => connected || skipped.has(item));
  const away = new Set(results.flatMap(([, result]) => result.away ?? []));
  const status = isWell ? 200 : 503;
  const body = JSON.stringify({
    message: isWell ? 'OK' : `Not reachable: ${[...away].join(', ')}.`,
    version: manifest.version,
    health: { status: isWell ? 'ok' : 'error', ...Object.fromEntries(results.map(shown)) },
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

const shown = ([item, { connected, error }]: readonly [Item, HealthCheckResult]) =>
  [item, { connected, error }] as const;

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
