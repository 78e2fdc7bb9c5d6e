import type { GatewayError } from '@switchyard/contracts';
import { durationBuckets, inflightRequests, type Kit, throttledLog } from '@switchyard/service-kit';
import type { EdgeConfig } from './config.ts';

export interface FinishedRequest {
  requestId: string;
  route: string;
  method: string;
  status: number;
  durationMs: number;
  error?: GatewayError | undefined;
}

export interface EdgeEvents {
  requestStarted(): void;
  requestFinished(finished: FinishedRequest): void;
  /** We listen for others and do not know how they reach us. */
  addressUnknown(): void;
}

/** What anyone can make us say as often as they like: counted each time, logged once a second. */
const floods: ReadonlySet<string> = new Set(['invalid_api_key', 'rate_limit_exceeded']);

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

export interface EdgeSeries {
  /** Route templates: never what a client typed. */
  routes: readonly string[];
  inflightBytes(): number;
}

/** What happens at the edge, each counted and logged once. */
export function edgeEvents(
  { config, log, metrics }: Kit<EdgeConfig>,
  { routes, inflightBytes }: EdgeSeries,
): EdgeEvents {
  const labels = { route: routes, method: methods, status_class: statusClasses };
  const requests = metrics.counter({ name: 'gateway_http_requests_total', help: 'Requests answered.', labels });
  const duration = metrics.histogram({
    name: 'gateway_http_request_duration_seconds',
    help: 'From the first byte in to the last byte out.',
    labels,
    buckets: durationBuckets,
  });
  const service = { labels: { service: ['edge'] } };
  const inflight = inflightRequests(metrics, 'edge');
  const bytes = metrics
    .gauge({ name: 'gateway_inflight_bytes', help: 'Request bytes held now.', ...service })
    .with({ service: 'edge' });
  metrics
    .gauge({ name: 'gateway_inflight_bytes_limit', help: 'Request bytes that may be held at once.', ...service })
    .with({ service: 'edge' })
    .set(config.MAX_INFLIGHT_BYTES);

  const throttled = throttledLog(log, { level: 'info', everyMs: 1_000 });

  return {
    addressUnknown: () =>
      log.warn(
        'BASE_URL is not set: signing in and MCP hosts that sign in work from this machine only. Set it to how clients reach us.',
      ),
    requestStarted: () => inflight.add(1),
    requestFinished({ requestId, route, method, status, durationMs, error }) {
      inflight.add(-1);
      bytes.set(inflightBytes());
      const series = { route, method, status_class: statusClasses[Math.floor(status / 100) - 1]! };
      requests.with(series).increment();
      duration.with(series).observe(durationMs / 1000);
      const fields = { requestId, route, method, status, durationMs: Math.round(durationMs * 10) / 10 };
      if (!error) log.info(fields, 'request');
      else if (floods.has(error.code)) throttled(error.code, { ...fields, code: error.code }, 'request refused');
      else if (status < 500 && error.code !== 'internal_error')
        log.info({ ...fields, code: error.code }, 'request refused');
      else log.error({ ...fields, error }, 'request failed');
    },
  };
}
