import type { Dashboard } from './dashboard.ts';

const chosen = 'provider=~"$provider", model=~"$model"';
const asked = 'provider=~"$provider", request_model=~"$model"';

export const providers: Dashboard = {
  id: 'providers',
  title: 'Providers',
  description: 'Who answers, how well, how fast, and what was done about those who did not.',
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
            'Share of calls without a fault of the provider. What clients did wrong, content filters and cancelled calls count nowhere. Below 90 % requests go elsewhere.',
          queries: [
            { expr: `provider_model:gateway_provider_uptime:ratio1h{${chosen}}`, legend: '{{provider}} {{model}}' },
          ],
          unit: 'percentunit',
          thresholds: { lowIsBad: true, warn: 0.99, bad: 0.9 },
          min: 0,
          max: 1,
          width: 8,
        },
        {
          kind: 'timeseries',
          title: 'Uptime, five minutes at a time',
          description: 'The same over time. Gaps are times without calls.',
          queries: [
            { expr: `provider_model:gateway_provider_uptime:ratio5m{${chosen}}`, legend: '{{provider}} {{model}}' },
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
            'The lower bound that all replicas share and choose by: cautious while calls are few. It fades within minutes.',
          queries: [
            {
              expr: `min by (provider, model) (gateway_provider_uptime_ratio{${chosen}})`,
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
          description:
            'The worst replica. Open: no calls but single probes. It closes by itself when a probe succeeds.',
          queries: [
            {
              expr: `max by (provider, model) (gateway_provider_circuit_state{${chosen}})`,
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
            'provider_* is the fault of the provider, caller_* of the client, policy_* a refusal, own_key_* an account’s own key.',
          queries: [
            {
              expr: `sum by (provider, error_type) (rate(gateway_provider_attempts_total{${chosen}, error_type!="none"}[$__rate_interval]))`,
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
          description: 'From the request to the first words, failed attempts before it included.',
          queries: [
            {
              expr: `provider_model:gen_ai_client_operation_time_to_first_chunk_seconds:p95_5m{${chosen}}`,
              legend: '{{provider}} {{model}}',
            },
          ],
          unit: 's',
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Whole requests (p50 and p95)',
          description: 'Images and long answers take minutes by nature; compare a model with itself.',
          queries: [0.5, 0.95].map((share) => ({
            expr: `histogram_quantile(${share}, sum by (provider, request_model, le) (rate(gen_ai_client_operation_duration_seconds_bucket{${asked}}[$__rate_interval])))`,
            legend: `{{provider}} {{request_model}} p${share * 100}`,
          })),
          unit: 's',
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Output tokens',
          description: 'Per second and provider, reasoning included: throughput of all requests together.',
          queries: [
            {
              expr: `sum by (provider, model) (rate(gateway_tokens_total{${chosen}, token_class=~"output_.*"}[$__rate_interval]))`,
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
          description: 'Attempts, by how they ended. A second attempt of a request is a call too.',
          queries: [
            {
              expr: `sum by (provider, outcome) (provider_model_outcome:gateway_provider_attempts:rate5m{${chosen}})`,
              legend: '{{provider}} {{outcome}}',
            },
          ],
          unit: 'ops',
          stacked: true,
        },
        {
          kind: 'timeseries',
          title: 'Fallbacks',
          description: 'Requests that went on to another provider, and why. Clients see them as time, not as errors.',
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
          title: 'Why the first candidate stood first',
          description: 'score and tie are the usual; explore is the small share that looks whether others got better.',
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
