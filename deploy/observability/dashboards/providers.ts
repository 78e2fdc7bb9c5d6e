import type { Dashboard } from './dashboard.ts';

const selection = 'provider=~"$provider", model=~"$model"';
const requested = 'provider=~"$provider", request_model=~"$model"';

export const providers: Dashboard = {
  id: 'providers',
  title: 'Providers',
  description: 'Uptime, errors and speed of the providers, and the fallbacks between them.',
  variables: [
    { label: 'provider', metric: 'gateway_provider_attempts_total' },
    { label: 'model', metric: 'gateway_provider_attempts_total' },
  ],
  rows: [
    {
      title: 'Uptime',
      panels: [
        {
          kind: 'bars',
          title: 'Uptime by provider and model, last hour',
          description:
            'Share of calls without a fault of the provider; client errors, content filters and cancelled calls do not count. Below 90 % other providers are preferred.',
          queries: [
            { expr: `provider_model:gateway_provider_uptime:ratio1h{${selection}}`, legend: '{{provider}} {{model}}' },
          ],
          unit: 'percentunit',
          thresholds: { lowIsBad: true, warn: 0.99, bad: 0.9 },
          min: 0,
          max: 1,
          width: 8,
        },
        {
          kind: 'timeseries',
          title: 'Uptime over 5 minutes',
          description: 'The same over time. A gap means no calls.',
          queries: [
            { expr: `provider_model:gateway_provider_uptime:ratio5m{${selection}}`, legend: '{{provider}} {{model}}' },
          ],
          unit: 'percentunit',
          thresholds: { lowIsBad: true, warn: 0.99, bad: 0.9 },
          min: 0,
          max: 1,
          width: 16,
        },
        {
          kind: 'timeseries',
          title: 'Uptime as routing sees it',
          description:
            'The lower bound of uptime that all replicas share for routing, cautious while calls are few. Old calls lose weight within minutes.',
          queries: [
            {
              expr: `min by (provider, model) (gateway_provider_uptime_ratio{${selection}})`,
              legend: '{{provider}} {{model}}',
            },
          ],
          unit: 'percentunit',
          thresholds: { lowIsBad: true, warn: 0.95, bad: 0.9 },
          min: 0,
          max: 1,
        },
        {
          kind: 'timeseries',
          title: 'Breakers',
          description: 'The worst replica. An open breaker allows only single probes, and closes when one succeeds.',
          queries: [
            {
              expr: `max by (provider, model) (gateway_provider_circuit_state{${selection}})`,
              legend: '{{provider}} {{model}}',
            },
          ],
          unit: 'circuit',
          min: 0,
          max: 2,
        },
        {
          kind: 'timeseries',
          title: 'Errors by class',
          description:
            'provider_*: fault of the provider. caller_*: of the client. policy_*: a refusal. own_key_*: an account’s own key.',
          queries: [
            {
              expr: `sum by (provider, error_type) (rate(gateway_provider_attempts_total{${selection}, error_type!="none"}[$__rate_interval]))`,
              legend: '{{provider}} {{error_type}}',
            },
          ],
          unit: 'ops',
          stacked: true,
        },
      ],
    },
    {
      title: 'Speed',
      panels: [
        {
          kind: 'timeseries',
          title: 'Time to the first content (p95)',
          description: 'From the request to the first content, including failed attempts.',
          queries: [
            {
              expr: `provider_model:gateway_first_content_seconds:p95_5m{${selection}}`,
              legend: '{{provider}} {{model}}',
            },
          ],
          unit: 's',
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Warm connections',
          description:
            'Share of the requests to a provider whose connection was open before. A handshake costs two round trips. One that ended unread was sent again and counts as not warm.',
          queries: [
            {
              expr: 'sum by (provider) (rate(gateway_provider_connections_total{provider=~"$provider", connection="warm"}[$__rate_interval])) / sum by (provider) (rate(gateway_provider_connections_total{provider=~"$provider"}[$__rate_interval]))',
              legend: '{{provider}}',
            },
          ],
          unit: 'percentunit',
          min: 0,
          max: 1,
        },
        {
          kind: 'timeseries',
          title: 'Request duration (p50 and p95)',
          description: 'Images and long answers can take minutes: compare a model only with itself.',
          queries: [0.5, 0.95].map((share) => ({
            expr: `histogram_quantile(${share}, sum by (provider, request_model, le) (rate(gateway_request_duration_seconds_bucket{${requested}}[$__rate_interval])))`,
            legend: `{{provider}} {{request_model}} p${share * 100}`,
          })),
          unit: 's',
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Output tokens',
          description: 'Per second and provider, including reasoning: the throughput of all requests together.',
          queries: [
            {
              expr: `sum by (provider, model) (rate(gateway_tokens_total{${selection}, token_class=~"output_.*"}[$__rate_interval]))`,
              legend: '{{provider}} {{model}}',
            },
          ],
          unit: 'ops',
          min: 0,
        },
      ],
    },
    {
      title: 'Routing',
      panels: [
        {
          kind: 'timeseries',
          title: 'Calls by provider',
          description: 'Attempts by outcome. Each attempt of a request counts.',
          queries: [
            {
              expr: `sum by (provider, outcome) (provider_model_outcome:gateway_provider_attempts:rate5m{${selection}})`,
              legend: '{{provider}} {{outcome}}',
            },
          ],
          unit: 'ops',
          stacked: true,
        },
        {
          kind: 'timeseries',
          title: 'Fallbacks',
          description: 'Requests that continued at another provider, by reason. Clients notice a delay, not an error.',
          queries: [
            {
              expr: 'sum by (from_provider, to_provider, reason) (rate(gateway_fallbacks_total{from_provider=~"$provider"}[$__rate_interval]))',
              legend: '{{from_provider}} → {{to_provider}} ({{reason}})',
            },
          ],
          unit: 'ops',
          stacked: true,
        },
        {
          kind: 'timeseries',
          title: 'Reason for the first candidate',
          description:
            'Usually score and tie. explore is the small share of requests that tests whether other offers have improved.',
          queries: [
            {
              expr: 'sum by (reason) (rate(gateway_route_decisions_total[$__rate_interval]))',
              legend: '{{reason}}',
            },
          ],
          unit: 'ops',
          stacked: true,
        },
      ],
    },
  ],
};
