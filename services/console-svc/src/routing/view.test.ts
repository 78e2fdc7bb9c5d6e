import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import type { ExplainedRoute } from '../gateway/explained-route.ts';
import { routingPage, type RoutingPage } from './view.ts';

const route = {
  requested_model: 'small',
  requested_provider: null,
  model: 'small',
  max_attempts: 3,
  candidates: [],
  excluded: [],
  settings: [{ name: 'ROUTING_PRICE_WEIGHT', value: 0.2, description: 'Weight of the price.' }],
};

const page = (shown: ExplainedRoute | undefined, changes: Partial<RoutingPage> = {}) =>
  render(
    routingPage({
      base: '/d',
      account: {},
      weightsState: undefined,
      csrfToken: '',
      fields: { model: 'small' },
      problem: undefined,
      editable: undefined,
      models: [],
      shown: shown && { route: shown, known: shown },
      ...changes,
    }),
  );

test('what decides the scores names the settings, their documents, and leads to what the account can change', () => {
  const text = page(route);
  for (const part of ['ROUTING_PRICE_WEIGHT', 'docs/settings.md', 'docs/catalogue.md', 'docs/routing.md'])
    expect(text).toContain(`<code>${part}</code>`);
  expect([...text.matchAll(/href="(\/d\/(?:provider-)?keys)"/g)].map(([, href]) => href)).toEqual([
    '/d/provider-keys',
    '/d/keys',
  ]);
});

test('everybody sees the weights of the account, and owners have a form for them, which keeps the question', () => {
  const account = { scoreWeights: { uptime: 2, throughput: 0, price: 1.5, latency: 0 } };
  const [member, owner] = [page(route, { account }), page(route, { account, weightsState: { values: {} } })];
  for (const text of [member, owner]) expect(text).toContain('uptime 2, throughput 0, price 1.5, latency 0.');
  expect(member).not.toContain('Save the weights');
  const [, form = ''] = /(<form[^>]*action="\/d\/routing\/weights"[^]*?<\/form>)/.exec(owner) ?? [];
  expect(form).toContain('<input type="hidden" name="model" value="small" />');
  expect(form).toContain('placeholder="0.2 (default)"');
  expect(page(undefined, { weightsState: { values: {} } })).toContain('so those of the operator count');
});

test('a route says with which weights it was scored, unless an older replica answered', () => {
  const weights = { uptime: 0, throughput: 1, price: 0, latency: 0 };
  expect(page({ ...route, weights: { from: 'request', ...weights } })).toContain(
    'Scored with the weights of what the request is sorted by: uptime 0, throughput 1, price 0, latency 0.',
  );
  expect(page(route)).not.toContain('Scored with');
});

test('the models that stand in have their order and their routes, and those that cannot serve the request their reason', () => {
  const { settings: _settings, ...plan } = route;
  const several = {
    ...route,
    turns: ['small', 'large'],
    stand_ins: [{ ...plan, requested_model: 'large', model: 'large' }],
    passed_over: [{ model: 'secret', detail: "This API key may not use 'secret'." }],
  };
  const text = page(several);
  expect([...text.matchAll(/<h2[^>]*>(Route of [^<]*)</g)].map(([, title]) => title)).toEqual([
    'Route of small',
    'Route of large',
  ]);
  const [, note = ''] = /<p class="note">([^]*?)<\/p>/.exec(text) ?? [];
  expect(note.replaceAll(/\s+/g, ' ').trim()).toBe(
    'Asked in this order, each only if the model before cannot answer: small, large. Not asked: secret. This API key may not use &#39;secret&#39;.',
  );
  expect(page(route)).not.toContain('class="note"');
});

test('a named route has the results of its conditions, its weights and shares, its order, and the reservation', () => {
  const text = page({
    ...route,
    requested_model: 'fast',
    reservation_usd: '0.25',
    routes: [
      {
        name: 'fast',
        conditions: [
          { if: 'request.stream', use: ['large'], result: 'false' },
          { if: 'request.headers["x"] == "1"', use: ['large'], result: 'failed', problem: 'No such key: x' },
        ],
        targets: [
          { model: 'small', weight: 95, share: 0.95, chosen: true },
          { model: 'large', weight: 5, share: 0.05, chosen: false },
        ],
        models: [{ model: 'small' }, { model: 'large' }],
      },
    ],
  });
  for (const part of [
    'Named route fast',
    'Asked in this order: small, large.',
    '<code>request.headers[&quot;x&quot;] == &quot;1&quot;</code>',
    'failed, counts as false: No such key: x',
    '95 %',
    'for this conversation',
    'reserve 0.25 USD',
  ])
    expect(text).toContain(part);
});
