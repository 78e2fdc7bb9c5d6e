import type { GatewayError } from '@tallyport/contracts';
import { durationBuckets, inflightRequests, type Kit, throttledLog } from '@tallyport/service-kit';
import type { EdgeConfig } from './config.ts';

interface FinishedRequest {
  requestId: string;
  route: string;
  method: string;
  status: number;
  durationMs: number;
  error?: GatewayError | undefined;
}

export interface EdgeEvents {
  requestStarted(): void;
  /** A dependency is not reachable. */
  healthAway(name: string, reason: string): void;
  requestFinished(finished: FinishedRequest): void;
  /** Reports how many request bytes are held now. */
  bytesHeld(bytes: number): void;
  /** Streams for changes of tools could not be kept open or up to date. It is tried again. */
  toolStreamsFailed(error: unknown): void;
  /** The status page could not be read. */
  statusNotRead(error: unknown): void;
  /** A refused request has no record, because the journal did not accept it. */
  refusalNotRecorded(error: unknown): void;
  /** The server listens on a public address, but BASE_URL is not set. */
  addressUnknown(): void;
}

/** Errors that any client can cause at will: each is counted, but logged at most once a second. */
const floods: ReadonlySet<string> = new Set(['invalid_api_key', 'rate_limit_exceeded']);

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

interface EdgeSeries {
  /** Route templates, never paths sent by a client. */
  routes: readonly string[];
}

/** Counts each event at the edge and logs it once. */
export function edgeEvents({ config, log, metrics }: Kit<EdgeConfig>, { routes }: EdgeSeries): EdgeEvents {
  const labels = { route: routes, method: methods, status_class: statusClasses };
  const requests = metrics.counter({ name: 'gateway_http_requests_total', help: 'Requests answered.', labels });
  const duration = metrics.histogram({
    name: 'gateway_http_request_duration_seconds',
    help: 'Time from the first request byte to the last response byte.',
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

  const unrecorded = metrics.counter({
    name: 'gateway_refusals_not_recorded_total',
    help: 'Refused requests without a record, because the journal did not accept it.',
    ...service,
  });

  const warn = throttledLog(log);
  const throttled = throttledLog(log, { level: 'info', everyMs: 1_000 });

  return {
    addressUnknown: () =>
      log.warn(
        'BASE_URL is not set: sign-in and OAuth for MCP hosts work from this machine only. Set it to the address clients use.',
      ),
    requestStarted: () => inflight.add(1),
    healthAway: (name, reason) => warn(name, { name, reason }, 'a health check failed'),
    toolStreamsFailed: (error) => warn('tool-streams', { error }, 'streams for changes of tools were not updated'),
    statusNotRead: (error) => warn('status', { error }, 'the status page could not be read'),
    refusalNotRecorded(error) {
      unrecorded.with({ service: 'edge' }).increment();
      warn('refusal', { error }, 'a refused request has no record: the journal did not accept it');
    },
    bytesHeld: (held) => bytes.set(held),
    requestFinished({ requestId, route, method, status, durationMs, error }) {
      inflight.add(-1);
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
