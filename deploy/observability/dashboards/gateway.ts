import type { Dashboard } from './dashboard.ts';

export const gateway: Dashboard = {
  id: 'gateway',
  title: 'Gateway',
  description: 'What clients see: traffic, errors, latency, what Switchyard adds, streams, limits, the cache.',
  variables: [{ label: 'route', metric: 'gateway_http_requests_total' }],
  rows: [
    {
      title: 'At a glance',
      panels: [
        {
          kind: 'stat',
          title: 'Requests',
          description: 'Per second, at all edges.',
          queries: [{ expr: 'sum(rate(gateway_http_requests_total{route=~"$route"}[5m]))' }],
          unit: 'reqps',
          width: 6,
        },
        {
          kind: 'stat',
          title: 'Failing (5xx)',
          description: 'Share of requests. The objective is 0.1 % in 30 days.',
          queries: [{ expr: 'gateway:gateway_http_requests_5xx:ratio5m' }],
          unit: 'percentunit',
          thresholds: { warn: 0.001, bad: 0.0144 },
          width: 6,
        },
        {
          kind: 'stat',
          title: 'Streams open',
          description: 'Over all replicas of chat-svc.',
          queries: [{ expr: 'sum(gateway_streams_active)' }],
          unit: 'short',
          width: 6,
        },
        {
          kind: 'stat',
          title: 'Added by Switchyard (p99)',
          description: 'Planning and handling together, of the slowest route.',
          queries: [{ expr: 'max(sum by (route) (route_stage:gateway_overhead_seconds:p99_5m{route=~"$route"}))' }],
          unit: 's',
          thresholds: { warn: 0.025, bad: 0.1 },
          width: 6,
        },
      ],
    },
    {
      title: 'Traffic',
      panels: [
        {
          kind: 'timeseries',
          title: 'Requests by route',
          description: 'Routes are templates: never what a client typed.',
          queries: [{ expr: 'route:gateway_http_requests:rate5m{route=~"$route"}', legend: '{{route}}' }],
          unit: 'reqps',
          stacked: true,
        },
        {
          kind: 'timeseries',
          title: 'Answers that were not 2xx',
          description: '4xx are clients’ faults and limits, 5xx ours or a provider’s that could not be hidden.',
          queries: [
            {
              expr: 'sum by (route, status_class) (rate(gateway_http_requests_total{route=~"$route", status_class=~"[45]xx"}[$__rate_interval]))',
              legend: '{{status_class}} {{route}}',
            },
          ],
          unit: 'reqps',
          stacked: true,
        },
        {
          kind: 'timeseries',
          title: 'Error budget burn',
          description: 'Share of 5xx over several windows against 0.1 %. Dashed: 6 and 14.4 times the budget.',
          queries: ['5m', '1h', '6h', '3d'].map((window) => ({
            expr: `gateway:gateway_http_requests_5xx:ratio${window}`,
            legend: window,
          })),
          unit: 'percentunit',
          thresholds: { warn: 0.006, bad: 0.0144 },
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Whole requests (p95)',
          description:
            'At the edge, from the first byte in to the last byte out: streams are as long as their answers.',
          queries: [
            { expr: 'route:gateway_http_request_duration_seconds:p95_5m{route=~"$route"}', legend: '{{route}}' },
          ],
          unit: 's',
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Added by Switchyard (p99)',
          description: 'route: reading, checking, planning. dispatch: everything else that was not a provider’s time.',
          queries: [
            { expr: 'route_stage:gateway_overhead_seconds:p99_5m{route=~"$route"}', legend: '{{route}} {{stage}}' },
          ],
          unit: 's',
          thresholds: { warn: 0.025, bad: 0.1 },
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Refused before a provider was asked',
          description: 'By the code clients got: broken requests, unknown models, models a key may not use.',
          queries: [
            {
              expr: 'sum by (code) (rate(gateway_chat_refused_total[$__rate_interval]))',
              legend: 'chat {{code}}',
            },
            {
              expr: 'sum by (code) (rate(gateway_image_refused_total[$__rate_interval]))',
              legend: 'images {{code}}',
            },
          ],
          unit: 'reqps',
          stacked: true,
        },
      ],
    },
    {
      title: 'Streams and images',
      panels: [
        {
          kind: 'timeseries',
          title: 'Streams open',
          description: 'By replica. This is what chat-svc is scaled by.',
          queries: [{ expr: 'sum by (instance) (gateway_streams_active)', legend: '{{instance}}' }],
          unit: 'short',
          stacked: true,
        },
        {
          kind: 'timeseries',
          title: 'Why streams ended',
          description:
            'done and client_gone are well. upstream_cut and stall are the provider’s, shutdown is a rollout’s.',
          queries: [
            {
              expr: 'sum by (reason) (rate(gateway_stream_terminations_total[$__rate_interval]))',
              legend: '{{reason}}',
            },
          ],
          unit: 'ops',
          stacked: true,
        },
        {
          kind: 'timeseries',
          title: 'Images made',
          description: 'By provider and by the pixels they have.',
          queries: [
            {
              expr: 'sum by (provider, op, size_class) (rate(gateway_images_total[$__rate_interval]))',
              legend: '{{provider}} {{op}} {{size_class}}',
            },
          ],
          unit: 'ops',
          stacked: true,
        },
      ],
    },
    {
      title: 'Limits, cache, tools',
      panels: [
        {
          kind: 'timeseries',
          title: 'Refused by limits',
          description: 'By what was used up. alone: a replica that did not reach Redis decided by itself.',
          queries: [
            {
              expr: 'sum by (scope, result) (rate(gateway_rate_limit_decisions_total{result=~"refused.*"}[$__rate_interval]))',
              legend: '{{scope}} {{result}}',
            },
          ],
          unit: 'reqps',
          stacked: true,
        },
        {
          kind: 'timeseries',
          title: 'Cache',
          description: 'Chats by what the cache did for them.',
          queries: [
            {
              expr: 'sum by (result) (rate(gateway_cache_requests_total[$__rate_interval]))',
              legend: '{{result}}',
            },
          ],
          unit: 'reqps',
          stacked: true,
        },
        {
          kind: 'timeseries',
          title: 'MCP tools',
          description: 'Calls by tool and outcome.',
          queries: [
            {
              expr: 'sum by (tool, outcome) (rate(gateway_mcp_tool_duration_seconds_count[$__rate_interval]))',
              legend: '{{tool}} {{outcome}}',
            },
          ],
          unit: 'reqps',
          stacked: true,
        },
      ],
    },
  ],
};
