import type { Dashboard } from './dashboard.ts';
import { batches } from './rows/batches.ts';

export const gateway: Dashboard = {
  id: 'gateway',
  title: 'Gateway',
  description: 'Traffic, errors, latency, overhead of Tallyport, streams, limits and cache.',
  variables: [{ label: 'route', metric: 'gateway_http_requests_total' }],
  rows: [
    {
      title: 'Overview',
      panels: [
        {
          kind: 'stat',
          title: 'Requests',
          description: 'Per second, all replicas of edge.',
          queries: [{ expr: 'sum(rate(gateway_http_requests_total{route=~"$route"}[5m]))' }],
          unit: 'reqps',
          width: 6,
        },
        {
          kind: 'stat',
          title: 'Failed (5xx)',
          description: 'Share of requests. The objective is 0.1 % in 30 days.',
          queries: [{ expr: 'gateway:gateway_http_requests_5xx:ratio5m' }],
          unit: 'percentunit',
          thresholds: { warn: 0.001, bad: 0.0144 },
          width: 6,
        },
        {
          kind: 'stat',
          title: 'Open streams',
          description: 'All replicas of chat-svc.',
          queries: [{ expr: 'sum(gateway_streams_active)' }],
          unit: 'short',
          width: 6,
        },
        {
          kind: 'stat',
          title: 'Added by Tallyport (p99)',
          description: 'Both stages together, for the slowest route.',
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
          description: 'By route template, not by the requested path.',
          queries: [{ expr: 'route:gateway_http_requests:rate5m{route=~"$route"}', legend: '{{route}}' }],
          unit: 'reqps',
          stacked: true,
        },
        {
          kind: 'timeseries',
          title: 'Errors by route',
          description:
            '4xx: invalid requests and limits. 5xx: faults of Tallyport, or of a provider when no other could serve.',
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
          title: 'Request duration (p95)',
          description:
            'Measured at edge, from the first byte in to the last byte out, so it includes the whole length of streams.',
          queries: [
            { expr: 'route:gateway_http_request_duration_seconds:p95_5m{route=~"$route"}', legend: '{{route}}' },
          ],
          unit: 's',
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Added by Tallyport (p99)',
          description: 'route: parsing, validation and planning. dispatch: the rest, without the time of the provider.',
          queries: [
            { expr: 'route_stage:gateway_overhead_seconds:p99_5m{route=~"$route"}', legend: '{{route}} {{stage}}' },
          ],
          unit: 's',
          thresholds: { warn: 0.025, bad: 0.1 },
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Rejected before a provider call',
          description: 'By error code: invalid requests, unknown models, models a key may not use.',
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
          title: 'Open streams',
          description: 'By replica. The metric that scales chat-svc.',
          queries: [{ expr: 'sum by (instance) (gateway_streams_active)', legend: '{{instance}}' }],
          unit: 'short',
          stacked: true,
        },
        {
          kind: 'timeseries',
          title: 'Ends of streams by reason',
          description:
            'done and client_gone are normal. upstream_cut and stall are faults of the provider, shutdown is a rollout.',
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
          title: 'Responses of other APIs',
          description:
            'Messages, Responses, Gemini and completions: passed on as the vendor sent them (native), or translated.',
          queries: [
            {
              expr: 'sum by (api, lane) (rate(gateway_dialect_responses_total[$__rate_interval]))',
              legend: '{{api}} {{lane}}',
            },
          ],
          unit: 'reqps',
          stacked: true,
        },
        {
          kind: 'timeseries',
          title: 'Images made',
          description: 'By provider, operation and size.',
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
      title: 'WebSockets',
      panels: [
        {
          kind: 'timeseries',
          title: 'Open sockets',
          description: 'By route. MAX_SOCKETS bounds those of one edge.',
          queries: [{ expr: 'sum by (route) (gateway_sockets)', legend: '{{route}}' }],
          unit: 'short',
          stacked: true,
          width: 6,
        },
        {
          kind: 'timeseries',
          title: 'Messages of clients',
          description: 'By route. Those of realtime sessions are mostly audio.',
          queries: [
            {
              expr: 'sum by (route) (rate(gateway_socket_messages_total[$__rate_interval]))',
              legend: '{{route}}',
            },
          ],
          unit: 'ops',
          stacked: true,
          width: 6,
        },
        {
          kind: 'timeseries',
          title: 'Closed sockets by reason',
          description:
            'client, session and age are normal, restart is a rollout. memory: add replicas of edge. lost and silent: look at the network and at proxies.',
          queries: [
            {
              expr: 'sum by (reason) (rate(gateway_sockets_closed_total[$__rate_interval]))',
              legend: '{{reason}}',
            },
          ],
          unit: 'ops',
          stacked: true,
          width: 6,
        },
        {
          kind: 'timeseries',
          title: 'Realtime responses',
          description:
            'By the error of the provider, and the sessions that were refused before a provider was called, by error code.',
          queries: [
            {
              expr: 'sum by (error_type) (rate(gateway_request_duration_seconds_count{operation="realtime"}[$__rate_interval]))',
              legend: 'error: {{error_type}}',
            },
            {
              expr: 'sum by (code) (rate(gateway_realtime_refused_total[$__rate_interval]))',
              legend: 'refused {{code}}',
            },
          ],
          unit: 'ops',
          stacked: true,
          width: 6,
        },
      ],
    },
    batches,
    {
      title: 'Limits, cache, tools',
      panels: [
        {
          kind: 'timeseries',
          title: 'Rejected by limits',
          description: 'By the exceeded limit. alone: a replica decided without Redis, which it could not reach.',
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
          description: 'Chats by the result of the cache lookup.',
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
