import type { Dashboard } from './dashboard.ts';

const chosen = 'job=~"$job"';

export const fleet: Dashboard = {
  id: 'fleet',
  title: 'Fleet',
  description: 'The processes themselves, and NATS, Redis and Postgres as they see them.',
  variables: [{ label: 'job', metric: 'gateway_part_ready' }],
  rows: [
    {
      title: 'What is there',
      panels: [
        {
          kind: 'table',
          title: 'Replicas',
          description: 'Processes that Prometheus reaches, by service.',
          queries: [{ expr: `sum by (job) (up{${chosen}})` }],
          unit: 'short',
        },
        {
          kind: 'timeseries',
          title: 'NATS, Redis and parts of processes',
          description:
            'bus is NATS, auth-svc is Postgres, store is Redis. A process whose part is away gets no new work, but for Redis.',
          queries: [
            { expr: `min by (job, part) (gateway_part_ready{${chosen}})`, legend: '{{job}} {{part}}' },
            { expr: `min by (job) (gateway_store_connected{${chosen}})`, legend: '{{job}} store' },
          ],
          unit: 'yesno',
          min: 0,
          max: 1,
        },
        {
          kind: 'timeseries',
          title: 'NATS connections',
          description: 'Lost and mended connections. Streams survive short losses.',
          queries: [
            {
              expr: `sum by (job, event) (increase(gateway_nats_connection_events_total{${chosen}}[$__rate_interval]))`,
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
          description: 'Cores used by a process. One is all that Node computes with; add replicas before that.',
          queries: [
            {
              expr: `rate(process_cpu_seconds_total{${chosen}}[$__rate_interval])`,
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
          description: 'How late a process gets to what it wanted to do. Above a tenth of a second clients feel it.',
          queries: [{ expr: `instance:nodejs_eventloop_lag:p99_seconds{${chosen}}`, legend: '{{job}} {{instance}}' }],
          unit: 's',
          thresholds: { warn: 0.05, bad: 0.1 },
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Memory',
          description: 'Resident. It follows bodies and streams in flight and comes down after them.',
          queries: [{ expr: `process_resident_memory_bytes{${chosen}}`, legend: '{{job}} {{instance}}' }],
          unit: 'bytes',
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Requests in flight',
          description: 'This is what edge is scaled by.',
          queries: [
            {
              expr: `sum by (service, instance) (gateway_inflight_requests{${chosen}})`,
              legend: '{{service}} {{instance}}',
            },
          ],
          unit: 'short',
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Bytes held, of those that may be',
          description: 'Beyond 100 % requests are answered with 529. Images are what image-svc is scaled by.',
          queries: [
            { expr: `instance:gateway_inflight_bytes:ratio{${chosen}}`, legend: '{{instance}} requests' },
            { expr: `instance:gateway_image_bytes:ratio{${chosen}}`, legend: '{{instance}} images' },
          ],
          unit: 'percentunit',
          thresholds: { warn: 0.7, bad: 0.85 },
          min: 0,
          max: 1,
        },
        {
          kind: 'timeseries',
          title: 'Collector pauses',
          description:
            'Share of time spent collecting garbage. Growing together with memory, it says that a process is too small.',
          queries: [
            {
              expr: `sum by (job, instance) (rate(nodejs_gc_duration_seconds_sum{${chosen}}[$__rate_interval]))`,
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
          title: 'Keys looked up in Postgres',
          description:
            'Known keys are remembered, so this is small. unavailable: Postgres did not answer, unknown keys got 503.',
          queries: [
            { expr: 'sum by (outcome) (rate(gateway_key_lookups_total[$__rate_interval]))', legend: '{{outcome}}' },
          ],
          unit: 'ops',
        },
        {
          kind: 'timeseries',
          title: 'Models in the catalogue',
          description: 'As each replica of catalog-svc knows it: they should agree.',
          queries: [{ expr: 'gateway_catalogue_models', legend: '{{instance}}' }],
          unit: 'short',
        },
        {
          kind: 'timeseries',
          title: 'Series left out',
          description: 'Metrics that have as many series as they may. Anything but nothing is a fault of ours.',
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
