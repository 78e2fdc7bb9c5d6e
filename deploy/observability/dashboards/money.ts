import type { Dashboard } from './dashboard.ts';

const chosen = 'provider=~"$provider", model=~"$model"';

export const money: Dashboard = {
  id: 'money',
  title: 'Money',
  description:
    'What is spent where, on what, and whether every request comes into the ledger. Who spends it is told there.',
  variables: [
    { label: 'provider', metric: 'gateway_cost_usd_total' },
    { label: 'model', metric: 'gateway_cost_usd_total' },
  ],
  rows: [
    {
      title: 'Spending',
      panels: [
        {
          kind: 'stat',
          title: 'Last 24 hours',
          description: 'By the catalogue’s prices or what providers told.',
          queries: [{ expr: `sum(increase(gateway_cost_usd_total{${chosen}}[1d]))` }],
          unit: 'currencyUSD',
          width: 6,
        },
        {
          kind: 'stat',
          title: 'Last hour',
          description: 'By the catalogue’s prices or what providers told.',
          queries: [{ expr: `sum(increase(gateway_cost_usd_total{${chosen}}[1h]))` }],
          unit: 'currencyUSD',
          width: 6,
        },
        {
          kind: 'stat',
          title: 'A month at this rate',
          description: 'The last six hours, thirty days long.',
          queries: [{ expr: `sum(rate(gateway_cost_usd_total{${chosen}}[6h])) * 86400 * 30` }],
          unit: 'currencyUSD',
          width: 6,
        },
        {
          kind: 'stat',
          title: 'Estimated',
          description: 'Share of a day’s spending whose tokens no provider told, as for streams that were cut.',
          queries: [
            {
              expr: `(sum(increase(gateway_cost_usd_total{${chosen}, source="estimated"}[1d])) or vector(0)) / clamp_min(sum(increase(gateway_cost_usd_total{${chosen}}[1d])), 1e-9)`,
            },
          ],
          unit: 'percentunit',
          thresholds: { warn: 0.05, bad: 0.2 },
          width: 6,
        },
        {
          kind: 'timeseries',
          title: 'Spending by provider and model, per hour',
          description:
            'A step means a new user, another model, or a route that changed: see Fallbacks on the Providers dashboard.',
          queries: [
            {
              expr: `sum by (provider, model) (rate(gateway_cost_usd_total{${chosen}}[$__rate_interval])) * 3600`,
              legend: '{{provider}} {{model}}',
            },
          ],
          unit: 'currencyUSD',
          stacked: true,
          width: 16,
        },
        {
          kind: 'table',
          title: 'Most expensive, last 24 hours',
          description: 'Models by what they cost.',
          queries: [{ expr: `topk(10, sum by (provider, model) (increase(gateway_cost_usd_total{${chosen}}[1d])))` }],
          unit: 'currencyUSD',
        },
      ],
    },
    {
      title: 'What it is spent on',
      panels: [
        {
          kind: 'timeseries',
          title: 'Tokens by class',
          description: 'Classes are disjoint: each token counts once, at its own price.',
          queries: [
            {
              expr: `sum by (token_class) (rate(gateway_tokens_total{${chosen}}[$__rate_interval]))`,
              legend: '{{token_class}}',
            },
          ],
          unit: 'ops',
          stacked: true,
        },
        {
          kind: 'timeseries',
          title: 'Read from providers’ caches',
          description: 'Share of input tokens. More is cheaper.',
          queries: [
            {
              expr: `(sum by (provider) (rate(gateway_tokens_total{${chosen}, token_class="cache_read"}[$__rate_interval])) or sum by (provider) (rate(gateway_tokens_total{${chosen}}[$__rate_interval])) * 0) / (sum by (provider) (rate(gateway_tokens_total{${chosen}, token_class=~"input_uncached|cache_.*"}[$__rate_interval])) > 0)`,
              legend: '{{provider}}',
            },
          ],
          unit: 'percentunit',
          min: 0,
          max: 1,
        },
        {
          kind: 'timeseries',
          title: 'Saved by our cache',
          description: 'Chats that cost nothing because an answer was there or in the making.',
          queries: [
            {
              expr: 'sum by (result) (rate(gateway_cache_requests_total{result=~"hit|coalesced"}[$__rate_interval]))',
              legend: '{{result}}',
            },
          ],
          unit: 'reqps',
          stacked: true,
        },
      ],
    },
    {
      title: 'The ledger',
      panels: [
        {
          kind: 'timeseries',
          title: 'Records of use',
          description:
            'repeated came twice and were written once. refused could not be written: the log of auth-svc names them.',
          queries: [
            { expr: 'sum by (result) (rate(gateway_usage_records_total[$__rate_interval]))', legend: '{{result}}' },
          ],
          unit: 'ops',
        },
        {
          kind: 'timeseries',
          title: 'How late they come',
          description:
            'Age of the oldest record in the last batch. It grows while Postgres is away, and nothing is lost.',
          queries: [{ expr: 'max by (instance) (gateway_usage_events_lag_seconds)', legend: '{{instance}}' }],
          unit: 's',
          thresholds: { warn: 60, bad: 300 },
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Budgets',
          description: 'Requests of those who have one, by what it said. unavailable: nobody could tell what is left.',
          queries: [
            {
              expr: 'sum by (result) (rate(gateway_budget_reservations_total[$__rate_interval]))',
              legend: '{{result}}',
            },
          ],
          unit: 'reqps',
        },
        {
          kind: 'timeseries',
          title: 'Records that wait or are lost',
          description:
            'What JetStream did not take at once is kept in files. lost should never be anything but nothing.',
          queries: [
            { expr: 'sum by (result) (increase(gateway_usage_detours_total[$__rate_interval]))', legend: '{{result}}' },
          ],
          unit: 'short',
        },
        {
          kind: 'timeseries',
          title: 'Requests without a price',
          description: 'The catalogue has none for these: put one into the operator’s file.',
          queries: [
            {
              expr: 'sum by (provider, model) (rate(gateway_usage_unpriced_total[$__rate_interval]))',
              legend: '{{provider}} {{model}}',
            },
          ],
          unit: 'reqps',
        },
      ],
    },
  ],
};
