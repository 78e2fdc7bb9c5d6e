import type { Dashboard } from './dashboard.ts';

const selection = 'job=~"$job"';

export const fleet: Dashboard = {
  id: 'fleet',
  title: 'Fleet',
  description: 'The processes, and their connections to NATS, Redis and Postgres.',
  variables: [{ label: 'job', metric: 'gateway_part_ready' }],
  rows: [
    {
      title: 'Availability',
      panels: [
        {
          kind: 'table',
          title: 'Replicas',
          description: 'Processes that Prometheus can scrape, by service.',
          queries: [{ expr: `sum by (job) (up{${selection}})` }],
          unit: 'short',
        },
        {
          kind: 'timeseries',
          title: 'NATS, Redis and Postgres',
          description:
            'bus is NATS, auth-svc and ledger-svc are Postgres, store is Redis. A process gets no new requests while a part is down, except for Redis.',
          queries: [
            { expr: `min by (job, part) (gateway_part_ready{${selection}})`, legend: '{{job}} {{part}}' },
            { expr: `min by (job) (gateway_store_connected{${selection}})`, legend: '{{job}} store' },
          ],
          unit: 'yesno',
          min: 0,
          max: 1,
        },
        {
          kind: 'timeseries',
          title: 'NATS connections',
          description: 'Lost and restored connections. Streams survive short losses.',
          queries: [
            {
              expr: `sum by (job, event) (increase(gateway_nats_connection_events_total{${selection}}[$__rate_interval]))`,
              legend: '{{job}} {{event}}',
            },
          ],
          unit: 'short',
        },
      ],
    },
    {
      title: 'Load',
      panels: [
        {
          kind: 'timeseries',
          title: 'CPU',
          description:
            'Cores used by a process. JavaScript runs on one core, so add replicas before a process reaches 1.',
          queries: [
            {
              expr: `rate(process_cpu_seconds_total{${selection}}[$__rate_interval])`,
              legend: '{{job}} {{instance}}',
            },
          ],
          unit: 'cores',
          thresholds: { warn: 0.7, bad: 0.95 },
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Loop lag (p99)',
          description: 'Delay of the event loop. Above 0.1 s clients notice it: add replicas.',
          queries: [
            { expr: `instance:nodejs_eventloop_lag:p99_seconds{${selection}}`, legend: '{{job}} {{instance}}' },
          ],
          unit: 's',
          thresholds: { warn: 0.05, bad: 0.1 },
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Memory',
          description: 'Resident memory. It follows the bodies and streams in flight, and falls after them.',
          queries: [{ expr: `process_resident_memory_bytes{${selection}}`, legend: '{{job}} {{instance}}' }],
          unit: 'bytes',
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Requests in flight',
          description: 'The metric that scales edge.',
          queries: [
            {
              expr: `sum by (service, instance) (gateway_inflight_requests{${selection}})`,
              legend: '{{service}} {{instance}}',
            },
          ],
          unit: 'short',
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Bytes held, relative to the limit',
          description: 'Above 100 % requests get 529. Image bytes scale image-svc.',
          queries: [
            { expr: `instance:gateway_inflight_bytes:ratio{${selection}}`, legend: '{{instance}} requests' },
            { expr: `instance:gateway_image_bytes:ratio{${selection}}`, legend: '{{instance}} images' },
          ],
          unit: 'percentunit',
          thresholds: { warn: 0.7, bad: 0.85 },
          min: 0,
          max: 1,
        },
        {
          kind: 'timeseries',
          title: 'Garbage collection',
          description:
            'Share of time spent on garbage collection. If it grows together with memory, the process needs a larger limit.',
          queries: [
            {
              expr: `sum by (job, instance) (rate(nodejs_gc_duration_seconds_sum{${selection}}[$__rate_interval]))`,
              legend: '{{job}} {{instance}}',
            },
          ],
          unit: 'percentunit',
          min: 0,
        },
      ],
    },
    {
      title: 'State',
      panels: [
        {
          kind: 'timeseries',
          title: 'Key lookups in Postgres',
          description:
            'Known keys are cached, so this is small. unavailable: Postgres did not answer, and keys that were not cached got 503.',
          queries: [
            { expr: 'sum by (outcome) (rate(gateway_key_lookups_total[$__rate_interval]))', legend: '{{outcome}}' },
          ],
          unit: 'ops',
        },
        {
          kind: 'timeseries',
          title: 'Models in the catalogue',
          description: 'Per replica of catalog-svc. All replicas should show the same number.',
          queries: [{ expr: 'gateway_catalogue_models', legend: '{{instance}}' }],
          unit: 'short',
        },
        {
          kind: 'timeseries',
          title: 'Dropped metric series',
          description: 'Series dropped because a metric reached its limit. Any value above 0 is a bug in Tallyport.',
          queries: [
            {
              expr: 'sum by (metric) (increase(gateway_metric_series_dropped_total[$__rate_interval]))',
              legend: '{{metric}}',
            },
          ],
          unit: 'short',
        },
      ],
    },
  ],
};
