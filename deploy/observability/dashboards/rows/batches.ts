import type { Row } from '../dashboard.ts';

/** A row of the dashboard of the gateway. */
export const batches: Row = {
  title: 'Batches and files',
  panels: [
    {
      kind: 'timeseries',
      title: 'Lines of batches',
      description: 'Lines that have ended, by API and outcome. failed: refused for good.',
      queries: [
        {
          expr: 'sum by (api, outcome) (rate(gateway_batch_lines_total[$__rate_interval]))',
          legend: '{{api}} {{outcome}}',
        },
      ],
      unit: 'ops',
      stacked: true,
    },
    {
      kind: 'timeseries',
      title: 'Parts of batches that run',
      description: 'A replica of batch-svc takes 16 parts of up to 1,000 lines. Beyond, they wait: add replicas.',
      queries: [{ expr: 'gateway_batch_parts_running', legend: '{{instance}}' }],
      unit: 'short',
      thresholds: { warn: 12, bad: 16 },
      min: 0,
    },
    {
      kind: 'timeseries',
      title: 'Bytes of files',
      description: 'That clients have stored (in) and read (out).',
      queries: [
        {
          expr: 'sum by (direction) (rate(gateway_file_bytes_total[$__rate_interval]))',
          legend: '{{direction}}',
        },
      ],
      unit: 'Bps',
    },
  ],
};
