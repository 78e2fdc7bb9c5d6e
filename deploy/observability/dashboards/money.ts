import type { Dashboard } from './dashboard.ts';

const selection = 'provider=~"$provider", model=~"$model"';

export const money: Dashboard = {
  id: 'money',
  title: 'Money',
  description:
    'Spending by provider, model and token class, and the state of the ledger. The ledger has the spending per account and key.',
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
          description: 'By the prices of the catalogue, or as reported by providers.',
          queries: [{ expr: `sum(increase(gateway_cost_usd_total{${selection}}[1d]))` }],
          unit: 'currencyUSD',
          width: 6,
        },
        {
          kind: 'stat',
          title: 'Last hour',
          description: 'By the prices of the catalogue, or as reported by providers.',
          queries: [{ expr: `sum(increase(gateway_cost_usd_total{${selection}}[1h]))` }],
          unit: 'currencyUSD',
          width: 6,
        },
        {
          kind: 'stat',
          title: 'A month at this rate',
          description: 'The spending of the last six hours, projected to 30 days.',
          queries: [{ expr: `sum(rate(gateway_cost_usd_total{${selection}}[6h])) * 86400 * 30` }],
          unit: 'currencyUSD',
          width: 6,
        },
        {
          kind: 'stat',
          title: 'Estimated',
          description:
            'Share of a day’s spending with estimated tokens, for example for interrupted streams, for which providers report none.',
          queries: [
            {
              expr: `(sum(increase(gateway_cost_usd_total{${selection}, source="estimated"}[1d])) or vector(0)) / clamp_min(sum(increase(gateway_cost_usd_total{${selection}}[1d])), 1e-9)`,
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
            'A step means a new user, another model, or a changed route: see Fallbacks on the Providers dashboard.',
          queries: [
            {
              expr: `sum by (provider, model) (rate(gateway_cost_usd_total{${selection}}[$__rate_interval])) * 3600`,
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
          description: 'The ten models with the highest cost.',
          queries: [
            { expr: `topk(10, sum by (provider, model) (increase(gateway_cost_usd_total{${selection}}[1d])))` },
          ],
          unit: 'currencyUSD',
        },
      ],
    },
    {
      title: 'Tokens and caches',
      panels: [
        {
          kind: 'timeseries',
          title: 'Tokens by class',
          description: 'Classes are disjoint: each token counts once, at its own price.',
          queries: [
            {
              expr: `sum by (token_class) (rate(gateway_tokens_total{${selection}}[$__rate_interval]))`,
              legend: '{{token_class}}',
            },
          ],
          unit: 'ops',
          stacked: true,
        },
        {
          kind: 'timeseries',
          title: 'Read from providers’ caches',
          description: 'Share of input tokens. A higher share costs less.',
          queries: [
            {
              expr: `(sum by (provider) (rate(gateway_tokens_total{${selection}, token_class="cache_read"}[$__rate_interval])) or sum by (provider) (rate(gateway_tokens_total{${selection}}[$__rate_interval])) * 0) / (sum by (provider) (rate(gateway_tokens_total{${selection}, token_class=~"input_uncached|cache_.*"}[$__rate_interval])) > 0)`,
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
          description: 'Chats without cost: served from the cache (hit) or by sharing a running call (coalesced).',
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
          title: 'Usage records',
          description: 'repeated: delivered twice, written once. refused: not written, see the log of ledger-svc.',
          queries: [
            { expr: 'sum by (result) (rate(gateway_usage_records_total[$__rate_interval]))', legend: '{{result}}' },
          ],
          unit: 'ops',
        },
        {
          kind: 'timeseries',
          title: 'Delay of usage records',
          description:
            'Age of the oldest record in the last batch. It grows while Postgres is down; no record is lost.',
          queries: [{ expr: 'max by (instance) (gateway_usage_events_lag_seconds)', legend: '{{instance}}' }],
          unit: 's',
          thresholds: { warn: 60, bad: 300 },
          min: 0,
        },
        {
          kind: 'timeseries',
          title: 'Budgets',
          description: 'Requests with a budget, by result. unavailable: the remaining budget was unknown.',
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
          title: 'Delayed and lost records',
          description:
            'Records that JetStream does not accept are kept in files or, if the disk fails, in memory. lost should always be 0.',
          queries: [
            { expr: 'sum by (result) (increase(gateway_usage_detours_total[$__rate_interval]))', legend: '{{result}}' },
          ],
          unit: 'short',
        },
        {
          kind: 'timeseries',
          title: 'Requests without a price',
          description: 'The catalogue has no price for these models. Add one to the operator’s file.',
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
